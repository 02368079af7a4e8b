#include "cli/sql_prompt.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "app/report_library.h"
#include "app/sql_text.h"
#include "base/private_files.h"
#include "base/text_escape.h"
#include "base/writer.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/menu/screen.h"
#include "cli/terminal.h"
#include "terminal/line_history.h"
#include "terminal/line_prompt.h"

namespace ttscope::cli {
namespace {

using terminal::KeyCode;
using terminal::KeyOutcome;

/// Empty: there is no place for it.
std::string history_path() {
  const Result<std::string> reports = app::library_folder(own_environment());
  if (!reports) return {};
  return (std::filesystem::path(*reports).parent_path() / "sql_history").string();
}

terminal::LineHistory read_history() {
  std::ifstream file(history_path(), std::ios::binary);
  return terminal::history_of(std::string{std::istreambuf_iterator<char>(file), {}});
}

/// A history that cannot be kept is no trouble worth a word.
void keep_history(const terminal::LineHistory& history) {
  const std::string path = history_path();
  if (path.empty() || history.lines().empty()) return;
  const PrivateFiles keeps_private;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  (void)write_file(path, [&](Writer& out) { out.write(terminal::text_of(history)); });
  // One of an earlier version keeps its mode.
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write,
                               ignored);
}

constexpr const char* kFirstMark = "❯ ";
constexpr const char* kGoOnMark = "… ";  // a statement is open

/// A line of the prompt; neither text nor `is_over`: what was open is dropped.
struct Typed {
  std::optional<std::string> text{};
  bool is_over = false;
};

class Prompt {
 public:
  Prompt() : color_(use_color("auto", Stream::kOut)), history_(read_history()) {}

  Typed ask(const char* mark) {
    Screen screen(color_, typed_);
    terminal::LineState state;
    while (true) {
      screen.show(terminal::render({"", "", mark}, state, screen.size()));
      terminal::Key key;
      const Screen::Event event = screen.next(key);
      if (event == Screen::Event::kRedraw) continue;
      if (event != Screen::Event::kKey) return over(screen, event);
      switch (press(state, key)) {
        case KeyOutcome::kDone:
          return answered(screen, mark, state.text);
        case KeyOutcome::kInterrupt:
          if (mark == kGoOnMark) return dropped(screen);
          if (state.text.empty()) return over(screen, event);
          state = {};
          break;
        case KeyOutcome::kBack:
        case KeyOutcome::kEnd:
          if (state.text.empty()) return over(screen, event);
          break;
        default:
          break;
      }
    }
  }

  int signal_number() const { return signal_number_; }
  const terminal::LineHistory& history() const { return history_; }

 private:
  KeyOutcome press(terminal::LineState& state, const terminal::Key& key) {
    const bool is_older = key.is(KeyCode::kUp) || key.is_control('p');
    if (!state.is_pasting && (is_older || key.is(KeyCode::kDown) || key.is_control('n'))) {
      state = terminal::line_of(is_older ? history_.older(state.text) : history_.newer(state.text));
      return KeyOutcome::kGoOn;
    }
    terminal::LineStep step = terminal::press(state, key);
    state = std::move(step.state);
    return step.outcome;
  }

  Typed answered(Screen& screen, const char* mark, const std::string& text) {
    screen.leave({{{mark, terminal::Style::kAccent}, {terminal_safe(text)}}});
    history_.add(text);
    return {text};
  }

  static Typed dropped(Screen& screen) {
    screen.leave({});
    return {};
  }

  Typed over(Screen& screen, Screen::Event event) {
    screen.leave({});
    if (event == Screen::Event::kSignal) signal_number_ = screen.signal_number();
    return {{}, true};
  }

  bool color_;
  std::string typed_;
  terminal::LineHistory history_;
  int signal_number_ = 0;
};

bool is_farewell(const std::string& line) {
  return line == ".quit" || line == ".exit" || line == "quit" || line == "exit";
}

}  // namespace

int run_sql_prompt(const std::function<void(const std::string&)>& run) {
  Prompt prompt;
  std::string open;  // the lines of a statement without its semicolon
  for (Typed typed = prompt.ask(kFirstMark); !typed.is_over;
       typed = prompt.ask(open.empty() ? kFirstMark : kGoOnMark)) {
    if (!typed.text) {
      open.clear();
      continue;
    }
    const bool is_first = open.empty();
    open += *typed.text;
    if (is_first && is_farewell(open)) break;
    if (!(is_first && open.starts_with('.')) && app::is_open_statement(open)) {
      open += '\n';
      continue;
    }
    if (open.find_first_not_of(" \t\n") != std::string::npos) {
      keep_history(prompt.history());  // before: whoever closes the terminal ends the program in the query
      run(open);
    }
    open.clear();
  }
  keep_history(prompt.history());
  return prompt.signal_number() == 0 ? static_cast<int>(kOk) : kSignalBase + prompt.signal_number();
}

}  // namespace ttscope::cli
