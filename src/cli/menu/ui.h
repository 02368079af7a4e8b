#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "terminal/frame.h"
#include "terminal/prompts.h"

namespace ttscope::cli {

/// A line to be typed.
struct LineQuestion {
  std::string question;
  bool is_path = false;  ///< Tab completes, `~` is the home folder
  /// What is wrong with an answer, which is then asked for again; empty: nothing.
  std::function<std::string(const std::string&)> complaint{};
};

/// Why there will be no more answers.
struct Ending {
  enum class Reason { kNone, kInterrupted, kEndOfInput, kSignal };
  Reason reason = Reason::kNone;
  int signal_number = 0;
};

/// Asks the user. A question without an answer was left (Esc, q), or the input has ended: see `ending`.
class Ui {
 public:
  virtual ~Ui() = default;

  virtual std::optional<std::size_t> choose(const terminal::ListSpec& spec) = 0;
  /// A path comes with its `~` expanded.
  virtual std::optional<std::string> ask(const LineQuestion& question) = 0;
  virtual std::optional<bool> confirm(const terminal::ConfirmSpec& spec) = 0;
  /// Waits for Enter; false when the user leaves.
  virtual bool wait_for_enter(const std::string& text) = 0;
  virtual void show_panel(const terminal::PanelSpec& panel) = 0;

  const Ending& ending() const { return ending_; }
  bool has_ended() const { return ending_.reason != Ending::Reason::kNone; }

 protected:
  void end(Ending::Reason reason, int signal_number = 0) {
    if (!has_ended()) ending_ = {reason, signal_number};
  }

 private:
  Ending ending_;
};

/// The user's home folder; empty when nothing tells.
std::string home_folder();

/// What leaves a question that is answered by a line: `q`.
bool is_back_word(const std::string& answer);
/// An answer that means the question is to be left, where Esc cannot be typed or is not thought of: `q`,
/// unless a file is called so.
bool is_back_answer(const std::string& answer);

/// The words of a typed line, by the quoting rules of shells and nothing else of them: '...' as it is, "..."
/// with \" and \\, a backslash for one character. `$`, `*`, `;` and `~` mean nothing.
Result<std::vector<std::string>> split_arguments(const std::string& line);

/// The path that an answer means: as it was typed where that exists, else without blanks around it, else
/// without the quotes that terminals put around a file that is dropped on them.
std::string path_of_answer(const std::string& answer);

/// Asks line by line, with numbers instead of a selection: for terminals that understand no escape sequences.
std::unique_ptr<Ui> make_line_ui();

/// Asks on a terminal that understands escape sequences: arrow keys, lists, a line that can be edited.
std::unique_ptr<Ui> make_screen_ui(bool color);

}  // namespace ttscope::cli
