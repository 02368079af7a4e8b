// Measured clocks, and the list of zones of a build.
#include <cmath>

#include "fuzz/fuzz_target.h"
#include "perf/analyze/clock_sync.h"
#include "perf/read/side_files.h"

TTSCOPE_FUZZ_TARGET(perf_side_files) {
  ttscope::perf::PerfProblems problems;
  const ttscope::perf::SyncInfo info = ttscope::perf::read_sync_info(text, problems);
  for (const auto& [device, line] : ttscope::perf::clock_lines(info)) {
    ttscope::fuzz::require(!std::isnan(line.cycles_per_ns), "a clock is a number");
  }
  ttscope::perf::find_zone_collisions(text, problems);
}
