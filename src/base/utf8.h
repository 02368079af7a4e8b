#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;
inline constexpr std::string_view kReplacementUtf8 = "\xEF\xBF\xBD";
inline constexpr std::string_view kByteOrderMarkUtf8 = "\xEF\xBB\xBF";

/// What stands behind the byte order mark that some editors and shells put in front of UTF-8.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  return text.substr(text.starts_with(kByteOrderMarkUtf8) ? kByteOrderMarkUtf8.size() : 0);
}

/// One step of decoding.
struct DecodedCharacter {
  char32_t code_point = kReplacementCharacter;
  std::uint32_t size_bytes = 1;  ///< how much of the text it takes, at least 1
  bool valid = false;            ///< false: the bytes are no UTF-8 and stand for one U+FFFD
};

/// The character at the start of `text`, which must not be empty. Of invalid bytes it takes the longest start
/// of a valid sequence, so that a cut character becomes one U+FFFD (the practice that Unicode recommends).
DecodedCharacter decode_utf8(std::string_view text);

void append_utf8(std::string& to, char32_t code_point);

bool is_valid_utf8(std::string_view text);

/// At most so many bytes of the start of `text`; a character is not cut in two.
std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes);

/// The text with invalid bytes replaced by U+FFFD; a plain copy when there are none.
std::string utf8_repaired(std::string_view text);

/// Characters that act on a terminal or on the order of the text around them instead of being shown: C0, DEL,
/// C1, the line separators U+2028 and U+2029, and the marks that change writing direction.
bool is_control_character(char32_t code_point);

/// How many leading bytes are printable ASCII (space to `~`). Eight bytes a step.
std::size_t printable_ascii_prefix(std::string_view text);

}  // namespace ttscope
