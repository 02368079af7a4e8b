// Declared in flows.h, as all flows of the menu are.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "app/run_folder.h"
#include "app/script_command.h"
#include "cli/capture_session.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/menu/argument_line.h"
#include "cli/menu/flows.h"
#include "cli/profiler_modes.h"
#include "cli/signals.h"

namespace ttscope::cli {
namespace {

std::string complaint_about_script(const std::string& answer) {
  if (answer.empty()) return "Type the path of a Python script or program.";
  const std::string path = meant_path(answer);
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
  std::string script = meant_path(*answer);
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

}  // namespace

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

}  // namespace ttscope::cli
