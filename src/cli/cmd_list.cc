#include "cli/cmd_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/library_reports.h"
#include "base/text_escape.h"
#include "cli/environment.h"
#include "cli/report_facts.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

std::string list_text(const std::vector<serve::Report>& reports) {
  std::size_t width = 4;
  for (const serve::Report& report : reports) width = std::max(width, report.id.size());
  constexpr std::size_t kWidest = 48;
  width = std::min(width, kWidest);
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

}  // namespace

CommandSpec list_spec() {
  CommandSpec spec;
  spec.program = "ttmem list";
  spec.summary = "list the reports in the library, newest first";
  spec.description =
      "Lists the reports in $TTMEM_HOME/reports or ~/.ttmem/reports, newest first: name, date, how the run "
      "ended, whether its memory fits, DRAM peak of a bank, size of all files, executed ops.";
  spec.options = {
      {"--json", "", "as JSON, the document of the server (docs/serve_api.md)", ValueKind::kText, {}}};
  spec.examples =
      "Example:\n"
      "  ttmem list\n"
      "\n"
      "See also: ttmem serve --help\n";
  return spec;
}

int run_list(const ParsedArgs& args) {
  Result<app::LibraryReports> found = app::read_library_reports(own_environment());
  if (!found) return fail(found.error());
  serve::Library library;
  library.reports = std::move(found->reports);
  std::string text;
  if (args.has("--json")) {
    text = serve::library_json(library) + "\n";
  } else if (library.reports.empty()) {
    text = fmt::format("No reports in {}. `ttmem LOG` writes one.\n", terminal_safe(found->path));
  } else {
    text = list_text(library.reports);
  }
  const Result<void> printed = print(text);
  return printed ? kOk : fail(printed.error());
}

}  // namespace ttscope::cli
