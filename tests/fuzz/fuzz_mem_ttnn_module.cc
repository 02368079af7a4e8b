// A compiled module, read as the run that it describes, and what is made of it.
#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "mem/analyze/memory_profile.h"
#include "mem/read/ttnn_module.h"
#include "support/invariants.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(mem_ttnn_module) {
  for (const ModuleSection& section : find_modules(text)) {
    require(!section.lines.empty(), "a module has lines");
    require(section.first_line >= 1, "lines count from 1");
  }
  const RuntimeLog log = read_ttnn_module_text("module", text);
  require(log.source == LogSource::kModule, "nothing ran");
  for (const RankLog& rank : log.ranks) {
    require(!rank.programs.empty() && rank.blocks.empty(), "programs without a measurement");
    for (const ExecutedOp& op : rank.ops)
      require(op.line >= 1 && op.line <= log.file_lines[0], "an op has a line");
  }
  const MemoryProfile profile = profile_memory(log, {});
  const std::string broken = testing::broken_invariant(log, profile);
  require(broken.empty(), broken.c_str());
}

}  // namespace
}  // namespace ttscope::mem
