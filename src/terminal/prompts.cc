#include "terminal/prompts.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/text.h"
#include "terminal/frame.h"

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

void LineHistory::add(std::string_view line) {
  back_ = 0;
  draft_.clear();
  const bool is_blank = line.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (is_blank || (!lines_.empty() && lines_.back() == line)) return;
  lines_.emplace_back(line);
  if (lines_.size() > kMaxLines) lines_.erase(lines_.begin());
}

std::string LineHistory::older(const std::string& typed) {
  if (back_ == 0) draft_ = typed;
  if (back_ < lines_.size()) ++back_;
  return back_ == 0 ? typed : lines_[lines_.size() - back_];
}

std::string LineHistory::newer(const std::string& typed) {
  if (back_ == 0) return typed;
  --back_;
  return back_ == 0 ? draft_ : lines_[lines_.size() - back_];
}

LineHistory history_of(std::string_view text) {
  LineHistory history;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    history.add(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return history;
}

std::string text_of(const LineHistory& history) {
  std::string text;
  for (const std::string& line : history.lines()) text += line + "\n";
  return text;
}

namespace {

/// A folder with more names than this is not completed any quicker by reading on.
constexpr std::size_t kMaxNames = 100000;

bool is_folder(DIR* parent, const dirent& entry) {
  if (entry.d_type == DT_DIR) return true;
  if (entry.d_type != DT_UNKNOWN && entry.d_type != DT_LNK) return false;
  struct stat facts {};
  return fstatat(dirfd(parent), entry.d_name, &facts, 0) == 0 && S_ISDIR(facts.st_mode);
}

std::vector<std::string> names_in(const std::string& folder, std::string_view start) {
  std::vector<std::string> names;
  const auto close = [](DIR* open) { closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(opendir(folder.c_str()), close);
  if (!open) return names;
  while (const dirent* entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || name.substr(0, start.size()) != start) continue;
    if (name[0] == '.' && start.empty()) continue;
    names.push_back(std::string(name) + (is_folder(open.get(), *entry) ? "/" : ""));
    if (names.size() == kMaxNames) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string common_start(const std::vector<std::string>& names) {
  // In order, the first and the last differ first.
  const std::string& first = names.front();
  const std::string& last = names.back();
  const auto end = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
  std::string common(first.begin(), end);
  // Not in the middle of a character.
  while (!common.empty() && common.size() < first.size() &&
         (static_cast<unsigned char>(first[common.size()]) & 0xC0) == 0x80) {
    common.pop_back();
  }
  return common;
}

}  // namespace

std::string expand_home(std::string_view path, const std::string& home) {
  const bool is_home =
      !home.empty() && !path.empty() && path[0] == '~' && (path.size() == 1 || path[1] == '/');
  return is_home ? home + std::string(path.substr(1)) : std::string(path);
}

PathCompletion complete_path(const std::string& typed, const std::string& home) {
  if (typed == "~" && !home.empty()) return {"~/", {}};
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string start = typed.substr(folder.size());
  PathCompletion found{typed, names_in(folder.empty() ? "." : expand_home(folder, home), start)};
  if (found.candidates.empty()) return found;
  const std::string common = common_start(found.candidates);
  if (common.size() > start.size()) found.text = folder + common;
  if (found.candidates.size() == 1) found.candidates.clear();
  return found;
}

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
  constexpr std::size_t kMaxLength = 32768;
  if (state.text.size() + text.size() > kMaxLength) return;
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
  constexpr std::size_t kMaxShown = 200;
  std::string names;
  for (std::size_t i = 0; i < std::min(state.candidates.size(), kMaxShown); ++i) {
    names += (i == 0 ? "" : "  ") + terminal_safe(state.candidates[i]);
  }
  const std::size_t room = size.columns > 3 ? size.columns - 3 : 1;
  const std::size_t most = std::clamp<std::size_t>(size.rows / 3, 1, 6);
  std::vector<std::string> parts = wrapped(names, room);
  const bool is_cut = parts.size() > most || state.candidates.size() > kMaxShown;
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
  constexpr std::size_t kMarkerAndGap = 4;
  const bool has_detail = !detail.empty() && kMarkerAndGap + label_columns + text_columns(detail) <= room;
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
  constexpr std::size_t kMinLabel = 12;
  constexpr std::size_t kMarkerAndGap = 4;
  const std::size_t left = room > detail + kMarkerAndGap ? room - detail - kMarkerAndGap : 0;
  return left >= kMinLabel ? std::min(label, left) : label;
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
