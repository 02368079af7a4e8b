#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/frame.h"
#include "terminal/keys.h"

namespace ttscope::terminal {

/// A question that is answered by yes or no.
struct ConfirmSpec {
  std::string question;
  bool on_enter = false;  ///< the answer that Enter gives
};

struct ConfirmStep {
  bool answer = false;  ///< only with KeyOutcome::kDone
  KeyOutcome outcome = KeyOutcome::kGoOn;
};

ConfirmStep press(const ConfirmSpec& spec, const Key& key);

/// `(Y/n)`: the large letter is what Enter gives.
std::string choices_text(const ConfirmSpec& spec);

Frame render(const ConfirmSpec& spec, Size size);

/// Lines that were typed before, for the arrow keys of a prompt. Plain data; the newest line is the last.
class LineHistory {
 public:
  static constexpr std::size_t kMaxLines = 1000;

  /// Keeps a line: not an empty one, and not the same twice in a row. Ends the walk.
  void add(std::string_view line);
  /// The line before the one that is shown; `typed` is what stands in the prompt, kept for the way back. The
  /// oldest stays.
  std::string older(const std::string& typed);
  /// The line behind; at the end what was typed before the walk began.
  std::string newer(const std::string& typed);

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
  std::size_t back_ = 0;  ///< how far the walk is from the end; 0: it has not begun
  std::string draft_;
};

/// One line each; longer files lose their oldest lines. For keeping a history from one session to the next.
LineHistory history_of(std::string_view text);
std::string text_of(const LineHistory& history);

struct PathCompletion {
  std::string text;                     ///< the typed text, longer where only one way goes on
  std::vector<std::string> candidates;  ///< names that go on from there, folders with `/`; empty: none
};

/// `~` and `~/x` with the home folder in place of the `~`; other texts, and without a home all, as they are.
std::string expand_home(std::string_view path, const std::string& home);

/// Completes the last part of a path as shells do: as far as all names agree that begin with it. Hidden names
/// only count when a dot is typed. The `~` stays as it was typed.
PathCompletion complete_path(const std::string& typed, const std::string& home);

/// A question that is answered by a typed line.
struct LineSpec {
  std::string question;  ///< empty: none, the line alone
  std::string hint;
  std::string mark = "❯ ";  ///< stands before the line; two columns
};

struct LineState {
  std::string text{};
  std::size_t cursor = 0;  ///< in bytes, at the start of a character
  bool is_pasting = false;
  std::string complaint{};                ///< about the text, until it changes
  std::vector<std::string> candidates{};  ///< what it could be completed to, until it changes
};

struct LineStep {
  LineState state{};
  KeyOutcome outcome = KeyOutcome::kGoOn;
};

LineState line_of(std::string text);

/// What a key does. All characters can be typed; Esc leaves. A pasted line end does not answer the question.
LineStep press(LineState state, const Key& key);

Frame render(const LineSpec& spec, const LineState& state, Size size);

struct ListItem {
  std::string label;   ///< any text; escaped when shown
  std::string detail;  ///< shown beside it where there is room
};

/// A question that is answered by choosing from a list.
struct ListSpec {
  std::string question;
  std::vector<ListItem> items;
  /// Typed letters leave only the items that hold them, except `q` at the start. Without it letters go to the
  /// next item that begins with them, digits to the item of that number, `j` and `k` down and up.
  bool filters = false;
  std::string back_word = "back";  ///< what Esc and q do, for the hint
};

struct ListState {
  std::size_t selected = 0;  ///< among the items that are shown
  std::string filter{};
  bool is_filtering = false;  ///< `/` or a letter was typed: every letter belongs to the filter
};

struct ListStep {
  ListState state{};
  KeyOutcome outcome = KeyOutcome::kGoOn;
};

/// The items that the filter leaves, by their numbers.
std::vector<std::size_t> shown_items(const ListSpec& spec, const ListState& state);

/// What a key does; `page` is how far Page Up and Page Down go.
ListStep press(const ListSpec& spec, ListState state, const Key& key, std::size_t page);

/// The number of the chosen item; only after KeyOutcome::kDone.
std::size_t chosen_item(const ListSpec& spec, const ListState& state);

/// How many items are seen at once.
std::size_t list_rows(const ListSpec& spec, const ListState& state, Size size);

Frame render(const ListSpec& spec, const ListState& state, Size size);

}  // namespace ttscope::terminal
