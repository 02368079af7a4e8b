// Measured clocks, and the list of zones of a build.
#include <cmath>

#include "fuzz/fuzz_target.h"
#include "perf/read/host_logs/side_files.h"

TTSCOPE_FUZZ_TARGET(perf_side_files) {
  ttscope::perf::PerfProblems problems;
  for (const auto& [device, mhz] : ttscope::perf::read_sync_info(text)) {
    ttscope::fuzz::require(!std::isnan(mhz), "a clock is a number");
  }
  ttscope::perf::find_zone_collisions(text, problems);
}
