#include "cli/delete_reports.h"

#include <fmt/format.h>

#include "app/delete_report.h"
#include "app/library_reports.h"
#include "base/text_escape.h"
#include "cli/menu/menu.h"
#include "cli/report_facts.h"
#include "cli/terminal.h"
#include "report/number_text.h"

namespace ttscope::cli {
namespace {

std::string deletion_text(const std::vector<serve::Report>& reports) {
  std::string text;
  for (const serve::Report& report : reports) {
    text += fmt::format("  {}  {:>9}  {}\n", report_date_text(report), report_size_text(report),
                        terminal_safe(app::label_of(report)));
  }
  return text;
}

}  // namespace

int delete_reports(const std::string& library, const std::vector<serve::Report>& reports, bool is_sure) {
  if (!is_sure) {
    say(deletion_text(reports));
    if (!can_ask()) {
      complain("nothing was deleted: there is no terminal to ask on, so --yes is needed");
      return kUsage;
    }
    const std::string question =
        fmt::format("Delete {}? This cannot be undone.", report::counted(reports.size(), "report"));
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

}  // namespace ttscope::cli
