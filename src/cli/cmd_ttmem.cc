#include "cli/cmd_ttmem.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/report_library.h"
#include "app/report_name.h"
#include "base/text_escape.h"
#include "base/writer.h"
#include "cli/cmd_analyze.h"
#include "cli/cmd_help.h"
#include "cli/environment.h"
#include "cli/given_inputs.h"
#include "cli/help_text.h"
#include "cli/menu/menu.h"
#include "cli/page_options.h"
#include "cli/profile_run.h"
#include "cli/terminal.h"
#include "mem/write/markdown/mem_markdown.h"

namespace ttscope::cli {
namespace {

int usage_error(std::string_view message) {
  say(fmt::format("{}\n{}", message, usage_line(ttmem_spec())));
  return kUsage;
}

/// The complaints that scripts around `ttmem --llm` know.
Result<void> check_for_llm(const std::string& path) {
  if (path == "-") return {};
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return failure(bad_input("Error: File not found: " + path));
  if (S_ISDIR(facts.st_mode)) return failure(bad_input("Error: Not a file: " + path));
  if (access(path.c_str(), R_OK) != 0) return failure(bad_input("Error: File is not readable: " + path));
  if (S_ISREG(facts.st_mode) && facts.st_size == 0)
    return failure(nothing_found("Error: File is empty: " + path));
  return {};
}

Result<void> write_report(const mem::Profile& log, const std::string& name, const std::string& path) {
  Result<std::unique_ptr<Writer>> writer = open_writer(path);
  if (!writer) return failure(writer.error());
  mem::write_mem_markdown(log.trace, log.memory, name, **writer);
  return forgive_closed_pipe((*writer)->finish(), path);
}

Result<app::ReportFolder> keep_in_library(const mem::Profile& log, const std::string& log_path) {
  const Result<std::string> library = app::library_folder(own_environment());
  if (!library) return failure(library.error());
  return app::write_report_folder(log, {*library, log_path, true}, page_options({}));
}

int run_llm(const std::string& log_path, const std::string& out_path) {
  if (const Result<void> checked = check_for_llm(log_path); !checked) {
    say(terminal_safe(checked.error().message) + "\n");
    return exit_code_of(checked.error());
  }
  const bool is_talking = out_path != "-";
  if (is_talking) say(fmt::format("Parsing log file: {}\n", terminal_safe(log_path)));
  const Result<mem::Profile> log = profile_logs({log_path}, {.live_totals = true});
  if (!log) return fail_reading(log.error(), {log_path}, app::Subject::kMem);
  if (const Result<void> written = write_report(*log, app::report_name(log_path), out_path); !written) {
    return fail(written.error());
  }
  const Result<app::ReportFolder> kept = keep_in_library(*log, log_path);
  if (is_talking && kept) say(fmt::format("Output directory: {}\n", terminal_safe(kept->path)));
  if (is_talking) say(fmt::format("LLM report written to: {}\n", terminal_safe(out_path)));
  if (kept) return kOk;
  return fail(kept.error());
}

int report_and_ask(const std::string& log_path) {
  const Result<app::ReportFolder> report = report_on_log(log_path, {}, ReportText::kFull);
  if (report) return ask_to_serve(report->name);
  return fail_reading(report.error(), {log_path}, app::Subject::kMem);
}

constexpr std::string_view kWithoutTerminal =
    "ttmem: the guided flow needs a terminal as standard input and output. Without one:\n"
    "  ttmem LOG                            report on a log\n"
    "  ttmem --llm --logfile LOG [-o OUT]   the same as markdown\n"
    "  ttmem list                           the reports so far\n"
    "  ttmem serve [NAME]                   show them in a browser\n"
    "  ttmem delete NAME, ttmem prune       delete reports\n"
    "  tt-memory-profiler MODEL.py          run a model and report on it\n"
    "Try `ttmem --help`.\n";

}  // namespace

CommandSpec ttmem_spec() {
  CommandSpec spec;
  spec.program = "ttmem";
  spec.summary = "asks what you want; or LOG, --llm, list, serve, delete, prune";
  spec.description =
      "Profiles the device memory of a TT-XLA runtime log. Without arguments, on a terminal, it asks what is "
      "wanted: "
      "report on a log, run a script, say how a log is made, browse the reports. With --llm the markdown "
      "report goes "
      "to standard output; with LOG alone the report folder is written, and on a terminal ttmem asks whether "
      "to serve "
      "it. All are kept in the library of reports: $TTMEM_HOME/reports or ~/.ttmem/reports.";
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
      "  ttmem\n"
      "  ttmem --llm --logfile run_profile.log\n"
      "  ttmem --llm --logfile run_profile.log -o report.md\n"
      "  ttmem run_profile.log\n"
      "\n"
      "Exit codes: 0 ok, 1 bad input or failed output, 2 wrong usage,\n"
      "4 nothing found, 130 Ctrl-C\n"
      "See also: ttmem list --help, ttmem serve --help, ttmem delete --help,\n"
      "ttmem prune --help, ttscope mem --help\n";
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
  if (!args.positionals.empty()) return report_and_ask(args.positionals.front());
  if (can_ask()) return run_menu();
  say(kWithoutTerminal);
  return kUsage;
}

}  // namespace ttscope::cli
