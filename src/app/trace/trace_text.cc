#include "app/trace/trace_text.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/shell_text.h"
#include "base/text_escape.h"
#include "capture/profiler_variables.h"
#include "report/number_text.h"
#include "report/simulated_chips.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;

std::string overhead_text(const ProfilingOverhead& host, const ProfilingOverhead& device) {
  std::string text;
  if (host.zones > 0) {
    const std::size_t others = host.zones - host.python_zones;
    text += fmt::format("  host: about {:.1f} % of the time in zones (", host.percent);
    if (host.python_zones > 0)
      text += fmt::format("{} of Python, about {:.0f} us each", report::counted(host.python_zones, "zone"),
                          kPythonZoneCostNs / 1000);
    if (others > 0)
      text += fmt::format("{}{}{}, about {:.0f} ns each", host.python_zones > 0 ? "; " : "",
                          report::counted(others, "zone"), host.python_zones > 0 ? " of others" : "",
                          kHostZoneCostNs);
    text += ")\n";
  }
  if (device.zones > 0)
    text += fmt::format("  device: about {:.1f} % of the time in zones ({}, about {:.0f} ns each)\n",
                        device.percent, report::counted(device.zones, "zone"), kDeviceZoneCostNs);
  return text.empty() ? text : "Profiling overhead (modelled)\n" + text;
}

}  // namespace

std::string labelled_command(const char* label, const std::vector<std::string>& command) {
  return fmt::format("{}: {}\n", label, shell_command(command));
}

std::string trace_start_text(const TraceStart& start) {
  std::string text = fmt::format(
      "Tracing with {}{}; logs go to {}\n", start.has_tools ? "Tracy's capture tool" : "our recorder",
      start.plan.device ? "" : ", without devices", terminal_safe(start.folders.logs));
  if (!start.plan.legacy_reasons.empty()) {
    text += "Ops are measured by the device log, because of:";
    for (std::size_t i = 0; i < start.plan.legacy_reasons.size(); ++i)
      text += fmt::format("{} {}", i == 0 ? "" : ",", start.plan.legacy_reasons[i]);
    text += '\n';
  }
  if (!start.verbose) return text;
  text += labelled_command("Program", start.command);
  for (const capture::ProfilerVariable& variable : capture::profiler_variables()) {
    if (const auto value = capture::value_in(start.plan.environment, variable.name))
      text += fmt::format("  {}={}\n", variable.name, terminal_safe(*value));
  }
  return text;
}

std::string trace_end_text(const TraceEnd& end) {
  const TraceReport& report = end.report;
  std::string text;
  std::string files;
  for (const std::string& file : report.files) {
    if (!report.folder.empty() && fs::path(file).parent_path() == report.folder)
      files += fmt::format("  {}\n", terminal_safe(fs::path(file).filename().string()));
  }
  // A full disk leaves a folder without any.
  if (!files.empty()) {
    text += fmt::format("\nReport: {}\n{}", terminal_safe(report.folder), files);
    if (report.is_ops_report)
      text += fmt::format("  {}, {}\n", report::counted(report.ops, "op row"),
                          report::counted(report.signposts, "signpost"));
  } else {
    text += fmt::format("\nLogs: {}\n", terminal_safe(end.folders.logs));
  }
  if (report.has_simulated_chips)
    text += fmt::format("The chips were simulated: {}\n", report::kTimesAreModelled);
  text += overhead_text(report.host, report.device);
  for (const LogRemedy& remedy : end.remedies)
    text += fmt::format("{}\n  -> {}\n", remedy.what, remedy.remedy);
  const std::string folder = terminal_safe(shell_word(end.folders.artifacts));
  if (!report.has_recording) {
    text += "Nothing was recorded: no mark and no op came from the program\n";
    return text;
  }
  const bool has_ops = report.ops > 0 || report.device.zones > 0;
  text += fmt::format("Next: {}ttscope timeline {} -o run.html\n",
                      has_ops ? fmt::format("ttscope perf {}; ", folder) : std::string(), folder);
  return text;
}

}  // namespace ttscope::app
