#include "cli/cmd_delete.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "app/old_reports.h"
#include "base/edit_distance.h"
#include "base/text_escape.h"
#include "cli/library_reports.h"
#include "cli/option_values.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

OptionSpec yes_option() {
  return {"-y,--yes", "", "do not ask; needed where there is no terminal", ValueKind::kText, {}};
}

bool is_called(const serve::Report& report, const std::string& name) {
  return report.folder == name || report.id == name || report.name == name || label_of(report) == name;
}

/// The reports of these names, each once, or why there is none of one of them.
Result<std::vector<serve::Report>> reports_named(const std::vector<std::string>& names,
                                                 const LibraryReports& library) {
  std::vector<serve::Report> found;
  std::vector<std::string_view> ids;
  for (const serve::Report& report : library.reports) {
    ids.push_back(report.id);
    const bool is_wanted = std::any_of(names.begin(), names.end(),
                                       [&](const std::string& name) { return is_called(report, name); });
    if (is_wanted) found.push_back(report);
  }
  for (const std::string& name : names) {
    const bool is_known = std::any_of(found.begin(), found.end(),
                                      [&](const serve::Report& report) { return is_called(report, name); });
    if (is_known) continue;
    const std::string_view near = nearest_name(name, ids);
    return failure(bad_input(
        fmt::format("{}: no report of that name in {}{}; `ttmem list` shows them", name, library.path,
                    near.empty() ? std::string() : fmt::format(", did you mean {}?", near))));
  }
  return found;
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
  const Result<LibraryReports> library = read_library_reports();
  if (!library) return fail(library.error());
  const Result<std::vector<serve::Report>> reports = reports_named(args.positionals, *library);
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
  const Result<LibraryReports> library = read_library_reports();
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
