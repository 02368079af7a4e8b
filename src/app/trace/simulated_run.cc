#include "app/trace/simulated_run.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/profiler_names.h"
#include "perf/analyse/sync/clock_lines.h"
#include "perf/model/capture_files.h"
#include "perf/read/host_logs/sync_info.h"

namespace ttscope::app {

bool had_simulated_chips(const std::string& logs) {
  std::error_code error;
  const bool is_said = std::filesystem::exists(logs + "/" + perf::kSimulatedChips, error);
  std::ifstream file(logs + "/" + profiler_names::kSyncInfo, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  perf::PerfProblems problems;
  return perf::are_simulated(perf::clock_lines(perf::read_sync_info(text, problems)), is_said);
}

}  // namespace ttscope::app
