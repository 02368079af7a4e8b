#include "cli/menu/menu.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "app/captured_run.h"
#include "app/doctor.h"
#include "app/report_library.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/commands/library.h"
#include "cli/commands/run.h"
#include "cli/menu/ui.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "mem/load.h"
#include "ui/text.h"

namespace ttscope::cli {
namespace {

// The ways through the guided `ttmem`. Each returns the exit code of the program, or nothing: back to the
// menu.
using Flow = std::optional<int>;

/// Asks for a log, reports on it, and offers to serve the report.
Flow report_on_users_log(Ui& ui);

/// Asks for a script, runs it under capture, and offers to serve its report.
Flow run_users_script(Ui& ui);

/// Says how a log is made and what this machine has for it, then goes on as report_on_users_log.
Flow explain_logs(Ui& ui);

/// Lists the library: open, serve, delete.
Flow browse_reports(Ui& ui);

/// After a report (its name in the library, or a folder): asks whether to serve it, and does.
Flow offer_to_serve(Ui& ui, const std::string& report);

/// Serves until Ctrl-C. Returns the exit code: 128 and the signal's number after any other signal.
int serve_report(const std::string& report, bool open_browser);

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
  set_interrupt_message("\nInterrupted.\n");
  const std::unique_ptr<Ui> ui = make_ui();
  terminal::PanelSpec welcome;
  welcome.paragraphs = {fmt::format("ttmem {}", version_text()),
                        "Where the device memory of a Tenstorrent run goes."};
  ui->show_panel(welcome);
  return end_of(*ui, ask_until_done(*ui), "Goodbye!\n");
}

int ask_to_serve(const std::string& report) {
  if (!can_ask()) return kOk;
  set_interrupt_message("\nInterrupted.\n");
  const std::unique_ptr<Ui> ui = make_ui();
  return end_of(*ui, offer_to_serve(*ui, report), "");
}

bool ask_yes_or_no(const std::string& question) {
  const std::unique_ptr<Ui> ui = make_ui();
  return ui->confirm({question, false}).value_or(false);
}

namespace {

std::string complaint_about_log(const std::string& answer) {
  if (answer.empty()) return "Type the path of a log file.";
  const Result<void> checked = mem::check_log(path_of_answer(answer));
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
      report_on_log(path_of_answer(*answer == "-" ? "./-" : *answer), {}, ReportText::kBrief);
  if (report) return offer_to_serve(ui, report->name);
  show_failure(ui, report.error());
  ui.wait_for_enter("Press Enter to return to the main menu...");
  return std::nullopt;
}

std::string complaint_about_script(const std::string& answer) {
  if (answer.empty()) return "Type the path of a Python script or program.";
  const std::string path = path_of_answer(answer);
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return fmt::format("Invalid path: {}: {}", path, std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) return fmt::format("Invalid path: {}: is a folder, not a script", path);
  if (access(path.c_str(), R_OK) != 0 && access(path.c_str(), X_OK) != 0) {
    return fmt::format("Invalid path: {}: {}", path, std::strerror(errno));
  }
  return {};
}

std::string complaint_about_arguments(const std::string& answer) {
  const Result<std::vector<std::string>> words = split_arguments(answer);
  return words ? std::string() : words.error().message;
}

std::optional<std::vector<std::string>> ask_command(Ui& ui) {
  LineQuestion question;
  question.question = "Enter the path to your model script:";
  question.is_path = true;
  question.complaint = complaint_about_script;
  const std::optional<std::string> answer = ui.ask(question);
  if (!answer) return std::nullopt;
  std::string script = path_of_answer(*answer);
  if (script[0] == '-') script.insert(0, "./");  // Python would take it for an option
  LineQuestion more;
  more.question = fmt::format("Arguments for {} (Enter for none):", script.substr(script.rfind('/') + 1));
  more.complaint = complaint_about_arguments;
  const std::optional<std::string> line = ui.ask(more);
  if (!line) return std::nullopt;
  Result<std::vector<std::string>> words = split_arguments(*line);
  if (!words) return std::nullopt;  // the question would have been asked again
  words->insert(words->begin(), script);
  return std::move(*words);
}

Flow run_users_script(Ui& ui) {
  const std::optional<std::vector<std::string>> words = ask_command(ui);
  if (!words) return std::nullopt;
  app::CaptureRequest request;
  request.command =
      app::script_command({words->front(), {words->begin() + 1, words->end()}, own_environment()});
  request.name = app::name_of_command({words->front()});
  const app::CaptureOutcome outcome = capture_command(std::move(request));
  const int signal_number = last_relayed_signal();
  if (signal_number != 0 && signal_number != SIGINT) return 128 + signal_number;
  if (outcome.report_files.empty()) {
    ui.wait_for_enter("Press Enter to return to the main menu...");
    return std::nullopt;
  }
  const std::string& kept = outcome.library_folder;
  return offer_to_serve(ui, kept.empty() ? outcome.folder : kept.substr(kept.rfind('/') + 1));
}

constexpr std::string_view kSteps =
    "1. Memory lines for each op. TT-XLA since December 2025 prints them when the variable of step 3 is set. "
    "In "
    "an older one, add at the beginning of execute() in "
    "pjrt_implementation/src/api/flatbuffer_loaded_executable_instance.cc:\n"
    "     tt::runtime::setMemoryLogLevel(\n"
    "         tt::runtime::MemoryLogLevel::Operation);\n"
    "\n"
    "2. A build that can print them:\n"
    "     source venv/activate\n"
    "     cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Debug -DTT_RUNTIME_DEBUG=ON\n"
    "     cmake --build build\n"
    "\n"
    "3. The variables that make the log useful:\n"
    "     export TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG\n"
    "     export TT_RUNTIME_MEMORY_LOG_LEVEL=operation\n"
    "     export TTXLA_LOGGER_LEVEL=DEBUG\n"
    "\n"
    "4. Run the model. This sets the variables by itself, and keeps the log in ./logs/:\n"
    "     tt-memory-profiler --log path/to/your_model.py";

/// What `ttscope doctor` finds, in few words.
terminal::PanelSpec findings() {
  const app::Diagnosis diagnosis = app::diagnose({{}, "logs", own_environment()});
  terminal::PanelSpec panel;
  panel.title = "This Machine";
  panel.style = diagnosis.has_problem() ? terminal::Style::kWarning : terminal::Style::kGood;
  for (const app::Check& check : diagnosis.checks) {
    constexpr std::array<std::string_view, 3> kMarks = {"✓", "·", "!"};
    panel.paragraphs.push_back(
        fmt::format("{} {}: {}", kMarks[static_cast<std::size_t>(check.status)], check.name, check.found));
    if (check.status == app::CheckStatus::kProblem && !check.fix.empty()) {
      panel.paragraphs.push_back("    " + check.fix);
    }
  }
  const app::ExpectedOutput& expected = diagnosis.expected_output;
  panel.paragraphs.insert(
      panel.paragraphs.end(),
      {"", fmt::format("A run here gives op lines: {}, memory lines: {}, module dumps: {}. `ttscope doctor` "
                       "says more.",
                       launch::tristate_text(expected.op_lines), launch::tristate_text(expected.memory_lines),
                       launch::tristate_text(expected.module_dumps))});
  return panel;
}

Flow explain_logs(Ui& ui) {
  ui.show_panel({"Getting Started", {std::string(kSteps)}});
  ui.show_panel(findings());
  if (!ui.wait_for_enter("Press Enter when you have your log file ready, Esc to go back..."))
    return std::nullopt;
  return report_on_users_log(ui);
}

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
                  ui::counted(report.files.size(), "file"), report_size_text(report));
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

int serve_report(const std::string& report, bool open_browser) {
  std::vector<std::string> args = {"--", report};
  if (open_browser) args.insert(args.begin(), "--open");
  const int code = ttmem_serve_command().run(args);
  // Ctrl-C is meant for the server, other signals for the program.
  const int signal_number = last_relayed_signal();
  return code == kOk && signal_number != 0 && signal_number != SIGINT ? 128 + signal_number : code;
}

Flow offer_to_serve(Ui& ui, const std::string& report) {
  const std::optional<bool> wanted = ui.confirm({"Serve the report now, to look at it in a browser?", true});
  if (ui.has_ended()) return std::nullopt;
  if (wanted.value_or(false)) return serve_report(report, false);
  const Result<void> printed = print(fmt::format("Later: {}\n", shell_command({"ttmem", "serve", report})));
  return printed ? kOk : kFailed;
}

}  // namespace

}  // namespace ttscope::cli
