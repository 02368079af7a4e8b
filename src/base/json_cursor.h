#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope {

/// Walks through JSON text value by value without building anything: for the outer part of documents whose
/// bulk is read otherwise, and for the exact place of an error. Checks the whole grammar of what it passes.
/// After a failure position() is where it was found and expected() what would be right there.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text, std::size_t position = 0) : text_(text), at_(position) {}

  std::size_t position() const { return at_; }
  void move_to(std::size_t position) { at_ = position; }
  std::string_view expected() const { return expected_; }

  /// The next character that is not white space, 0 at the end.
  char peek();
  /// Passes this character if it is the next one.
  bool take(char wanted);
  /// The inside of the string that is next, still escaped.
  std::optional<std::string_view> take_string();
  /// Passes a whole value and gives its text.
  std::optional<std::string_view> take_value();
  /// Whether nothing but white space is left.
  bool is_at_end() { return peek() == '\0' && at_ == text_.size(); }

 private:
  bool fail(std::string_view expected) {
    expected_ = expected;
    return false;
  }
  bool pass_key();
  bool pass_scalar();
  bool pass_number();
  bool open_or_pass();
  bool close_or_next();

  std::string_view text_;
  std::size_t at_;
  std::string_view expected_;
  std::vector<char> closers_;  ///< of the containers around the place
};

/// The text that the inside of a JSON string stands for; nothing if an escape is wrong. A half of a surrogate
/// pair becomes U+FFFD.
std::optional<std::string> json_unescaped(std::string_view escaped);

/// Line (from 1) and byte in that line (from 1) of a position, for messages.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};
TextPlace place_in(std::string_view text, std::size_t position);

}  // namespace ttscope
