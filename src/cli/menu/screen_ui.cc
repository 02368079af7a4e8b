#include "cli/menu/screen_ui.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "base/text_escape.h"
#include "cli/menu/screen.h"
#include "cli/terminal.h"
#include "terminal/path_completion.h"
#include "terminal/text_width.h"

namespace ttscope::cli {
namespace {

using terminal::KeyOutcome;
using terminal::Line;
using terminal::Style;

/// `? question answer`, what stays of a question that is done.
std::vector<Line> answered_lines(const std::string& question, const std::string& answer,
                                 std::size_t columns) {
  const std::size_t room = columns > 3 ? columns - 3 : 1;
  const std::string safe = terminal_safe(question);
  const std::string shown = terminal_safe(answer);
  std::vector<Line> lines;
  if (terminal::text_columns(safe) + terminal::text_columns(shown) + 1 <= room) {
    return {{{"? ", Style::kAccent}, {safe + " "}, {shown, Style::kAccent}}};
  }
  for (const std::string& part : terminal::wrapped(safe, room)) {
    lines.push_back({{lines.empty() ? "? " : "  ", Style::kAccent}, {part}});
  }
  if (shown.empty()) return lines;
  for (const std::string& part : terminal::wrapped(shown, room))
    lines.push_back({{"  " + part, Style::kAccent}});
  return lines;
}

void complete(terminal::LineState& state) {
  // What stands behind the cursor stays there.
  const std::string behind = state.text.substr(state.cursor);
  terminal::PathCompletion found = terminal::complete_path(state.text.substr(0, state.cursor), home_folder());
  const bool is_longer = found.text.size() > state.cursor;
  const std::size_t cursor = found.text.size();
  state.text = found.text + behind;
  state.cursor = cursor;
  state.complaint.clear();
  state.candidates.clear();
  if (found.candidates.empty() && !is_longer && !found.text.empty() && found.text.back() != '/') {
    return;  // complete already, or nothing begins like this
  }
  if (!is_longer) state.candidates = std::move(found.candidates);
  if (!is_longer && state.candidates.empty()) state.complaint = "nothing in this folder";
}

class ScreenUi : public Ui {
 public:
  explicit ScreenUi(bool color) : color_(color) {}

  std::optional<std::size_t> choose(const terminal::ListSpec& spec) override {
    Screen screen(color_, typed_);
    terminal::ListState state;
    const KeyOutcome outcome = run(
        screen, [&] { return render(spec, state, screen.size()); },
        [&](const terminal::Key& key) {
          terminal::ListStep step = press(spec, state, key, list_rows(spec, state, screen.size()));
          state = std::move(step.state);
          return step.outcome;
        });
    if (outcome != KeyOutcome::kDone) return left(screen);
    const std::size_t chosen = chosen_item(spec, state);
    screen.leave(answered_lines(spec.question, spec.items[chosen].label, screen.size().columns));
    return chosen;
  }

  std::optional<std::string> ask(const LineQuestion& question) override {
    Screen screen(color_, typed_);
    terminal::LineState state;
    const terminal::LineSpec spec = {question.question,
                                     question.is_path ? "Tab completes, Esc goes back" : "Esc goes back"};
    std::string answer;
    const KeyOutcome outcome = run(
        screen, [&] { return render(spec, state, screen.size()); },
        [&](const terminal::Key& key) { return press_line(question, state, key, answer); });
    if (outcome != KeyOutcome::kDone) return left(screen);
    screen.leave(answered_lines(question.question, answer, screen.size().columns));
    return answer;
  }

  std::optional<bool> confirm(const terminal::ConfirmSpec& spec) override {
    Screen screen(color_, typed_);
    bool answer = false;
    const KeyOutcome outcome = run(
        screen, [&] { return render(spec, screen.size()); },
        [&](const terminal::Key& key) {
          const terminal::ConfirmStep step = press(spec, key);
          answer = step.answer;
          return step.outcome;
        });
    if (outcome != KeyOutcome::kDone) return left(screen);
    screen.leave(answered_lines(spec.question, answer ? "yes" : "no", screen.size().columns));
    return answer;
  }

