#pragma once

#include <string>
#include <vector>

#include "terminal/frame.h"
#include "terminal/key.h"

namespace ttscope::terminal {

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

}  // namespace ttscope::terminal
