#pragma once

#include <string>
#include <vector>

#include "terminal/frame.h"
#include "terminal/key.h"

namespace ttscope::terminal {

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
