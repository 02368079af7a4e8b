#include "terminal/list_prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text_escape.h"
#include "terminal/text_width.h"

namespace ttscope::terminal {
namespace {

/// Letters of ASCII only: other alphabets have to be typed as they are written.
std::string folded(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool begins_with(const std::string& label, const std::string& letter) {
  return folded(label).compare(0, letter.size(), folded(letter)) == 0;
}

/// The next item that begins with the letter, the first again after the last.
void go_to_letter(const ListSpec& spec, ListState& state, const std::string& letter) {
  for (std::size_t step = 1; step <= spec.items.size(); ++step) {
    const std::size_t at = (state.selected + step) % spec.items.size();
    if (!begins_with(spec.items[at].label, letter)) continue;
    state.selected = at;
    return;
  }
}

void drop_last_character(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

void move_selection(ListState& state, std::size_t count, long long steps) {
  if (count == 0) return;
  const long long wanted = static_cast<long long>(state.selected) + steps;
  state.selected =
      static_cast<std::size_t>(std::clamp<long long>(wanted, 0, static_cast<long long>(count) - 1));
}

/// A single step goes round at the ends.
void step_selection(ListState& state, std::size_t count, bool down) {
  if (count == 0) return;
  state.selected = (state.selected + (down ? 1 : count - 1)) % count;
}

bool press_movement(ListState& state, std::size_t count, const Key& key, std::size_t page) {
  const auto far = static_cast<long long>(std::max<std::size_t>(page, 1));
  switch (key.code) {
    case KeyCode::kUp:
    case KeyCode::kBackTab:
      step_selection(state, count, false);
      return true;
    case KeyCode::kDown:
    case KeyCode::kTab:
      step_selection(state, count, true);
      return true;
    case KeyCode::kPageUp:
      move_selection(state, count, -far);
      return true;
    case KeyCode::kPageDown:
      move_selection(state, count, far);
      return true;
    case KeyCode::kHome:
      state.selected = 0;
      return true;
    case KeyCode::kEnd:
      state.selected = count == 0 ? 0 : count - 1;
      return true;
    default:
      break;
  }
  if (key.is_control('n')) return step_selection(state, count, true), true;
  if (key.is_control('p')) return step_selection(state, count, false), true;
  return false;
}

/// A character in a list that is not filtered.
void press_letter(const ListSpec& spec, ListState& state, const std::string& letter) {
  if (letter == "j") return step_selection(state, spec.items.size(), true);
  if (letter == "k") return step_selection(state, spec.items.size(), false);
  if (letter.size() == 1 && letter[0] >= '1' && letter[0] <= '9') {
    const auto number = static_cast<std::size_t>(letter[0] - '0');
    if (number <= spec.items.size()) state.selected = number - 1;
    return;
  }
  go_to_letter(spec, state, letter);
}

void press_filter(ListState& state, const std::string& character) {
  if (!state.is_filtering && character == "/") {
    state.is_filtering = true;
    return;
  }
  state.is_filtering = true;
  state.filter += character;
  state.selected = 0;
}

void press_backspace(ListState& state) {
  if (state.filter.empty()) state.is_filtering = false;
  drop_last_character(state.filter);
  state.selected = 0;
}

std::string hint_text(const ListSpec& spec, const ListState& state, std::size_t count) {
  if (state.is_filtering) {
    return fmt::format("{} of {}, Esc for all", count, spec.items.size());
  }
  return fmt::format("arrows and Enter{}, q {}", spec.filters ? ", letters filter" : "", spec.back_word);
}

Line item_line(const ListItem& item, bool is_selected, std::size_t label_columns, std::size_t room) {
  const Style style = is_selected ? Style::kAccent : Style::kPlain;
  Line line = {{is_selected ? "❯ " : "  ", style}};
  const std::string label = terminal_safe(item.label);
  const std::string detail = terminal_safe(item.detail);
  constexpr std::size_t kMarkAndGap = 4;
  const bool has_detail = !detail.empty() && kMarkAndGap + label_columns + text_columns(detail) <= room;
  if (!has_detail) {
    line.push_back({label, style});
    return line;
  }
  line.push_back({padded_to(cut_to(label, label_columns), label_columns + 2), style});
  line.push_back({detail, is_selected ? Style::kAccent : Style::kDim});
  return line;
}

/// As wide as the widest label, less where the details need the room.
std::size_t label_room(const ListSpec& spec, std::size_t room) {
  std::size_t label = 0;
  std::size_t detail = 0;
  for (const ListItem& item : spec.items) {
    label = std::max(label, text_columns(terminal_safe(item.label)));
    detail = std::max(detail, text_columns(terminal_safe(item.detail)));
  }
  constexpr std::size_t kLeastLabel = 12;
  constexpr std::size_t kMarkAndGap = 4;
  const std::size_t left = room > detail + kMarkAndGap ? room - detail - kMarkAndGap : 0;
  return left >= kLeastLabel ? std::min(label, left) : label;
}

/// The lines above the items.
std::vector<Line> head_lines(const ListSpec& spec, const ListState& state, Size size) {
  std::vector<Line> lines;
  const std::size_t room = size.columns > 3 ? size.columns - 3 : 1;
  for (const std::string& part : wrapped(terminal_safe(spec.question), room)) {
    lines.push_back({{lines.empty() ? "? " : "  ", Style::kAccent}, {part, Style::kBold}});
  }
  const std::size_t count = shown_items(spec, state).size();
  for (const std::string& part : wrapped(hint_text(spec, state, count), room)) {
    lines.push_back({{"  " + part, Style::kDim}});
  }
  // With few rows the list matters more than what is said about it.
  while (lines.size() > 1 && lines.size() + 3 > size.rows) lines.pop_back();
  if (state.is_filtering) lines.push_back({{"  filter: ", Style::kDim}, {terminal_safe(state.filter) + "▏"}});
  return lines;
}

}  // namespace

std::vector<std::size_t> shown_items(const ListSpec& spec, const ListState& state) {
  const std::string wanted = folded(state.filter);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < spec.items.size(); ++i) {
    if (wanted.empty() || folded(spec.items[i].label).find(wanted) != std::string::npos) numbers.push_back(i);
  }
  return numbers;
}

ListStep press(const ListSpec& spec, ListState state, const Key& key, std::size_t page) {
  const std::size_t count = shown_items(spec, state).size();
  if (key.is_control('c')) return {state, KeyOutcome::kInterrupt};
  if (key.is_control('d')) return {state, KeyOutcome::kEnd};
  if (key.is(KeyCode::kEnter)) return {state, count == 0 ? KeyOutcome::kGoOn : KeyOutcome::kDone};
  if (key.is(KeyCode::kEscape)) {
    if (!state.is_filtering) return {state, KeyOutcome::kBack};
    return {{}, KeyOutcome::kGoOn};
  }
  if (press_movement(state, count, key, page)) return {state};
  if (key.is(KeyCode::kBackspace)) {
    press_backspace(state);
  } else if (key.is_control('u')) {
    state = {};
  } else if (key.is(KeyCode::kCharacter)) {
    if (!state.is_filtering && key.is_letter('q')) return {state, KeyOutcome::kBack};
    if (spec.filters) {
      press_filter(state, key.text);
    } else {
      press_letter(spec, state, key.text);
    }
  }
  return {state};
}

std::size_t chosen_item(const ListSpec& spec, const ListState& state) {
  return shown_items(spec, state).at(state.selected);
}

std::size_t list_rows(const ListSpec& spec, const ListState& state, Size size) {
  const std::size_t head = head_lines(spec, state, size).size();
  const std::size_t room = size.rows > head + 1 ? size.rows - head - 1 : 1;  // one row stays for `more`
  return std::max<std::size_t>(std::min(room, spec.items.size()), 1);
}

Frame render(const ListSpec& spec, const ListState& state, Size size) {
  Frame frame;
  frame.lines = head_lines(spec, state, size);
  const std::vector<std::size_t> numbers = shown_items(spec, state);
  const std::size_t rows = list_rows(spec, state, size);
  const std::size_t room = size.columns > 1 ? size.columns - 1 : 1;
  const std::size_t label_columns = label_room(spec, room);
  const std::size_t last_first = numbers.size() > rows ? numbers.size() - rows : 0;
  const std::size_t first = std::min(state.selected - std::min(state.selected, rows / 2), last_first);
  const std::size_t end = std::min(first + rows, numbers.size());
  for (std::size_t i = first; i < end; ++i) {
    if (i == state.selected) frame.cursor_row = frame.lines.size();
    frame.lines.push_back(item_line(spec.items[numbers[i]], i == state.selected, label_columns, room));
  }
  if (numbers.empty()) frame.lines.push_back({{"  nothing matches", Style::kDim}});
  if (numbers.size() > rows) {
    frame.lines.push_back({{fmt::format("  {} to {} of {}", first + 1, end, numbers.size()), Style::kDim}});
  }
  return fitted(std::move(frame), size);
}

}  // namespace ttscope::terminal
