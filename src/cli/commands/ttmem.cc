#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/captured_run.h"
#include "app/report_library.h"
#include "base/result.h"
#include "base/text.h"
#include "base/writer.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/commands/run.h"
#include "cli/inputs.h"
#include "cli/mem_profiles.h"
#include "cli/menu/menu.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "launch/child.h"
#include "mem/load.h"
#include "mem/read/ttmem_files.h"
#include "mem/write/markdown.h"

namespace ttscope::cli {
namespace {

namespace fs = std::filesystem;

/// Writes the page and returns its path.
Result<std::string> write_page(const std::string& folder, const std::string& name) {
  ASSIGN_OR_RETURN(const mem::Profile run, mem::load_run(folder, {.run_name = name}));
  const std::string path = app::page_path(folder, name);
  const Result<void> written =
      write_file(path, [&](Writer& out) { mem::write_mem_page(run, out, page_options(name)); });
  if (!written) return failure(written.error());
  return path;
}

/// `tt-memory-profiler --visualize DIR`: writes NAME_report.html into the folder of a run, from its four
/// files alone. `name` is empty where the folder holds one run. Returns the exit code.
int visualize_run(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    say(fmt::format("Error: Run directory not found: {}\n", terminal_safe(folder)));
    return kFailed;
  }
  const Result<std::string> chosen = name.empty() ? mem::find_run_name(folder) : Result<std::string>(name);
  if (!chosen) return fail(chosen.error());
  const Result<std::string> page = write_page(folder, *chosen);
  if (!page) return fail(page.error());
  const std::string whole = fs::absolute(*page, ignored).lexically_normal().string();
  return answer(fmt::format("Generated: {}\nfile://{}\n", terminal_safe(*page), terminal_safe(whole)));
}

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
  ASSIGN_OR_RETURN(const std::string library, app::library_folder(own_environment()));
  return app::write_report_folder(log, {library, log_path, true}, page_options({}));
}

/// What `tt-memory-profiler` is asked: to run a script, to report on a log, or to show a run.
struct ProfilerOptions {
  app::CaptureRequest request;
  std::vector<std::string> words;  ///< the script and its arguments
  std::optional<std::string> log;
  std::optional<std::string> folder;
  std::optional<std::string> run;
  std::optional<std::string> name;
  bool version = false;
  GivenOptions given;
};

bool is_empty(const std::optional<std::string>& text) { return text && text->empty(); }

/// What is wrong with options that were read; empty when they go together.
std::string usage_problem(const ProfilerOptions& options) {
  if (is_empty(options.folder)) return "--output-dir needs a folder";
  if (is_empty(options.log)) return "--analyze needs a log file";
  if (is_empty(options.run)) return "--visualize needs a folder";
  if (options.log && options.run) return "choose one of --analyze and --visualize";
  if (options.folder && options.run) {
    return "--output-dir goes with --analyze; --visualize writes into the folder it reads";
  }
  if (options.name && !options.run) return "--name goes with --visualize";
  if (options.name && !app::is_plain_name(*options.name)) {
    return wrong_value("--name", *options.name, "a plain file name");
  }
  return {};
}

}  // namespace

Result<app::ReportFolder> report_on_log(const std::string& log_path, const std::string& base,
                                        ReportText form) {
  ASSIGN_OR_RETURN(const mem::Profile log, profile_logs({log_path}, {.live_totals = true}));
  Result<app::ReportFolder> report = write_folder(log, log_path, base);
  if (!report) return report;
  RETURN_IF_ERROR(print(form == ReportText::kBrief
                            ? brief_text(log) + page_text(*report)
                            : summary_text(log, "auto", kTopRows) + report_text(*report)));
  return report;
}