  bool wait_for_enter(const std::string& text) override {
    Screen screen(color_, typed_);
    const auto frame = [&] {
      terminal::Frame shown;
      const std::size_t room = std::max<std::size_t>(screen.size().columns, 2) - 1;
      for (const std::string& part : terminal::wrapped(text, room))
        shown.lines.push_back({{part, Style::kDim}});
      shown.cursor_row = shown.lines.size() - 1;
      return terminal::fitted(shown, screen.size());
    };
    const KeyOutcome outcome = run(screen, frame, [](const terminal::Key& key) {
      const terminal::ConfirmStep step = press(terminal::ConfirmSpec{{}, true}, key);
      return key.is(terminal::KeyCode::kCharacter) && step.outcome == KeyOutcome::kDone ? KeyOutcome::kGoOn
                                                                                        : step.outcome;
    });
    screen.leave({});
    return outcome == KeyOutcome::kDone;
  }

  void show_panel(const terminal::PanelSpec& panel) override {
    std::string text;
    const auto columns = static_cast<std::size_t>(terminal_width(Stream::kOut));
    for (const Line& line : terminal::panel_lines(panel, columns)) {
      text += terminal::line_text(line, color_) + "\n";
    }
    if (!print(text)) end(Ending::Reason::kEndOfInput);
  }

 private:
  /// Draws and reads until a key ends the question. What is left for good is remembered in `ending`.
  template <typename Draw, typename Press>
  KeyOutcome run(Screen& screen, Draw draw, Press press_key) {
    while (true) {
      if (!screen.has_typed()) screen.show(draw());  // of pasted text only the end is seen
      terminal::Key key;
      KeyOutcome outcome = KeyOutcome::kGoOn;
      switch (screen.next(key)) {
        case Screen::Event::kKey:
          outcome = press_key(key);
          break;
        case Screen::Event::kRedraw:
          break;
        case Screen::Event::kEndOfInput:
          outcome = KeyOutcome::kEnd;
          break;
        case Screen::Event::kSignal:
          break;
      }
      if (screen.signal_number() != 0) {
        end_by_signal(screen.signal_number());
        return KeyOutcome::kEnd;
      }
      if (outcome == KeyOutcome::kInterrupt) end(Ending::Reason::kInterrupted);
      if (outcome == KeyOutcome::kEnd) end(Ending::Reason::kEndOfInput);
      if (outcome != KeyOutcome::kGoOn) return outcome;
    }
  }

  void end_by_signal(int number) {
    end(number == SIGINT ? Ending::Reason::kInterrupted : Ending::Reason::kSignal, number);
  }

  /// A question without an answer leaves nothing behind.
  static std::nullopt_t left(Screen& screen) {
    screen.leave({});
    return std::nullopt;
  }

  static KeyOutcome press_line(const LineQuestion& question, terminal::LineState& state,
                               const terminal::Key& key, std::string& answer) {
    terminal::LineStep step = press(std::move(state), key);
    state = std::move(step.state);
    if (step.outcome == KeyOutcome::kComplete) {
      if (question.is_path) complete(state);
      return KeyOutcome::kGoOn;
    }
    if (step.outcome != KeyOutcome::kDone) return step.outcome;
    answer = question.is_path ? terminal::expand_home(state.text, home_folder()) : state.text;
    state.complaint = question.complaint ? question.complaint(answer) : std::string();
    state.candidates.clear();
    if (state.complaint.empty()) return KeyOutcome::kDone;
    return question.is_path && means_back(answer) ? KeyOutcome::kBack : KeyOutcome::kGoOn;
  }

  bool color_;
  std::string typed_;
};

}  // namespace

std::unique_ptr<Ui> make_screen_ui(bool color) { return std::make_unique<ScreenUi>(color); }

}  // namespace ttscope::cli
