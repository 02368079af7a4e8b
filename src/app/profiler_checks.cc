#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

#include "app/doctor.h"
#include "app/simulator.h"
#include "app/trace/log_remedies.h"
#include "base/file_names.h"
#include "launch/profiler_variables.h"
#include "launch/trace_folders.h"
#include "launch/tracy_tools.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using launch::value_in;

Check check_tools(const std::vector<std::string>& environment) {
  const std::string folder = launch::tools_folder("", environment);
  if (folder.empty() && !has_simulator())
    return {CheckStatus::kNote, "capture tools", "TT_METAL_HOME is not set", kNoSimulator, ""};
  if (folder.empty()) {
    return {CheckStatus::kOk, "capture tools", "TT_METAL_HOME is not set",
            "ttscope trace uses its own recorder, and simulated devices where ttnn is absent", ""};
  }
  if (const auto tools = launch::find_tracy_tools(folder))
    return {CheckStatus::kOk, "capture tools", tools->capture, "ttscope trace uses Tracy's tools", ""};
  std::error_code error;
  const bool is_built = fs::is_directory(folder, error);
  return {CheckStatus::kProblem, "capture tools",
          folder + (is_built ? ": no capture tool in it" : ": no such folder"),
          "no host data of tt-metal's own client can be captured: this is no Tracy build",
          "cmake . -DENABLE_TRACY=ON && ninja install, in TT_METAL_HOME"};
}

void check_variables(const std::vector<std::string>& environment, Diagnosis& diagnosis) {
  const auto conflicts = launch::conflicts_in(environment);
  for (const launch::ProfilerVariable& variable : launch::profiler_variables()) {
    const auto value = value_in(environment, variable.name);
    Check check{CheckStatus::kOk, std::string(variable.name), value.value_or("not set"),
                launch::consequence_of(variable, environment), ""};
    const bool is_set_by_trace = variable.standard.starts_with("ttscope trace sets");
    if (!value && !variable.option.empty() && !is_set_by_trace)
      check.fix = fmt::format("ttscope trace {}", variable.option);
    const auto refused = std::find_if(conflicts.begin(), conflicts.end(),
                                      [&](const auto& one) { return one.first == variable.name; });
    // What is refused has no other consequence; it is told below.
    if (refused == conflicts.end()) diagnosis.checks.push_back(std::move(check));
  }
  for (const launch::VariableConflict& conflict : conflicts) {
    diagnosis.checks.push_back({CheckStatus::kProblem, conflict.first,
                                value_in(environment, conflict.first).value_or("set"), conflict.reason,
                                conflict.fix});
  }
  const auto prints = value_in(environment, "TT_METAL_DPRINT_CORES");
  const bool has_conflict = std::any_of(conflicts.begin(), conflicts.end(),
                                        [](const auto& one) { return one.first == "TT_METAL_DPRINT_CORES"; });
  // Where the profiler was switched off by hand, ttscope trace leaves it off.
  const bool would_profile = !value_in(environment, "TT_METAL_DEVICE_PROFILER");
  if (prints && !prints->empty() && !has_conflict && would_profile) {
    diagnosis.checks.push_back({CheckStatus::kProblem, "TT_METAL_DPRINT_CORES", *prints,
                                "kernel prints exclude the device profiler, which ttscope trace switches on",
                                "unset TT_METAL_DPRINT_CORES"});
  }
}

/// Whether the devices kept what the last run sent them, by its logs: what the shell says is of another run.
void check_last_ops(const std::string& logs, bool has_device, Diagnosis& diagnosis) {
  const std::string output = end_of_output(logs + "/" + launch::kOutputLog);
  const DropWarnings warnings = drop_warnings_in(output);
  // Also buffers whose content went to no file were full.
  if (!has_device && warnings.count == 0) return;
  const DroppedPrograms dropped = dropped_programs(logs, warnings);
  Check check{CheckStatus::kOk, "ops of the last run", "", "no marker was dropped", ""};
  check.found = dropped.ops == 0 ? "none is told by the host (with -r those of ttnn are)"
                : dropped.without_data == 0
                    ? fmt::format("{}, all with device data", dropped.ops)
                    : fmt::format("{} of {} without device data", dropped.without_data, dropped.ops);
  if (warnings.count > 0) {
    const AdvisedCount advised = advised_support_count(dropped, warnings);
    check.status = CheckStatus::kProblem;
    check.means = fmt::format("markers were dropped: {} buffers were full", warnings.count);
    if (!advised.doubt.empty()) check.means += fmt::format("; it may take more: {}", advised.doubt);
    check.fix = fmt::format("ttscope trace --op-support-count {}", advised.count);
  } else if (dropped.without_data > 0 && dropped.has_empty_log) {
    check.status = CheckStatus::kNote;
    check.means =
        "the device log has no row, as where replays of traces alone are recorded and there was none";
  } else if (dropped.without_data > 0 && output.find(kDevicesOfOneProcess) != std::string::npos) {
    check.status = CheckStatus::kProblem;
    check.means = "several processes used devices at a time, and a run records those of one";
    check.fix = "let one process at a time have its devices open, or trace each by itself (-o)";
  } else if (dropped.without_data > 0) {
    check.status = CheckStatus::kProblem;
    check.means = "the program ended before the devices were read";
    check.fix = "close devices before the program ends, or call ttnn.ReadDeviceProfiler(device)";
  }
  diagnosis.checks.push_back(std::move(check));
}

void check_last_run(const std::vector<std::string>& environment, Diagnosis& diagnosis) {
  const launch::TraceFolders folders = launch::trace_folders("", environment, std::time(nullptr));
  std::error_code error;
  const fs::path logs = folders.logs;
  const bool has_device = fs::exists(logs / profiler_names::kDeviceLog, error);
  check_last_ops(folders.logs, has_device, diagnosis);
  if (!has_device) return;
  if (uses_simulated_chips(folders.logs)) {
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
