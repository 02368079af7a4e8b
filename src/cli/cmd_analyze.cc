#include "cli/cmd_analyze.h"

#include <fmt/format.h>

#include "app/report_name.h"
#include "base/text_escape.h"
#include "cli/cmd_help.h"
#include "cli/environment.h"
#include "cli/given_inputs.h"
#include "cli/help_text.h"
#include "cli/page_options.h"
#include "cli/profile_run.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "cli/visualize.h"

namespace ttscope::cli {
namespace {

std::string page_text(const app::ReportFolder& report) {
  return fmt::format("\nReport page\n  {}\n\n", terminal_safe(report.page));
}

std::string report_text(const app::ReportFolder& report) {
  std::string text = page_text(report) + fmt::format("Report folder\n  {}\n", terminal_safe(report.path));
  for (const std::string& file : report.files) {
    text += fmt::format("    {}\n", terminal_safe(file.substr(file.rfind('/') + 1)));
  }
  return text;
}

Result<app::ReportFolder> write_folder(const mem::Profile& log, const std::string& log_path,
                                       const std::string& base) {
  if (!base.empty()) return app::write_report_folder(log, {base, log_path}, page_options({}));
  const Result<std::string> library = app::library_folder(own_environment());
  if (!library) return failure(library.error());
  return app::write_report_folder(log, {*library, log_path, true}, page_options({}));
}

/// What is wrong with options that were read; empty when they go together.
std::string usage_problem(const ParsedArgs& args) {
  const auto is_empty = [&](std::string_view key) { return args.has(key) && args.value(key).empty(); };
  if (is_empty("--output-dir")) return "--output-dir needs a folder";
  if (is_empty("--analyze")) return "--analyze needs a log file";
  if (is_empty("--visualize")) return "--visualize needs a folder";
  if (args.has("--analyze") && args.has("--visualize")) return "choose one of --analyze and --visualize";
  if (args.has("--output-dir") && args.has("--visualize")) {
    return "--output-dir goes with --analyze; --visualize writes into the folder it reads";
  }
  if (args.has("--name") && !args.has("--visualize")) return "--name goes with --visualize";
  if (args.has("--name") && !app::is_plain_name(args.value("--name"))) {
    return fmt::format("--name {}: expected a plain file name", args.value("--name"));
  }
  return {};
}

}  // namespace

Result<app::ReportFolder> report_on_log(const std::string& log_path, const std::string& base,
                                        ReportText form) {
  const Result<mem::Profile> log = profile_logs({log_path}, {.live_totals = true});
  if (!log) return failure(log.error());
  Result<app::ReportFolder> report = write_folder(*log, log_path, base);
  if (!report) return report;
  const Result<void> printed =
      print(form == ReportText::kBrief ? brief_text(*log) + page_text(*report)
                                       : summary_text(*log, "auto", kTopRows) + report_text(*report));
  if (!printed) return failure(printed.error());
  return report;
}

int analyze_log(const std::string& log_path, const std::string& base) {
  const Result<app::ReportFolder> report = report_on_log(log_path, base, ReportText::kFull);
  if (report) return kOk;
  return fail_reading(report.error(), {log_path}, app::Subject::kMem);
}

CommandSpec analyze_spec() {
  CommandSpec spec;
  spec.program = "tt-memory-profiler";
  spec.summary = "report folder of a log, or page of a run";
  spec.description =
      "Profiles the device memory of a TT-XLA runtime log and writes the report folder NAME into "
      "$TTMEM_HOME/reports, or "
      "~/.ttmem/reports: the per-op files, the markdown report and the page NAME_report.html. The same log "
      "replaces its own report; "
      "another log "
      "with the same name gets NAME-2. With --visualize the page is made from the JSON files of a run, also "
      "those that the Python tool wrote.";
  spec.options = {
      {"--analyze", "LOG", "the log to report on", ValueKind::kFile, {}},
      {"--output-dir", "DIR", "write the report folder into DIR instead", ValueKind::kFolder, {}},
      {"--visualize",
       "DIR",
       "write NAME_report.html into DIR from the four JSON files of a run there",
       ValueKind::kFolder,
       {}},
      {"--name", "NAME", "the run to show, where DIR holds several", ValueKind::kText, {}},
      {"--version", "", "show the version", ValueKind::kText, {}},
  };
  spec.examples =
      "Examples:\n"
      "  tt-memory-profiler --analyze run_profile.log\n"
      "  tt-memory-profiler --visualize ~/.ttmem/reports/run\n"
      "\n"
      "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage, 4 nothing found\n"
      "See also: ttscope mem --help\n";
  return spec;
}

int run_analyze(const ParsedArgs& args) {
  if (args.has("--version")) return print_version();
  if (const std::string problem = usage_problem(args); !problem.empty()) {
    complain(problem);
    return kUsage;
  }
  if (args.has("--visualize")) return visualize_run(args.value("--visualize"), args.value("--name"));
  if (args.has("--analyze")) return analyze_log(args.value("--analyze"), args.value("--output-dir"));
  say(help_text(analyze_spec()));
  return kUsage;
}

}  // namespace ttscope::cli
