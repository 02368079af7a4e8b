#include "cli/cmd_delete.h"

#include <fmt/format.h>

#include <ctime>
#include <optional>

#include "app/library_reports.h"
#include "app/old_reports.h"
#include "base/text_escape.h"
#include "cli/delete_reports.h"
#include "cli/environment.h"
#include "cli/option_values.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

OptionSpec yes_option() {
  return {"-y,--yes", "", "do not ask; needed where there is no terminal", ValueKind::kText, {}};
}

}  // namespace

CommandSpec delete_spec() {
  CommandSpec spec;
  spec.program = "ttmem delete";
  spec.summary = "delete reports of the library";
  spec.description =
      "Deletes reports of $TTMEM_HOME/reports or ~/.ttmem/reports by name, after a question. Only the files "
      "of "
      "the report go, and its folder when nothing else is in it. The log it was made from stays.";
  spec.positional = {"NAME", "report, as `ttmem list` shows it", 1, 1000, ValueKind::kText, {}};
  spec.options = {yes_option()};
  spec.examples =
      "Example:\n"
      "  ttmem delete llama_20260122_143957\n"
      "\n"
      "Exit codes: 0 ok, 1 no such report or it cannot be deleted, 2 wrong usage\n"
      "See also: ttmem prune --help, ttmem list --help\n";
  return spec;
}

int run_delete(const ParsedArgs& args) {
  const Result<app::LibraryReports> library = app::read_library_reports(own_environment());
  if (!library) return fail(library.error());
  const Result<std::vector<serve::Report>> reports = app::reports_named(args.positionals, *library);
  if (!reports) return fail(reports.error());
  return delete_reports(library->path, *reports, args.has("--yes"));
}

CommandSpec prune_spec() {
  CommandSpec spec;
  spec.program = "ttmem prune";
  spec.summary = "delete the old reports of the library";
  spec.description =
      "Deletes reports of $TTMEM_HOME/reports or ~/.ttmem/reports that are beyond the newest N, older than a "
      "time, or, with both, both. It lists them and asks. Only files of reports go, and their folders when "
      "nothing else is in them.";
  spec.options = {
      {"--keep", "N", "leave the newest N", ValueKind::kText, {}},
      {"--older-than", "AGE", "only what is older: 30d, 12h, 90m", ValueKind::kText, {}},
      yes_option(),
  };
  spec.examples =
      "Examples:\n"
      "  ttmem prune --keep 20\n"
      "  ttmem prune --older-than 30d --yes\n"
      "\n"
      "Exit codes: 0 ok (also when nothing is old), 1 a report cannot be deleted, 2 wrong usage\n"
      "See also: ttmem delete --help, ttmem list --help\n";
  return spec;
}

int run_prune(const ParsedArgs& args) {
  if (!args.has("--keep") && !args.has("--older-than")) {
    complain("prune needs --keep N or --older-than AGE");
    say("Try `ttmem prune --help`.\n");
    return kUsage;
  }
  int keep = 0;
  if (!read_number(args, "--keep", 0, keep)) return kUsage;
  const std::optional<std::int64_t> age = age_seconds(args.value("--older-than", "0"));
  if (!age) {
    complain(
        fmt::format("--older-than {}: expected an age such as 30d, 12h or 90m", args.value("--older-than")));
    return kUsage;
  }
  const Result<app::LibraryReports> library = app::read_library_reports(own_environment());
  if (!library) return fail(library.error());
  app::Retention retention;
  retention.newest = static_cast<std::size_t>(keep);
  if (args.has("--older-than"))
    retention.oldest_time_s = static_cast<std::int64_t>(std::time(nullptr)) - *age;
  const std::vector<serve::Report> reports = app::old_reports(library->reports, retention);
  if (reports.empty()) {
    say(fmt::format("Nothing to delete in {}.\n", terminal_safe(library->path)));
    return kOk;
  }
  return delete_reports(library->path, reports, args.has("--yes"));
}

}  // namespace ttscope::cli
