// Declared in flows.h, as all flows of the menu are.
#include <fmt/format.h>

#include "app/delete_report.h"
#include "app/library_reports.h"
#include "base/text_escape.h"
#include "cli/environment.h"
#include "cli/menu/flows.h"
#include "cli/report_facts.h"
#include "cli/terminal.h"
#include "report/number_text.h"

namespace ttscope::cli {
namespace {

terminal::ListSpec list_of(const app::LibraryReports& library) {
  terminal::ListSpec spec;
  spec.question = "Select a report:";
  spec.filters = true;
  for (const serve::Report& report : library.reports) {
    spec.items.push_back(
        {app::label_of(report), fmt::format("{}  {:>9}  DRAM peak {:>14}", report_date_text(report),
                                            report_size_text(report), report_peak_text(report))});
  }
  return spec;
}

void delete_after_question(Ui& ui, const app::LibraryReports& library, const serve::Report& report) {
  const std::string question =
      fmt::format("Delete {} with its {} ({})? This cannot be undone.", app::label_of(report),
                  report::counted(report.files.size(), "file"), report_size_text(report));
  if (!ui.confirm({question, false}).value_or(false)) return;
  const Result<app::DeletedReport> deleted = app::delete_report(library.path, report);
  if (!deleted) {
    complain(deleted.error().message);
    return;
  }
  say(fmt::format("Deleted {}.{}\n", terminal_safe(app::label_of(report)),
                  deleted->folder_is_left ? " Its folder holds other files and is left." : ""));
}

Flow act_on_report(Ui& ui, const app::LibraryReports& library, const serve::Report& report) {
  terminal::ListSpec spec;
  spec.question = app::label_of(report) + ":";
  spec.items = {
      {"Open it in the browser", ""}, {"Serve it (for a browser elsewhere)", ""}, {"Delete it", ""}};
  const std::optional<std::size_t> action = ui.choose(spec);
  if (!action) return std::nullopt;
  if (*action < 2) {
    const int code = serve_report(report.id, *action == 0);
    return code > 128 ? Flow(code) : std::nullopt;
  }
  delete_after_question(ui, library, report);
  return std::nullopt;
}

void show_nothing(Ui& ui, const std::string& path) {
  terminal::PanelSpec panel;
  panel.title = "No Reports";
  panel.paragraphs = {fmt::format("No reports found in {}", path), "", "Process a log file first."};
  ui.show_panel(panel);
  ui.wait_for_enter("Press Enter to return to the main menu...");
}

}  // namespace

Flow browse_reports(Ui& ui) {
  while (!ui.has_ended()) {
    const Result<app::LibraryReports> library = app::read_library_reports(own_environment());
    if (!library) {
      complain(library.error().message);
      return std::nullopt;
    }
    if (library->reports.empty()) {
      show_nothing(ui, library->path);
      return std::nullopt;
    }
    const std::optional<std::size_t> chosen = ui.choose(list_of(*library));
    if (!chosen) return std::nullopt;
    if (const Flow flow = act_on_report(ui, *library, library->reports[*chosen])) return flow;
  }
  return std::nullopt;
}

}  // namespace ttscope::cli
