#pragma once

#include <string_view>

namespace ttscope::graph {

/// What is decided when the figures of a capture are worked out. A set is chosen where options are read
/// (`ttscope graph --compat`, Figures of the tracker) and handed down; nothing below asks which set it is.
struct Rules {
  /// How documents call the set: `corrected` or `compat`.
  std::string_view name;
  /// The same for people.
  std::string_view title;
  /// L1 sums are unsigned: they wrap round at 2^64 when what is older than the capture is freed in it.
  /// Otherwise they are signed and a peak is never below 0.
  bool sums_wrap = false;
  /// Circular buffers and the like of all chips of a mesh are added up. Otherwise the fullest chip counts.
  bool chips_add_up = false;
  /// A node without a value that the original looks up, and counters out of order, are errors. Otherwise what
  /// is missing is derived from what is there.
  bool gaps_are_errors = false;
  /// It is said what the figures differ in from the original's.
  bool differences_told = true;
};

/// Figures that are right where the original's mislead.
inline constexpr Rules kCorrectedRules{"corrected", "corrected", false, false, false, true};
/// Exactly the figures of the original tracker.
inline constexpr Rules kCompatRules{"compat", "compat (the original's figures)", true, true, true, false};

}  // namespace ttscope::graph
