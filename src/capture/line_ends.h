#pragma once

#include <string>
#include <string_view>

namespace ttscope::capture {

/// A pseudo-terminal writes `\r\n` for `\n`; the log gets what the program wrote. Other carriage returns, of
/// progress bars, stay.
class LineEnds {
 public:
  /// The bytes without the carriage returns before newlines; valid until the next call. A carriage return at
  /// the end is held back, because its newline may follow.
  std::string_view convert(std::string_view bytes);
  /// What was held back.
  std::string_view finish();

 private:
  std::string text_;
  bool holds_return_ = false;
};

}  // namespace ttscope::capture
