#include "cli/profiler_modes.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/report_name.h"
#include "app/run_folder.h"
#include "app/script_command.h"
#include "capture/program_path.h"
#include "cli/capture_session.h"
#include "cli/cmd_analyze.h"
#include "cli/environment.h"
#include "cli/help_text.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

std::string script_usage_problem(const ParsedArgs& args) {
  if (args.has("--analyze") || args.has("--visualize")) return "choose a script, --analyze or --visualize";
  if (args.has("--output-dir") && args.value("--output-dir").empty()) return "--output-dir needs a folder";
  if (args.has("--name") && !app::is_plain_name(args.value("--name"))) {
    return fmt::format("--name {}: expected a plain file name", args.value("--name"));
  }
  return {};
}

int run_script(const ParsedArgs& args) {
  const std::string& script = args.positionals.front();
  struct stat facts {};
  if (stat(script.c_str(), &facts) != 0) {
    complain("Script not found: " + script);
    return capture::kNotFound;
  }
  if (S_ISDIR(facts.st_mode)) {
    complain(script + ": is a folder, not a script");
    return capture::kNotRunnable;
  }
  std::vector<std::string> command = app::script_command(
      {script, {args.positionals.begin() + 1, args.positionals.end()}, own_environment()});
  return capture_command(capture_request(args, std::move(command), app::name_of_command({script}))).exit_code;
}

/// Options that only a script has.
const std::vector<OptionSpec>& script_options() {
  static const std::vector<OptionSpec> kOptions = {
      {"--log", "", "with MODEL.py: capture the log only, no report", ValueKind::kText, {}},
      {"--compress", "", "with MODEL.py: write the log as zstd", ValueKind::kText, {}},
      {"--no-library", "", "with MODEL.py: do not keep the report in the library too", ValueKind::kText, {}},
      {"-q,--quiet", "", "with MODEL.py: no status line, no summary", ValueKind::kText, {}},
  };
  return kOptions;
}

}  // namespace

CommandSpec profiler_spec() {
  CommandSpec spec = analyze_spec();
  spec.summary = "run a model and report on its memory; --log, --analyze, --visualize";
  spec.description =
      "With MODEL.py: runs it with the variables that make the log useful and writes "
      "./logs/NAME_YYYYMMDD_HHMMSS/ "
      "(or below --output-dir) with NAME_profile.log and the report; all after MODEL.py are its arguments. "
      "With "
      "--analyze: profiles a log and writes the report folder NAME into $TTMEM_HOME/reports, or "
      "~/.ttmem/reports; the same log replaces its own report, another log with the same name gets NAME-2.";
  spec.positional = {"MODEL.py", "the script to run, and its arguments", 0, 1000000, ValueKind::kFile, {},
                     true};
  spec.options.insert(spec.options.begin(), script_options().begin(), script_options().end());
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

int run_profiler(const ParsedArgs& args) {
  const auto& options = script_options();
  const auto given = std::find_if(options.begin(), options.end(),
                                  [&](const OptionSpec& option) { return args.has(option.key()); });
  if (!args.positionals.empty()) {
    const std::string problem = script_usage_problem(args);
    if (problem.empty()) return run_script(args);
    complain(problem);
    return kUsage;
  }
  if (given != options.end()) {
    complain(
        fmt::format("{} goes with a script: tt-memory-profiler {} MODEL.py", given->key(), given->key()));
    return kUsage;
  }
  if (args.values.empty()) {
    say(help_text(profiler_spec()));
    return kUsage;
  }
  return run_analyze(args);
}

}  // namespace ttscope::cli
