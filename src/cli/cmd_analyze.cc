#include "cli/cmd_analyze.h"

#include <fmt/format.h>

#include "base/text_escape.h"
#include "cli/cmd_help.h"
#include "cli/help_text.h"
#include "cli/profile_run.h"
#include "cli/report_library.h"
#include "cli/summary.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

constexpr int kTopRows = 5;

std::string report_text(const ReportFolder& report) {
  std::string text = fmt::format("\nReport folder\n  {}\n", terminal_safe(report.path));
  for (const std::string& file : report.files) {
    text += fmt::format("    {}\n", terminal_safe(file.substr(file.rfind('/') + 1)));
  }
  return text;
}

Result<ReportFolder> write_folder(const ProfiledLog& log, const std::string& log_path,
                                  const std::string& base) {
  if (!base.empty()) return write_report_folder(log, base, log_path);
  const Result<std::string> library = library_folder();
  if (!library) return failure(library.error());
  return write_report_folder(log, *library, log_path);
}

}  // namespace

int analyze_log(const std::string& log_path, const std::string& base) {
  const Result<ProfiledLog> log = profile_logs({{log_path}, 0, true});
  if (!log) {
    complain(log.error().message);
    return kFailed;
  }
  const Result<ReportFolder> report = write_folder(*log, log_path, base);
  if (!report) {
    complain(report.error().message);
    return kFailed;
  }
  const Result<void> printed = print(summary_text(*log, "auto", kTopRows) + report_text(*report));
  if (printed) return kOk;
  complain(printed.error().message);
  return kFailed;
}

CommandSpec analyze_spec() {
  CommandSpec spec;
  spec.program = "tt-memory-profiler";
  spec.summary = "report folder of one log (--analyze)";
  spec.description =
      "Profiles the device memory of a TT-XLA runtime log and writes the report folder NAME into "
      "$TTMEM_HOME/reports, or "
      "~/.ttmem/reports: the per-op files and the markdown report. The same log replaces its own report; "
      "another log "
      "with the same name gets NAME-2.";
  spec.options = {
      {"--analyze", "LOG", "the log to report on", ValueKind::kFile, {}},
      {"--output-dir", "DIR", "write the report folder into DIR instead", ValueKind::kFolder, {}},
      {"--version", "", "show the version", ValueKind::kText, {}},
  };
  spec.examples =
      "Example:\n"
      "  tt-memory-profiler --analyze run_profile.log\n"
      "\n"
      "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage\n"
      "See also: ttscope mem --help\n";
  return spec;
}

int run_analyze(const ParsedArgs& args) {
  if (args.has("--version")) return print_version();
  if (args.has("--output-dir") && args.value("--output-dir").empty()) {
    complain("--output-dir needs a folder");
    return kUsage;
  }
  if (!args.value("--analyze").empty())
    return analyze_log(args.value("--analyze"), args.value("--output-dir"));
  if (args.has("--analyze")) {
    complain("--analyze needs a log file");
    return kUsage;
  }
  say(help_text(analyze_spec()));
  return kUsage;
}

}  // namespace ttscope::cli