namespace {

struct TtmemOptions {
  std::vector<std::string> logs;
  std::optional<std::string> log_file;
  std::optional<std::string> output;
  bool llm = false;
  bool version = false;
};

CommandSpec describe_ttmem(TtmemOptions& options);

int usage_error(std::string_view message) {
  TtmemOptions unused;
  say(fmt::format("{}\n{}", message, usage_line(describe_ttmem(unused))));
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

Result<void> write_report(const mem::Profile& profile, const std::string& name, const std::string& path) {
  ASSIGN_OR_RETURN(std::unique_ptr<Writer> writer, open_writer(path));
  mem::write_mem_markdown(profile.log, profile.memory, name, *writer);
  return ignore_closed_pipe(writer->finish(), path);
}

Result<app::ReportFolder> keep_in_library(const mem::Profile& log, const std::string& log_path) {
  ASSIGN_OR_RETURN(const std::string library, app::library_folder(own_environment()));
  return app::write_report_folder(log, {library, log_path, true}, page_options({}));
}

int run_llm(const std::string& log_path, const std::string& out_path) {
  if (const Result<void> checked = check_for_llm(log_path); !checked) {
    say(terminal_safe(checked.error().message) + "\n");
    return exit_code_of(checked.error());
  }
  const bool is_talking = out_path != "-";
  if (is_talking) say(fmt::format("Parsing log file: {}\n", terminal_safe(log_path)));
  const Result<mem::Profile> log = profile_logs({log_path}, {.live_totals = true});
  if (!log) return fail_reading(log.error(), log_path);
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
  return fail_reading(report.error(), log_path);
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

CommandSpec describe_ttmem(TtmemOptions& options) {
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
  spec.positional = {"LOG", "log file; writes the report folder", 0, 1};
  spec.arguments = &options.logs;
  spec.options = {
      flag_option("--llm", options.llm, "write the markdown report instead; needs --logfile"),
      text_option("--logfile", "LOG", options.log_file, "the log to report on", ValueKind::kFile),
      text_option("-o,--output-file", "OUT", options.output,
                  "write the report there instead of to standard output", ValueKind::kFile),
      flag_option("--version", options.version, "show the version"),
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

int run_ttmem(TtmemOptions& options) {
  if (options.version) return print_version();
  if (options.llm) {
    if (!options.logs.empty()) return usage_error("Error: --llm takes its log by --logfile");
    if (options.log_file.value_or("").empty()) return usage_error("Error: --llm requires --logfile");
    if (is_empty(options.output)) return usage_error("Error: -o needs a path");
    if (options.output && is_one_of(*options.output, {*options.log_file}))
      return usage_error("Error: -o would overwrite the log");
    return run_llm(*options.log_file, options.output.value_or("-"));
  }
  if (options.log_file || options.output) {
    return usage_error(
        "Error: --logfile and -o go with --llm; for the report folder give the log alone: ttmem LOG");
  }
  if (!options.logs.empty()) return report_and_ask(options.logs.front());
  if (can_ask()) return run_menu();
  say(kWithoutTerminal);
  return kUsage;
}

std::string script_usage_problem(const ProfilerOptions& options) {
  if (options.log || options.run) return "choose a script, --analyze or --visualize";
  if (is_empty(options.folder)) return "--output-dir needs a folder";
  if (options.name && !app::is_plain_name(*options.name))
    return wrong_value("--name", *options.name, "a plain file name");
  return {};
}

int run_script(ProfilerOptions& options) {
  const std::string& script = options.words.front();
  struct stat facts {};
  if (stat(script.c_str(), &facts) != 0) {
    complain("Script not found: " + script);
    return launch::kNotFound;
  }
  if (S_ISDIR(facts.st_mode)) {
    complain(script + ": is a folder, not a script");
    return launch::kNotRunnable;
  }
  app::CaptureRequest request = std::move(options.request);
  request.command =
      app::script_command({script, {options.words.begin() + 1, options.words.end()}, own_environment()});
  request.name = options.name.value_or(app::name_of_command({script}));
  request.base = options.folder.value_or("");
  return capture_command(std::move(request)).exit_code;
}

CommandSpec describe_profiler(ProfilerOptions& options) {
  CommandSpec spec;
  spec.program = "tt-memory-profiler";
  spec.summary = "run a model and report on its memory; --log, --analyze, --visualize";
  spec.description =
      "With MODEL.py: runs it with the variables that make the log useful and writes "
      "./logs/NAME_YYYYMMDD_HHMMSS/ "
      "(or below --output-dir) with NAME_profile.log and the report; all after MODEL.py are its arguments. "
      "With "
      "--analyze: profiles a log and writes the report folder NAME into $TTMEM_HOME/reports, or "
      "~/.ttmem/reports; the same log replaces its own report, another log with the same name gets NAME-2.";
  spec.positional = {"MODEL.py", "the script to run, and its arguments", 0, kManyArguments};
  spec.positional.takes_rest = true;
  spec.arguments = &options.words;
  spec.given = &options.given;
  spec.options = {
      flag_option("--log", options.request.log_only, "with MODEL.py: capture the log only, no report"),
      flag_option("--compress", options.request.compress, "with MODEL.py: write the log as zstd"),
      flag_option("--no-library", options.request.keep_in_library,
                  "with MODEL.py: do not keep the report in the library too", false),
      flag_option("-q,--quiet", options.request.quiet, "with MODEL.py: no status line, no summary"),
      text_option("--analyze", "LOG", options.log, "the log to report on", ValueKind::kFile),
      text_option("--output-dir", "DIR", options.folder, "write the report folder into DIR instead",
                  ValueKind::kFolder),
      text_option("--visualize", "DIR", options.run,
                  "write NAME_report.html into DIR from the four JSON files of a run there",
                  ValueKind::kFolder),
      text_option("--name", "NAME", options.name, "the run to show, where DIR holds several"),
      flag_option("--version", options.version, "show the version"),
  };
  spec.examples =
      "Examples:\n"
      "  tt-memory-profiler path/to/model.py --batch 8\n"
      "  tt-memory-profiler --log path/to/model.py\n"
      "  tt-memory-profiler --output-dir /data/runs path/to/model.py\n"
      "  tt-memory-profiler --analyze logs/model_20260122_143957/model_profile.log\n"
      "\n"
      "Exit codes: of MODEL.py, with 125 our part failed, 126 and 127 not started;\n"
      "else 0 ok, 1 bad input or failed output, 2 wrong usage, 4 nothing found\n"
      "See also: ttscope run --help, ttscope mem --help\n";
  return spec;
}

int run_profiler(ProfilerOptions& options) {
  if (!options.words.empty()) {
    const std::string problem = script_usage_problem(options);
    if (problem.empty()) return run_script(options);
    complain(problem);
    return kUsage;
  }
  for (const std::string_view key : {"--log", "--compress", "--no-library", "--quiet"}) {
    if (options.given.find(key) == options.given.end()) continue;
    complain(fmt::format("{} goes with a script: tt-memory-profiler {} MODEL.py", key, key));
    return kUsage;
  }
  if (options.version) return print_version();
  if (const std::string problem = usage_problem(options); !problem.empty()) {
    complain(problem);
    return kUsage;
  }
  if (options.run) return visualize_run(*options.run, options.name.value_or(""));
  if (options.log) {
    const Result<app::ReportFolder> report =
        report_on_log(*options.log, options.folder.value_or(""), ReportText::kFull);
    return report ? kOk : fail_reading(report.error(), *options.log);
  }
  say(help_text(describe_profiler(options)));
  return kUsage;
}

}  // namespace

Command ttmem_command() { return make_command("ttmem", describe_ttmem, run_ttmem); }

Command profiler_command() { return make_command("tt-memory-profiler", describe_profiler, run_profiler); }

}  // namespace ttscope::cli
