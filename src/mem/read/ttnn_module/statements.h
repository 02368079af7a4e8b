#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::mem {

/// One statement of a module's text: an op, the header of a function, a bracket that closes one.
struct Statement {
  std::string_view text;         ///< trimmed, without comments; the lines of a longer one joined with blanks
  std::uint32_t first_line = 0;  ///< index in the lines given
  std::uint32_t last_line = 0;
  bool opens_region = false;  ///< ends with `{` or `({`: what follows is inside
  bool is_whole = true;       ///< false: the text ends before its brackets do
};

/// Takes the lines of a module apart into statements. Lines that hold nothing (comments, aliases, resources)
/// are passed over. Constants, however large, are skipped and not copied.
class StatementReader {
 public:
  explicit StatementReader(const std::vector<std::string_view>& lines) : lines_(lines) {}

  /// The next statement; its text is valid until the next call. False at the end.
  bool next(Statement& statement);
  /// Passes over the region that the last statement opened. Returns the line that closes it, from its bracket
  /// on
  /// (`}) : () -> ()`); empty if the text ends inside it.
  std::string_view skip_region();

 private:
  bool is_passed_over(std::string_view line);
  bool goes_on() const;
  bool gather(Statement& statement, std::string_view first, int depth);

  const std::vector<std::string_view>& lines_;
  std::uint32_t at_ = 0;
  std::string joined_;
};

/// How far the brackets of one line are open behind it, constants and strings skipped; `line` loses a comment
/// at its end.
int open_brackets(std::string_view& line);

/// Behind the constant whose `<` stands at `open`: `dense<"0x...">`, `dense<[1, 2]>`, `dense<5>`; the end of
/// the text if it is cut.
std::size_t behind_constant(std::string_view text, std::size_t open);

}  // namespace ttscope::mem
