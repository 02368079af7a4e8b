#include "cli/menu/line_ui.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "base/text_escape.h"
#include "cli/terminal.h"
#include "terminal/path_completion.h"
#include "terminal/text_width.h"

namespace ttscope::cli {
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
      if (question.is_path && means_back(answer)) return std::nullopt;
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

}  // namespace ttscope::cli
