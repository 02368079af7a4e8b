// Declared in flows.h, as all flows of the menu are.
#include "base/error.h"
#include "cli/cmd_analyze.h"
#include "cli/menu/argument_line.h"
#include "cli/menu/flows.h"
#include "mem/load.h"

namespace ttscope::cli {
namespace {

std::string complaint_about_log(const std::string& answer) {
  if (answer.empty()) return "Type the path of a log file.";
  const Result<void> checked = mem::check_log(meant_path(answer));
  return checked ? std::string() : "Invalid path: " + checked.error().message;
}

void show_failure(Ui& ui, const Error& error) {
  terminal::PanelSpec panel;
  const bool is_incomplete = error.code == ErrorCode::kNothingFound;
  panel.title = is_incomplete ? "Incomplete Log Data" : "No Report";
  panel.style = is_incomplete ? terminal::Style::kWarning : terminal::Style::kBad;
  panel.paragraphs = {error.message};
  if (is_incomplete) {
    panel.paragraphs.insert(panel.paragraphs.end(),
                            {"",
                             "\"No, do it for me\" sets the variables; `ttscope doctor` says whether "
                             "this machine's runtime is built so."});
  }
  ui.show_panel(panel);
}

}  // namespace

Flow report_on_users_log(Ui& ui) {
  LineQuestion question;
  question.question = "Enter the path to your log file:";
  question.is_path = true;
  // `-` is a file here: standard input is the keyboard.
  question.complaint = [](const std::string& answer) {
    return complaint_about_log(answer == "-" ? "./-" : answer);
  };
  const std::optional<std::string> answer = ui.ask(question);
  if (!answer) return std::nullopt;
  const Result<app::ReportFolder> report =
      report_on_log(meant_path(*answer == "-" ? "./-" : *answer), {}, ReportText::kBrief);
  if (report) return offer_to_serve(ui, report->name);
  show_failure(ui, report.error());
  ui.wait_for_enter("Press Enter to return to the main menu...");
  return std::nullopt;
}

}  // namespace ttscope::cli
