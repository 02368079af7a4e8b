#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::terminal {

/// Lines that were typed before, for the arrow keys of a prompt. Plain data; the newest line is the last.
class LineHistory {
 public:
  static constexpr std::size_t kMostLines = 1000;

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

}  // namespace ttscope::terminal
