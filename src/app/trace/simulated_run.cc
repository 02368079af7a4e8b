#include "app/trace/simulated_run.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "perf/read/host_logs/sync_info.h"

namespace ttscope::app {

bool had_simulated_chips(const std::string& logs) {
  std::error_code error;
  // A file of exchanges says it of its own run; our runtime leaves a word where there were none.
  std::ifstream file(logs + "/sync_device_info.csv", std::ios::binary);
  if (!file) return std::filesystem::exists(logs + "/simulated_chips.txt", error);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  perf::PerfProblems problems;
  const perf::SyncInfo info = perf::read_sync_info(text, problems);
  return std::any_of(info.devices.begin(), info.devices.end(),
                     [](const auto& device) { return !device.second.is_on_host_axis; });
}

}  // namespace ttscope::app
