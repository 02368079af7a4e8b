#include "cli/menu/ui.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/result.h"
#include "base/text.h"
#include "cli/menu/screen.h"
#include "cli/terminal.h"
#include "terminal/frame.h"
#include "terminal/prompts.h"

namespace ttscope::cli {

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? std::string() : std::string(home);
}

bool is_back_word(const std::string& answer) { return answer == "q" || answer == "Q"; }

bool is_back_answer(const std::string& answer) {
  std::error_code ignored;
  return is_back_word(answer) && !std::filesystem::exists(answer, ignored);
}

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

tl::unexpected<Error> unfinished(char mark) {
  return failure(bad_input(fmt::format("the line ends before what its {} begins", mark)));
}

/// Takes one word apart; `at` moves behind it.
Result<std::string> take_word(const std::string& line, std::size_t& at) {
  std::string word;
  char quote = '\0';
  for (; at < line.size() && (quote != '\0' || !is_blank(line[at])); ++at) {
    const char c = line[at];
    if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else if (c == '\\' && quote != '\'') {
      if (at + 1 == line.size()) return unfinished(c);
      const char next = line[++at];
      if (quote == '"' && next != '"' && next != '\\') word += c;
      word += next;
    } else {
      word += c;
    }
  }
  if (quote != '\0') return unfinished(quote);
  return word;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string::npos ? std::string()
                                    : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

Result<std::vector<std::string>> split_arguments(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    ASSIGN_OR_RETURN(std::string word, take_word(line, at));
    words.push_back(std::move(word));
  }
  return words;
}

std::string path_of_answer(const std::string& answer) {
  std::error_code ignored;
  if (answer.empty() || std::filesystem::exists(answer, ignored)) return answer;
  std::string text = trimmed(answer);
  if (std::filesystem::exists(text, ignored)) return text;
  const Result<std::vector<std::string>> words = split_arguments(text);
  const bool is_quoted = words && words->size() == 1 && std::filesystem::exists(words->front(), ignored);
  return is_quoted ? words->front() : text;
}

namespace {

std::string numbered_items(const terminal::ListSpec& spec) {
  std::string text;
  std::size_t width = 0;
  for (const terminal::ListItem& item : spec.items) {
    width = std::max(width, terminal::text_columns(terminal_safe(item.label)));
  }
  for (std::size_t i = 0; i < spec.items.size(); ++i) {
    const std::string label = terminal_safe(spec.items[i].label);
    const std::string detail = terminal_safe(spec.items[i].detail);
    text += fmt::format("{:>3}  {}{}\n", i + 1,
                        detail.empty() ? label : terminal::padded_to(label, width + 2), detail);
  }
  return text;
}

class LineUi : public Ui {
 public:
  std::optional<std::size_t> choose(const terminal::ListSpec& spec) override {
    say_lines(fmt::format("{}\n{}", terminal_safe(spec.question), numbered_items(spec)));
    while (const auto line = read_line(fmt::format("Number (q: {}): ", spec.back_word))) {
      if (is_back_word(*line)) return std::nullopt;
      std::size_t number = 0;
      const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), number);
      const bool is_number = error == std::errc() && end == line->data() + line->size();
      if (is_number && number >= 1 && number <= spec.items.size()) return number - 1;
      say_lines(fmt::format("Please type a number from 1 to {}.\n", spec.items.size()));
    }
    return std::nullopt;
  }

  std::optional<std::string> ask(const LineQuestion& question) override {
    const std::string prompt =
        fmt::format("{}{} ", terminal_safe(question.question), question.is_path ? " (q: back)" : "");
    while (auto line = read_line(prompt)) {
      std::string answer = question.is_path ? terminal::expand_home(*line, home_folder()) : *line;
      const std::string complaint = question.complaint ? question.complaint(answer) : std::string();
      if (complaint.empty()) return answer;
      if (question.is_path && is_back_answer(answer)) return std::nullopt;
      say_lines(terminal_safe(complaint) + "\n");
    }
    return std::nullopt;
  }

  std::optional<bool> confirm(const terminal::ConfirmSpec& spec) override {
    const std::string prompt = fmt::format("{} {} ", terminal_safe(spec.question), choices_text(spec));
    while (const auto line = read_line(prompt)) {
      if (line->empty()) return spec.on_enter;
      const char first = (*line)[0];
      if (first == 'y' || first == 'Y') return true;
      if (first == 'n' || first == 'N') return false;
      if (is_back_word(*line)) return std::nullopt;
      say_lines("Please type y or n.\n");
    }
    return std::nullopt;
  }

  bool wait_for_enter(const std::string& text) override {
    const auto line = read_line(text + " ");
    return line && !is_back_word(*line);
  }

  void show_panel(const terminal::PanelSpec& panel) override {
    const auto columns = static_cast<std::size_t>(terminal_width(Stream::kOut));
    std::string text;
    for (const terminal::Line& line : terminal::plain_panel_lines(panel, columns)) {
      text += terminal::line_text(line, false) + "\n";
    }
    say_lines(text);
  }

 private:
  void say_lines(const std::string& text) {
    if (!print(text)) end(Ending::Reason::kEndOfInput);
  }

  /// Nothing at the end of the input. Ctrl-C ends the program by its signal: the terminal is as it always is.
  std::optional<std::string> read_line(const std::string& prompt) {
    say_lines(prompt);
    while (!has_ended()) {
      if (const std::size_t newline = typed_.find('\n'); newline != std::string::npos) {
        std::string line = typed_.substr(0, newline);
        typed_.erase(0, newline + 1);
        if (!line.empty() && line.back() == '\r') line.pop_back();
        return line;
      }
      std::array<char, 1024> bytes;
      const ssize_t size = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (size > 0) {
        typed_.append(bytes.data(), static_cast<std::size_t>(size));
      } else if (size == 0 || errno != EINTR) {
        end(Ending::Reason::kEndOfInput);
      }
    }
    say_lines("\n");
    return std::nullopt;
  }

  std::string typed_;
};

}  // namespace

std::unique_ptr<Ui> make_line_ui() { return std::make_unique<LineUi>(); }

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
    return question.is_path && is_back_answer(answer) ? KeyOutcome::kBack : KeyOutcome::kGoOn;
  }

  bool color_;
  std::string typed_;
};

}  // namespace

std::unique_ptr<Ui> make_screen_ui(bool color) { return std::make_unique<ScreenUi>(color); }

}  // namespace ttscope::cli
