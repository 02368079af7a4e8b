#include "terminal/line_prompt.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "base/utf8.h"
#include "terminal/text_width.h"

namespace ttscope::terminal {
namespace {

/// One character as it is shown, and where it is in the text.
struct Shown {
  std::size_t offset = 0;
  std::string text{};
  std::size_t columns = 0;
};

std::vector<Shown> shown_characters(const std::string& text) {
  std::vector<Shown> characters;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = decode_utf8(std::string_view(text).substr(at)).size_bytes;
    std::string safe = terminal_safe(std::string_view(text).substr(at, size));
    const std::size_t columns = text_columns(safe);
    characters.push_back({at, std::move(safe), columns});
    at += size;
  }
  return characters;
}

/// Where the next character begins; marks belong to the character before them.
std::size_t next_start(const std::string& text, std::size_t at) {
  if (at >= text.size()) return text.size();
  at += decode_utf8(std::string_view(text).substr(at)).size_bytes;
  while (at < text.size()) {
    const DecodedCharacter mark = decode_utf8(std::string_view(text).substr(at));
    if (!mark.valid || character_columns(mark.code_point) > 0) break;
    at += mark.size_bytes;
  }
  return at;
}

std::size_t previous_start(const std::string& text, std::size_t at) {
  std::size_t start = 0;
  while (true) {
    const std::size_t next = next_start(text, start);
    if (next >= at) return start;
    start = next;
  }
}

bool is_separator(char c) { return c == ' ' || c == '/'; }

std::size_t word_left(const std::string& text, std::size_t at) {
  while (at > 0 && is_separator(text[at - 1])) --at;
  while (at > 0 && !is_separator(text[at - 1])) --at;
  return at;
}

std::size_t word_right(const std::string& text, std::size_t at) {
  while (at < text.size() && is_separator(text[at])) ++at;
  while (at < text.size() && !is_separator(text[at])) ++at;
  return at;
}

void insert(LineState& state, std::string_view text) {
  constexpr std::size_t kLongest = 32768;
  if (state.text.size() + text.size() > kLongest) return;
  state.text.insert(state.cursor, text);
  state.cursor += text.size();
}

void erase(LineState& state, std::size_t from, std::size_t to) {
  state.text.erase(from, to - from);
  state.cursor = from;
}

bool press_movement(LineState& state, const Key& key) {
  const std::size_t size = state.text.size();
  std::size_t& cursor = state.cursor;
  switch (key.code) {
    case KeyCode::kLeft:
      cursor = previous_start(state.text, cursor);
      return true;
    case KeyCode::kRight:
      cursor = next_start(state.text, cursor);
      return true;
    case KeyCode::kWordLeft:
      cursor = word_left(state.text, cursor);
      return true;
    case KeyCode::kWordRight:
      cursor = word_right(state.text, cursor);
      return true;
    case KeyCode::kHome:
      cursor = 0;
      return true;
    case KeyCode::kEnd:
      cursor = size;
      return true;
    case KeyCode::kControl:
      break;
    default:
      return false;
  }
  switch (key.text[0]) {
    case 'a':
      cursor = 0;
      return true;
    case 'e':
      cursor = size;
      return true;
    case 'b':
      cursor = previous_start(state.text, cursor);
      return true;
    case 'f':
      cursor = next_start(state.text, cursor);
      return true;
    default:
      return false;
  }
}

void press_erasing(LineState& state, const Key& key) {
  const std::size_t cursor = state.cursor;
  if (key.is(KeyCode::kBackspace)) {
    if (cursor > 0) erase(state, previous_start(state.text, cursor), cursor);
  } else if (key.is(KeyCode::kDelete) || key.is_control('d')) {
    erase(state, cursor, next_start(state.text, cursor));
  } else if (key.is_control('u')) {
    erase(state, 0, cursor);
  } else if (key.is_control('k')) {
    erase(state, cursor, state.text.size());
  } else if (key.is_control('w')) {
    erase(state, word_left(state.text, cursor), cursor);
  }
}

/// A path that was copied as a line ends with a newline; what comes behind it in the text is not part of it.
void press_pasted(LineState& state, const Key& key) {
  if (key.is(KeyCode::kPasteEnd)) {
    state.is_pasting = false;
    while (state.cursor > 0 && state.text[state.cursor - 1] == ' ')
      erase(state, state.cursor - 1, state.cursor);
  } else if (key.is(KeyCode::kCharacter)) {
    insert(state, key.text);
  } else if (key.is(KeyCode::kEnter) || key.is(KeyCode::kTab)) {
    insert(state, " ");
  }
}

/// The part of the line that is seen, with the cursor in it.
Line edited_line(const LineState& state, std::size_t room, std::size_t& cursor_column) {
  const std::vector<Shown> characters = shown_characters(state.text);
  std::size_t before = 0;
  std::size_t all = 0;
  for (const Shown& shown : characters) {
    if (shown.offset < state.cursor) before += shown.columns;
    all += shown.columns;
  }
  const std::size_t columns = std::max<std::size_t>(room, 2) - 1;  // the cursor behind the last character
  const std::size_t lead = columns * 2 / 3;
  const std::size_t skipped = all <= columns || before <= lead ? 0 : std::min(before - lead, all - columns);
  std::string text;
  std::size_t at = 0;
  std::size_t start = 0;
  bool has_start = false;
  for (const Shown& shown : characters) {
    if (at >= skipped && at + shown.columns <= skipped + columns) {
      if (!has_start) start = at;
      has_start = true;
      text += shown.text;
    }
    at += shown.columns;
  }
  cursor_column = before - std::min(has_start ? start : before, before);
  return {{text}};
}

void add_candidates(const LineState& state, Size size, std::vector<Line>& lines) {
  constexpr std::size_t kMostNames = 200;
  std::string names;
  for (std::size_t i = 0; i < std::min(state.candidates.size(), kMostNames); ++i) {
    names += (i == 0 ? "" : "  ") + terminal_safe(state.candidates[i]);
  }
  const std::size_t room = size.columns > 3 ? size.columns - 3 : 1;
  const std::size_t most = std::clamp<std::size_t>(size.rows / 3, 1, 6);
  std::vector<std::string> parts = wrapped(names, room);
  const bool is_cut = parts.size() > most || state.candidates.size() > kMostNames;
  parts.resize(std::min(parts.size(), most));
  for (const std::string& part : parts) lines.push_back({{"  " + part, Style::kAccent}});
  if (is_cut) lines.push_back({{fmt::format("  … {} names in all", state.candidates.size()), Style::kDim}});
}

}  // namespace

