#include "cli/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/trace/log_remedies.h"
#include "base/text_escape.h"
#include "capture/profiler_variables.h"
#include "cli/capture_text.h"
#include "report/number_text.h"

namespace ttscope::cli {
namespace {

namespace fs = std::filesystem;

app::RunFacts facts_of(const TraceEnd& end) {
  app::RunFacts facts;
  const auto& environment = end.plan.environment;
  facts.support_count = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(capture::support_count(environment).kept, UINT32_MAX));
  facts.logs = end.folders.logs;
  facts.synchronised = capture::is_on(environment, "TT_METAL_PROFILER_SYNC");
  facts.simulated = end.report.has_simulated_chips;
  facts.has_host = end.report.host.zones > 0;
  facts.has_device = end.report.device.zones > 0;
  return facts;
}

std::string overhead_text(const char* what, const app::ProfilingOverhead& overhead) {
  if (overhead.zones == 0) return {};
  return fmt::format("  {}: about {:.1f} % of the time in zones, or less ({}, each {:.0f} ns{})\n", what,
                     overhead.percent, report::counted(overhead.zones, "zone"), overhead.zone_cost_ns,
                     overhead.is_longest_cost ? ", the most that marks take" : ", as the shortest");
}

}  // namespace

std::string labelled_command(const char* label, const std::vector<std::string>& command) {
  return fmt::format("{}: {}\n", label, command_text(command));
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
  const app::TraceReport& report = end.report;
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
    text += "The chips were simulated: times of devices are modelled, not those of a board\n";
  const std::string overhead = overhead_text("host", report.host) + overhead_text("device", report.device);
  if (!overhead.empty()) text += "Profiling overhead (modelled)\n" + overhead;
  const std::vector<app::LogRemedy> remedies =
      app::remedies_for_log(app::end_of_output(end.output_log), facts_of(end));
  for (const app::LogRemedy& remedy : remedies)
    text += fmt::format("{}\n  -> {}\n", remedy.what, remedy.remedy);
  const std::string folder = terminal_safe(end.folders.artifacts);
  if (!report.has_recording) {
    text += "Nothing was recorded: the program marked nothing and ran no op\n";
    return text;
  }
  const bool has_ops = report.ops > 0 || report.device.zones > 0;
  text += fmt::format("Next: {}ttscope timeline {} -o run.html\n",
                      has_ops ? fmt::format("ttscope perf {}; ", folder) : std::string(), folder);
  return text;
}

}  // namespace ttscope::cli
