// A training log, put together to summaries.
#include <cstdint>
#include <string>

#include "fuzz/fuzz_target.h"
#include "phases/read/phase_log_reader.h"

namespace ttscope::phases {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(phases_log) {
  PhaseLog log;
  SummaryBuilder builder(log, 0);
  std::uint32_t lines = 0;
  std::string clean;
  while (!text.empty()) builder.add(read_phase_line(fuzz::take_until(text, "\n"), clean), ++lines);
  builder.finish();
  for (const PhaseSummary& summary : log.summaries) {
    require(summary.line > 0 && summary.line <= lines, "a summary stands in the log");
    for (const PhaseRecord& phase : summary.phases) {
      require(phase.line >= summary.line && phase.line <= lines, "a phase stands in its summary");
    }
  }
}

}  // namespace
}  // namespace ttscope::phases
