#include "cli/menu/menu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "cli/exit_code.h"
#include "cli/menu/flows.h"
#include "cli/menu/line_ui.h"
#include "cli/menu/screen_ui.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "cli/version.h"

namespace ttscope::cli {
namespace {

struct Entry {
  std::string_view label;
  Flow (*flow)(Ui& ui);  ///< nullptr: leave
};

constexpr std::array<Entry, 5> kEntries = {{
    {"Yes, I have a log file with memory logs ready.", report_on_users_log},
    {"No, do it for me.", run_users_script},
    {"No, give me step-by-step so I can do it myself.", explain_logs},
    {"Browse existing reports", browse_reports},
    {"Quit", nullptr},
}};

std::unique_ptr<Ui> make_ui() {
  return is_terminal(Stream::kOut) ? make_screen_ui(use_color("auto", Stream::kOut)) : make_line_ui();
}

terminal::ListSpec main_menu() {
  terminal::ListSpec spec;
  spec.question = "Do you have a log file with memory logs ready?";
  spec.back_word = "quits";
  for (const Entry& entry : kEntries) spec.items.push_back({std::string(entry.label), {}});
  return spec;
}

Flow ask_until_done(Ui& ui) {
  while (!ui.has_ended()) {
    const std::optional<std::size_t> chosen = ui.choose(main_menu());
    if (!chosen || kEntries[*chosen].flow == nullptr) return std::nullopt;
    if (const Flow flow = kEntries[*chosen].flow(ui)) return flow;
  }
  return std::nullopt;
}

/// The last words and the exit code.
int end_of(const Ui& ui, const Flow& flow, std::string_view farewell) {
  if (flow) return *flow;
  switch (ui.ending().reason) {
    case Ending::Reason::kInterrupted:
      say("Interrupted.\n");
      return 128 + SIGINT;
    case Ending::Reason::kSignal:
      return 128 + ui.ending().signal_number;
    default:
      break;
  }
  return answer(farewell);
}

}  // namespace

bool can_ask() { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

int run_menu() {
  say_when_interrupted("\nInterrupted.\n");
  const std::unique_ptr<Ui> ui = make_ui();
  terminal::PanelSpec welcome;
  welcome.paragraphs = {fmt::format("ttmem {}", version_text()),
                        "Where the device memory of a Tenstorrent run goes."};
  ui->show_panel(welcome);
  return end_of(*ui, ask_until_done(*ui), "Goodbye!\n");
}

int ask_to_serve(const std::string& report) {
  if (!can_ask()) return kOk;
  say_when_interrupted("\nInterrupted.\n");
  const std::unique_ptr<Ui> ui = make_ui();
  return end_of(*ui, offer_to_serve(*ui, report), "");
}

bool ask_yes_or_no(const std::string& question) {
  const std::unique_ptr<Ui> ui = make_ui();
  return ui->confirm({question, false}).value_or(false);
}

}  // namespace ttscope::cli
