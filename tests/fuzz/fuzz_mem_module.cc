// The body of a module dump, and every line of it as a system description.
#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "mem/read/module_dumps.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(mem_module) {
  RuntimeLog log;
  LogTables tables(log);
  ModuleDump module;
  while (!text.empty()) module.lines.push_back(fuzz::take_until(text, "\n"));
  require(parse_module(module, tables) == !module.functions.empty(), "a module has functions");
  for (const FunctionInfo& function : module.functions) {
    for (const ArgumentInfo& argument : function.arguments) {
      require(argument.ssa < log.names.size(), "names are known");
      require(argument.type == kNone || argument.type < log.types.size(), "types are known");
    }
    for (const std::uint32_t id : function.returned) require(id < log.names.size(), "names are known");
  }
  for (const std::string_view line : module.lines) {
    const auto system = parse_system_description(line);
    require(!system || system->dram_channels > 0, "a system has memory");
  }
}

}  // namespace
}  // namespace ttscope::mem
