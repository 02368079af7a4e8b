#include "cli/cmd_last_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "app/identify.h"
#include "base/visible_writer.h"
#include "base/writer.h"
#include "cli/profile_run.h"
#include "cli/terminal.h"
#include "mem/analyse/last_run.h"
#include "mem/write/last_run/last_run_copy.h"
#include "mem/write/last_run/last_run_words.h"

namespace ttscope::cli {
namespace {

int last_run_usage_error(std::string_view message) {
  complain(message);
  say("Try `ttscope last-run --help`.\n");
  return kUsage;
}

/// What is wrong with the request; empty when it can be done.
std::string last_run_usage_problem(const ParsedArgs& args) {
  const std::string& log = args.positionals.front();
  const bool in_place = args.has("--in-place");
  if (in_place == args.has("--output")) return "give either -o OUT or --in-place";
  if (args.has("--output") && args.value("--output").empty()) return "-o needs a path";
  if (is_one_of(args.value("--output"), {log})) return "-o is the log itself: use --in-place";
  if (log == "-") return "last-run reads its input twice: give it a file";
  if (in_place && mem::is_stored_otherwise(log))
    return fmt::format("{} is compressed or UTF-16 and the result is not: use -o OUT", log);
  return {};
}

Result<std::string> cut_log(const std::string& log, const std::string& out_path) {
  Result<mem::RuntimeTrace> trace = read_logs({log});
  if (!trace) return failure(trace.error());
  const std::vector<mem::RankCut> cuts = mem::find_last_run(*trace);
  Result<std::unique_ptr<Writer>> writer = open_writer(out_path);
  if (!writer) return failure(writer.error());
  if (is_terminal_path(out_path)) {
    *writer = std::make_unique<VisibleWriter>(std::move(*writer), TerminalCodes::kColors);
  }
  const Result<mem::CopiedLines> copied = mem::copy_last_run(*trace, cuts, **writer);
  if (!copied) return failure(copied.error());
  const Result<void> written = forgive_closed_pipe((*writer)->finish(), out_path);
  if (!written) return failure(written.error());
  return mem::last_run_words(cuts, *copied);
}

}  // namespace

CommandSpec last_run_spec() {
  CommandSpec spec;
  spec.program = "ttscope last-run";
  spec.summary = "cut a log with warm-up passes down to its last run";
  spec.description =
      "Copies a log without the program runs that came before the last one. The last run begins after the "
      "last but one "
      "\"Got output shape:\" line; without such lines it is the last pass of the model: of the sequences of "
      "programs that stand twice at the end the one with the most graphs, the shortest of these; small "
      "helpers "
      "do not count. Everything outside programs stays, module dumps included.";
  spec.positional = {"LOG", "log file, plain or packed (.gz, .zst, .xz, .bz2)", 1, 1, ValueKind::kFile, {}};
  spec.options = {
      {"-o,--output", "OUT", "where the last run goes; - for standard output", ValueKind::kFile, {}},
      {"--in-place", "", "replace LOG itself, which stays until the new one is whole", ValueKind::kText, {}},
  };
  spec.examples =
      "Example:\n"
      "  ttscope last-run run.log -o last.log && ttscope mem last.log\n";
  return spec;
}

int run_last_run(const ParsedArgs& args) {
  const std::string problem = last_run_usage_problem(args);
  if (!problem.empty()) return last_run_usage_error(problem);
  const std::string& log = args.positionals.front();
  std::error_code ignored;
  if (std::filesystem::exists(log, ignored) && !std::filesystem::is_directory(log, ignored) &&
      !std::filesystem::is_regular_file(log, ignored)) {
    return last_run_usage_error("last-run reads its input twice: give it a regular file");
  }
  const std::string other = app::not_a_log_message(log);
  if (!other.empty()) return fail(bad_input(other));
  const Result<std::string> done = cut_log(log, args.has("--in-place") ? log : args.value("--output"));
  if (!done) return fail(done.error());
  complain(*done);
  return kOk;
}

}  // namespace ttscope::cli
