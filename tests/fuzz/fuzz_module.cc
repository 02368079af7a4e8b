// The body of a module dump, and every line of it as a system description.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "mem/read/runtime_log/module_parser.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ttscope::mem::RuntimeTrace trace;
  ttscope::mem::TraceTables tables(trace);
  ttscope::mem::ModuleDump module;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    module.lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  require(ttscope::mem::parse_module(module, tables) == !module.functions.empty());
  for (const ttscope::mem::FunctionInfo& function : module.functions) {
    for (const ttscope::mem::ArgumentInfo& argument : function.arguments) {
      require(argument.ssa < trace.names.size());
      require(argument.type == ttscope::kNone || argument.type < trace.types.size());
    }
    for (const std::uint32_t id : function.returned) require(id < trace.names.size());
  }
  for (const std::string_view line : module.lines) {
    const auto system = ttscope::mem::parse_system_description(line);
    require(!system || system->dram_channels > 0);
  }
  return 0;
}
