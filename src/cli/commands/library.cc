#include "cli/commands/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/report_library.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/menu/menu.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "serve/library.h"
#include "ui/text.h"

namespace ttscope::cli {
namespace {

/// With one decimal, and no larger unit than GB: sizes stand below each other in a list, where those of
/// ui::size_text() would be of different lengths.
std::string list_size_text(double bytes) {
  constexpr double kStep = 1024;
  for (const std::string_view unit : {"B", "KB", "MB", "GB"}) {
    if (bytes < kStep || unit == "GB") return fmt::format("{:.{}f} {}", bytes, unit == "B" ? 0 : 1, unit);
    bytes /= kStep;
  }
  return {};
}

}  // namespace

std::string report_size_text(const serve::Report& report) {
  return list_size_text(static_cast<double>(report.size_bytes));
}

std::string report_date_text(const serve::Report& report) {
  const auto time = static_cast<std::time_t>(report.time_s);
  std::tm parts{};
  if (localtime_r(&time, &parts) == nullptr) return "-";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min);
}

std::string report_outcome_text(const serve::Report& report) {
  std::string text = report.summary.outcome.empty() ? "-" : report.summary.outcome;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string report_fit_text(const serve::Report& report) {
  return report.summary.fit.empty() ? "-" : report.summary.fit;
}

std::string report_peak_text(const serve::Report& report) {
  const serve::MemoryPeak& peak = report.summary.dram;
  if (peak.peak_bytes_per_bank < 0) return "-";
  const auto bytes = static_cast<double>(peak.peak_bytes_per_bank);
  std::string text = list_size_text(bytes);
  if (peak.capacity_bytes_per_bank > 0) {
    text += fmt::format(" {:>3.0f}%", 100 * bytes / static_cast<double>(peak.capacity_bytes_per_bank));
  }
  return text;
}

namespace {

std::string deletion_text(const std::vector<serve::Report>& reports) {
  std::string text;
  for (const serve::Report& report : reports) {
    text += fmt::format("  {}  {:>9}  {}\n", report_date_text(report), report_size_text(report),
                        terminal_safe(app::label_of(report)));
  }
  return text;
}

/// Lists what would be deleted and asks, unless `is_sure`; where nobody can be asked, that is wrong usage.
/// Only files of reports are deleted, and their folders when nothing else is left in them.
int delete_reports(const std::string& library, const std::vector<serve::Report>& reports, bool is_sure) {
  if (!is_sure) {
    say(deletion_text(reports));
    if (!can_ask()) {
      complain("nothing was deleted: there is no terminal to ask on, so --yes is needed");
      return kUsage;
    }
    const std::string question =
        fmt::format("Delete {}? This cannot be undone.", ui::counted(reports.size(), "report"));
    if (!ask_yes_or_no(question)) {
      say("Nothing was deleted.\n");
      return kOk;
    }
  }
  int code = kOk;
  for (const serve::Report& report : reports) {
    const Result<app::DeletedReport> deleted = app::delete_report(library, report);
    if (!deleted) {
      complain(deleted.error().message);
      code = kFailed;
      continue;
    }
    say(fmt::format("Deleted {}.{}\n", terminal_safe(app::label_of(report)),
                    deleted->folder_is_left ? " Its folder holds other files and is left." : ""));
  }
  return code;
}

std::string list_text(const std::vector<serve::Report>& reports) {
  std::size_t width = 4;
  for (const serve::Report& report : reports) width = std::max(width, report.id.size());
  constexpr std::size_t kMaxWidth = 48;
  width = std::min(width, kMaxWidth);
  std::string text = fmt::format("{:<{}}  {:<16}  {:<13}  {:<7}  {:>14}  {:>10}  {:>9}\n", "NAME", width,
                                 "DATE", "OUTCOME", "FIT", "PEAK DRAM/BANK", "SIZE", "OPS");
  for (const serve::Report& report : reports) {
    text += fmt::format("{:<{}}  {:<16}  {:<13}  {:<7}  {:>14}  {:>10}  {:>9}\n", terminal_safe(report.id),
                        width, report_date_text(report), report_outcome_text(report), report_fit_text(report),
                        report_peak_text(report), report_size_text(report),
                        report.summary.ops < 0 ? "-" : std::to_string(report.summary.ops));
  }
  return text;
}

struct ListOptions {
  bool json = false;
};

CommandSpec describe_list(ListOptions& options) {
  CommandSpec spec;
  spec.program = "ttmem list";
  spec.summary = "list the reports in the library, newest first";
  spec.description =
      "Lists the reports in $TTMEM_HOME/reports or ~/.ttmem/reports, newest first: name, date, how the run "
      "ended, whether its memory fits, DRAM peak of a bank, size of all files, executed ops.";
  spec.options = {
      flag_option("--json", options.json, "as JSON, the document of the server (docs/serve_api.md)")};
  spec.examples =
      "Example:\n"
      "  ttmem list\n"
      "\n"
      "See also: ttmem serve --help\n";
  return spec;
}

int run_list(ListOptions& options) {
  Result<app::LibraryReports> found = app::read_library_reports(own_environment());
  if (!found) return fail(found.error());
  serve::Library library;
  library.reports = std::move(found->reports);
  std::string text;
  if (options.json) {
    text = serve::library_json(library) + "\n";
  } else if (library.reports.empty()) {
    text = fmt::format("No reports in {}. `ttmem LOG` writes one.\n", terminal_safe(found->path));
  } else {
    text = list_text(library.reports);
  }
  const Result<void> printed = print(text);
  return printed ? kOk : fail(printed.error());
}

OptionSpec yes_option(bool& is_sure) {
  return flag_option("-y,--yes", is_sure, "do not ask; needed where there is no terminal");
}

struct DeleteOptions {
  std::vector<std::string> names;
  bool is_sure = false;
};

CommandSpec describe_delete(DeleteOptions& options) {
  CommandSpec spec;
  spec.program = "ttmem delete";
  spec.summary = "delete reports of the library";
  spec.description =
      "Deletes reports of $TTMEM_HOME/reports or ~/.ttmem/reports by name, after a question. Only the files "
      "of "
      "the report go, and its folder when nothing else is in it. The log it was made from stays.";
  spec.positional = {"NAME", "report, as `ttmem list` shows it", 1, 1000, ValueKind::kText};
  spec.arguments = &options.names;
  spec.options = {yes_option(options.is_sure)};
  spec.examples =
      "Example:\n"
      "  ttmem delete llama_20260122_143957\n"
      "\n"
      "Exit codes: 0 ok, 1 no such report or it cannot be deleted, 2 wrong usage\n"
      "See also: ttmem prune --help, ttmem list --help\n";
  return spec;
}

int run_delete(DeleteOptions& options) {
  const Result<app::LibraryReports> library = app::read_library_reports(own_environment());
  if (!library) return fail(library.error());
  const Result<std::vector<serve::Report>> reports = app::reports_named(options.names, *library);
  if (!reports) return fail(reports.error());
  return delete_reports(library->path, *reports, options.is_sure);
}

struct PruneOptions {
  std::optional<int> keep;
  std::optional<std::int64_t> age_s;
  bool is_sure = false;
};

CommandSpec describe_prune(PruneOptions& options) {
  CommandSpec spec;
  spec.program = "ttmem prune";
  spec.summary = "delete the old reports of the library";
  spec.description =
      "Deletes reports of $TTMEM_HOME/reports or ~/.ttmem/reports that are beyond the newest N, older than a "
      "time, or, with both, both. It lists them and asks. Only files of reports go, and their folders when "
      "nothing else is in them.";
  spec.options = {
      number_option("--keep", "N", 0, options.keep, "leave the newest N"),
      value_option(
          "--older-than", "AGE",
          [&options](std::string_view key, const std::string& text) {
            options.age_s = age_seconds(text);
            return options.age_s ? std::string() : wrong_value(key, text, "an age such as 30d, 12h or 90m");
          },
          "only what is older: 30d, 12h, 90m"),
      yes_option(options.is_sure),
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

int run_prune(PruneOptions& options) {
  if (!options.keep && !options.age_s) {
    complain("prune needs --keep N or --older-than AGE");
    say("Try `ttmem prune --help`.\n");
    return kUsage;
  }
  const Result<app::LibraryReports> library = app::read_library_reports(own_environment());
  if (!library) return fail(library.error());
  app::Retention retention;
  retention.newest = static_cast<std::size_t>(options.keep.value_or(0));
  if (options.age_s) retention.oldest_time_s = static_cast<std::int64_t>(std::time(nullptr)) - *options.age_s;
  const std::vector<serve::Report> reports = app::old_reports(library->reports, retention);
  if (reports.empty()) {
    say(fmt::format("Nothing to delete in {}.\n", terminal_safe(library->path)));
    return kOk;
  }
  return delete_reports(library->path, reports, options.is_sure);
}

}  // namespace

Command list_command() { return make_command("list", describe_list, run_list); }

Command delete_command() { return make_command("delete", describe_delete, run_delete); }

Command prune_command() { return make_command("prune", describe_prune, run_prune); }

}  // namespace ttscope::cli