LineState line_of(std::string text) {
  LineState state;
  state.cursor = text.size();
  state.text = std::move(text);
  return state;
}

LineStep press(LineState state, const Key& key) {
  if (key.is_control('c')) return {state, KeyOutcome::kInterrupt};
  if (key.is(KeyCode::kPasteBegin)) {
    state.is_pasting = true;
    return {state};
  }
  const std::string before = state.text;
  KeyOutcome outcome = KeyOutcome::kGoOn;
  if (state.is_pasting) {
    press_pasted(state, key);
  } else if (key.is(KeyCode::kEnter)) {
    outcome = KeyOutcome::kDone;
  } else if (key.is(KeyCode::kTab)) {
    outcome = KeyOutcome::kComplete;
  } else if (key.is(KeyCode::kEscape)) {
    outcome = KeyOutcome::kBack;
  } else if (key.is_control('d') && state.text.empty()) {
    outcome = KeyOutcome::kEnd;
  } else if (key.is(KeyCode::kCharacter)) {
    insert(state, key.text);
  } else if (!press_movement(state, key)) {
    press_erasing(state, key);
  }
  if (state.text != before) {
    state.complaint.clear();
    state.candidates.clear();
  }
  return {state, outcome};
}

Frame render(const LineSpec& spec, const LineState& state, Size size) {
  Frame frame;
  frame.shows_cursor = true;
  const std::size_t room = size.columns > 3 ? size.columns - 3 : 1;
  if (!spec.question.empty()) {
    for (const std::string& part : wrapped(terminal_safe(spec.question), room)) {
      frame.lines.push_back({{frame.lines.empty() ? "? " : "  ", Style::kAccent}, {part, Style::kBold}});
    }
  }
  frame.cursor_row = frame.lines.size();
  Line line = {{spec.mark, Style::kAccent}};
  std::size_t column = 0;
  for (Span& span : edited_line(state, room, column)) line.push_back(std::move(span));
  frame.cursor_column = column + 2;
  frame.lines.push_back(std::move(line));
  if (!state.complaint.empty()) {
    for (const std::string& part : wrapped(terminal_safe(state.complaint), room)) {
      frame.lines.push_back({{"  " + part, Style::kBad}});
    }
  }
  if (!state.candidates.empty()) add_candidates(state, size, frame.lines);
  for (const std::string& part : wrapped(spec.hint, room))
    frame.lines.push_back({{"  " + part, Style::kDim}});
  return fitted(std::move(frame), size);
}

}  // namespace ttscope::terminal
