#include "cli/cmd_ttmem.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text_escape.h"
#include "base/writer.h"
#include "cli/cmd_analyze.h"
#include "cli/cmd_help.h"
#include "cli/help_text.h"
#include "cli/profile_run.h"
#include "cli/report_library.h"
#include "cli/report_name.h"
#include "cli/terminal.h"
#include "output/markdown/mem_markdown.h"

namespace ttscope::cli {
namespace {

int usage_error(std::string_view message) {
  say(fmt::format("{}\n{}", message, usage_line(ttmem_spec())));
  return kUsage;
}

/// The complaints that scripts around `ttmem --llm` know; empty when the file can be read.
std::string complaint_about(const std::string& path) {
  if (path == "-") return {};
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return "Error: File not found: " + path;
  if (S_ISDIR(facts.st_mode)) return "Error: Not a file: " + path;
  if (access(path.c_str(), R_OK) != 0) return "Error: File is not readable: " + path;
  if (S_ISREG(facts.st_mode) && facts.st_size == 0) return "Error: File is empty: " + path;
  return {};
}

Result<void> write_report(const ProfiledLog& log, const std::string& name, const std::string& path) {
  Result<std::unique_ptr<Writer>> writer = open_writer(path);
  if (!writer) return failure(writer.error());
  output::write_mem_markdown(log.trace, log.profile, name, **writer);
  return forgive_closed_pipe((*writer)->finish(), path);
}

int run_llm(const std::string& log_path, const std::string& out_path) {
  const std::string complaint = complaint_about(log_path);
  if (!complaint.empty()) {
    say(terminal_safe(complaint) + "\n");
    return kFailed;
  }
  const Result<ProfiledLog> log = profile_logs({{log_path}, 0, true});
  if (!log) {
    complain(log.error().message);
    return kFailed;
  }
  Result<void> written = write_report(*log, report_name(log_path), out_path);
  if (written && out_path != "-") say(fmt::format("LLM report written to: {}\n", terminal_safe(out_path)));
  const Result<std::string> library = library_folder();
  if (written && !library) written = failure(library.error());
  if (written) {
    const Result<ReportFolder> kept = write_report_folder(*log, *library, log_path);
    if (!kept) written = failure(kept.error());
  }
  if (written) return kOk;
  complain(written.error().message);
  return kFailed;
}

}  // namespace

CommandSpec ttmem_spec() {
  CommandSpec spec;
  spec.program = "ttmem";
  spec.summary = "markdown report (--llm) or report folder of one log";
  spec.description =
      "Profiles the device memory of a TT-XLA runtime log. With --llm the markdown report goes to standard "
      "output; with "
      "LOG alone the report folder is written. Both keep the per-op files in the library of reports: "
      "$TTMEM_HOME/reports or ~/.ttmem/reports.";
  spec.positional = {"LOG", "log file; writes the report folder", 0, 1, ValueKind::kFile, {}};
  spec.options = {
      {"--llm", "", "write the markdown report instead; needs --logfile", ValueKind::kText, {}},
      {"--logfile", "LOG", "the log to report on", ValueKind::kFile, {}},
      {"-o,--output-file",
       "OUT",
       "write the report there instead of to standard output",
       ValueKind::kFile,
       {}},
      {"--version", "", "show the version", ValueKind::kText, {}},
  };
  spec.examples =
      "Examples:\n"
      "  ttmem --llm --logfile run_profile.log\n"
      "  ttmem --llm --logfile run_profile.log -o report.md\n"
      "  ttmem run_profile.log\n"
      "\n"
      "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage\n"
      "See also: ttscope mem --help\n";
  return spec;
}

int run_ttmem(const ParsedArgs& args) {
  if (args.has("--version")) return print_version();
  if (args.has("--llm")) {
    if (!args.positionals.empty()) return usage_error("Error: --llm takes its log by --logfile");
    if (args.value("--logfile").empty()) return usage_error("Error: --llm requires --logfile");
    if (args.has("--output-file") && args.value("--output-file").empty())
      return usage_error("Error: -o needs a path");
    if (is_one_of(args.value("--output-file"), {args.value("--logfile")})) {
      return usage_error("Error: -o would overwrite the log");
    }
    return run_llm(args.value("--logfile"), args.value("--output-file", "-"));
  }
  if (args.has("--logfile") || args.has("--output-file")) {
    return usage_error(
        "Error: --logfile and -o go with --llm; for the report folder give the log alone: ttmem LOG");
  }
  if (!args.positionals.empty()) return analyze_log(args.positionals.front(), {});
  say(help_text(ttmem_spec()));
  return kUsage;
}

}  // namespace ttscope::cli
