#include "app/profiler_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "app/trace/log_remedies.h"
#include "app/trace/simulated_run.h"
#include "base/profiler_names.h"
#include "capture/profiler_variables.h"
#include "capture/trace_folders.h"
#include "capture/tracy_tools.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using capture::value_in;

Check check_tools(const std::vector<std::string>& environment) {
  const std::string folder = capture::tools_folder("", environment);
  if (folder.empty()) {
    return {CheckStatus::kOk, "capture tools", "TT_METAL_HOME is not set",
            "ttscope trace uses its own recorder, and simulated devices where ttnn is absent", ""};
  }
  if (const auto tools = capture::find_tracy_tools(folder))
    return {CheckStatus::kOk, "capture tools", tools->capture, "ttscope trace uses Tracy's tools", ""};
  std::error_code error;
  const bool is_built = fs::is_directory(folder, error);
  return {CheckStatus::kProblem, "capture tools",
          folder + (is_built ? ": no capture tool in it" : ": no such folder"),
          "no host data of tt-metal's own client can be captured: this is no Tracy build",
          "cmake . -DENABLE_TRACY=ON && ninja install, in TT_METAL_HOME"};
}

void check_variables(const std::vector<std::string>& environment, Diagnosis& diagnosis) {
  const auto conflicts = capture::conflicts_in(environment);
  for (const capture::ProfilerVariable& variable : capture::profiler_variables()) {
    const auto value = value_in(environment, variable.name);
    Check check{CheckStatus::kOk, std::string(variable.name), value.value_or("not set"),
                capture::consequence_of(variable, environment), ""};
    const bool is_set_by_trace = variable.standard.starts_with("ttscope trace sets");
    if (!value && !variable.option.empty() && !is_set_by_trace)
      check.fix = fmt::format("ttscope trace {}", variable.option);
    const auto refused = std::find_if(conflicts.begin(), conflicts.end(),
                                      [&](const auto& one) { return one.first == variable.name; });
    // What is refused has no other consequence; it is told below.
    if (refused == conflicts.end()) diagnosis.checks.push_back(std::move(check));
  }
  for (const capture::VariableConflict& conflict : conflicts) {
    diagnosis.checks.push_back({CheckStatus::kProblem, conflict.first,
                                value_in(environment, conflict.first).value_or("set"), conflict.reason,
                                conflict.fix});
  }
  const auto prints = value_in(environment, "TT_METAL_DPRINT_CORES");
  const bool told = std::any_of(conflicts.begin(), conflicts.end(),
                                [](const auto& one) { return one.first == "TT_METAL_DPRINT_CORES"; });
  if (prints && !prints->empty() && !told) {
    diagnosis.checks.push_back({CheckStatus::kProblem, "TT_METAL_DPRINT_CORES", *prints,
                                "kernel prints exclude the device profiler, which ttscope trace switches on",
                                "unset TT_METAL_DPRINT_CORES"});
  }
}

/// The cell of a line; none: it has not so many. No cell before that of the device is quoted.
std::optional<std::string> cell_of(const std::string& line, std::size_t number) {
  std::size_t at = 0;
  for (; number > 0; --number) {
    const std::size_t comma = line.find(',', at);
    if (comma == std::string::npos) return std::nullopt;
    at = comma + 1;
  }
  return line.substr(at, line.find(',', at) - at);
}

/// Programs of the busiest device, by the runtime's own report.
std::size_t programs_in(const fs::path& report) {
  std::ifstream file(report);
  std::string line;
  std::getline(file, line);
  constexpr std::size_t kDeviceCell = 3;
  std::map<std::string, std::size_t> programs;
  std::size_t most = 0;
  while (std::getline(file, line)) {
    const std::optional<std::string> device = cell_of(line, kDeviceCell);
    if (device) most = std::max(most, ++programs[*device]);
  }
  return most;
}

void check_last_run(const std::vector<std::string>& environment, Diagnosis& diagnosis) {
  const capture::TraceFolders folders = capture::trace_folders("", environment, std::time(nullptr));
  std::error_code error;
  const fs::path logs = folders.logs;
  const bool has_device = fs::exists(logs / profiler_names::kDeviceLog, error);
  if (!has_device) return;
  const std::uint64_t limit = capture::support_count(environment).kept;
  if (const std::size_t programs = programs_in(logs / profiler_names::kProgramReport); programs > 0) {
    const bool fits = programs < limit;
    diagnosis.checks.push_back(
        {fits ? CheckStatus::kOk : CheckStatus::kProblem, "ops of the last run",
         fmt::format("{} on a device; it keeps {} between two reads", programs, limit),
         fits ? "no marker is dropped"
              : "markers of further ops are dropped unless the profiler is read in between",
         fits ? "" : fmt::format("ttscope trace --op-support-count {}", fitting_support_count(programs))});
  }
  if (had_simulated_chips(folders.logs)) {
    diagnosis.checks.push_back({CheckStatus::kNote, "clocks of the last run", "simulated chips",
                                "their host is simulated too: they lie beside the real host as far as its "
                                "ops tell, no exchange helps",
                                ""});
  } else if (!fs::exists(logs / profiler_names::kSyncInfo, error)) {
    diagnosis.checks.push_back({CheckStatus::kNote, "clocks of the last run", "no sync_device_info.csv",
                                "host and devices are not on one axis", "ttscope trace --sync-host-device"});
  }
}

}  // namespace

void add_profiler_checks(const std::vector<std::string>& environment, Diagnosis& diagnosis) {
  diagnosis.checks.push_back(check_tools(environment));
  check_variables(environment, diagnosis);
  check_last_run(environment, diagnosis);
}

}  // namespace ttscope::app
