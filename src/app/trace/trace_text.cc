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

std::string overhead_text(const char* what, const ProfilingOverhead& overhead) {
  if (overhead.zones == 0) return {};
  return fmt::format("  {}: about {:.1f} % of the time in zones, or less ({}, each {:.0f} ns{})\n", what,
                     overhead.percent, report::counted(overhead.zones, "zone"), overhead.zone_cost_ns,
                     overhead.is_longest_cost ? ", the most that marks take" : ", as the shortest");
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
  const std::string overhead = overhead_text("host", report.host) + overhead_text("device", report.device);
  if (!overhead.empty()) text += "Profiling overhead (modelled)\n" + overhead;
  for (const LogRemedy& remedy : end.remedies)
    text += fmt::format("{}\n  -> {}\n", remedy.what, remedy.remedy);
  const std::string folder = terminal_safe(end.folders.artifacts);
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
