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
  const RuntimeTrace trace = read_ttnn_module_text("module", text);
  require(trace.source == TraceSource::kModule, "nothing ran");
  for (const RankTrace& rank : trace.ranks) {
    require(!rank.programs.empty() && rank.blocks.empty(), "programs without a measurement");
    for (const ExecutedOp& op : rank.ops)
      require(op.line >= 1 && op.line <= trace.file_lines[0], "an op has a line");
  }
  const MemoryProfile profile = profile_memory(trace, {});
  const std::string broken = testing::broken_invariant(trace, profile);
  require(broken.empty(), broken.c_str());
}

}  // namespace
}  // namespace ttscope::mem
