#include "terminal/confirm_prompt.h"

#include "base/text_escape.h"
#include "terminal/text_width.h"

namespace ttscope::terminal {

ConfirmStep press(const ConfirmSpec& spec, const Key& key) {
  if (key.is_control('c')) return {false, KeyOutcome::kInterrupt};
  if (key.is_control('d')) return {false, KeyOutcome::kEnd};
  if (key.is(KeyCode::kEnter)) return {spec.on_enter, KeyOutcome::kDone};
  if (key.is_letter('y')) return {true, KeyOutcome::kDone};
  if (key.is_letter('n')) return {false, KeyOutcome::kDone};
  if (key.is_letter('q') || key.is(KeyCode::kEscape)) return {false, KeyOutcome::kBack};
  return {};
}

std::string choices_text(const ConfirmSpec& spec) { return spec.on_enter ? "(Y/n)" : "(y/N)"; }

Frame render(const ConfirmSpec& spec, Size size) {
  Frame frame;
  frame.shows_cursor = true;
  const std::size_t room = size.columns > 4 ? size.columns - 4 : 1;
  for (const std::string& part : wrapped(terminal_safe(spec.question) + " " + choices_text(spec), room)) {
    frame.lines.push_back({{frame.lines.empty() ? "? " : "  ", Style::kAccent}, {part, Style::kBold}});
  }
  frame.cursor_row = frame.lines.size() - 1;
  frame.cursor_column = line_columns(frame.lines.back()) + 1;
  return fitted(std::move(frame), size);
}

}  // namespace ttscope::terminal
