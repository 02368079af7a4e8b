#pragma once

#include <cstddef>
#include <string_view>

namespace ttscope {

/// Which characters of a JSON string are escaped beside those that must be.
enum class JsonEscapes {
  kHtmlSafe,  ///< `<` and characters that act on a terminal; other UTF-8 is kept
  kAscii,     ///< everything that is not printable ASCII
};

/// The most that `text_bytes` of text can become.
constexpr std::size_t json_escaped_limit(std::size_t text_bytes) { return 6 * text_bytes; }

/// Writes the text as the inside of a JSON string and returns the end of it. json_escaped_limit(text.size())
/// bytes of room are needed. Invalid UTF-8 becomes U+FFFD.
char* put_json_escaped(char* to, std::string_view text, JsonEscapes escapes);

}  // namespace ttscope
