#include "base/json_escape.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/utf8.h"

namespace ttscope {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighBits = 0x80 * kOnes;

/// Whether any of eight bytes is not printable ASCII, a quote, a backslash or `also`. A carry between the
/// bytes can raise an alarm for a neighbour, but never hides one.
bool any_special(std::uint64_t word, std::uint64_t also) {
  const std::uint64_t out_of_range = word | (word - 0x20 * kOnes) | (word + kOnes);
  const std::uint64_t quote = (word ^ ('"' * kOnes)) - kOnes;
  const std::uint64_t backslash = (word ^ ('\\' * kOnes)) - kOnes;
  const std::uint64_t other = (word ^ (also * kOnes)) - kOnes;
  return ((out_of_range | quote | backslash | other) & kHighBits) != 0;
}

/// The same for one byte.
constexpr std::array<bool, 256> special_bytes(unsigned char also) {
  std::array<bool, 256> special{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    special[byte] = byte < 0x20 || byte >= 0x7F || byte == '"' || byte == '\\' || byte == also;
  }
  return special;
}

char* put_unit(char* to, char32_t unit) {
  constexpr char kDigits[] = "0123456789abcdef";
  *to++ = '\\';
  *to++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) *to++ = kDigits[unit >> shift & 0xF];
  return to;
}

char* put_ascii_escape(char* to, char c) {
  constexpr std::string_view kShort = "\"\\\n\t\r\b\f";
  constexpr std::string_view kLetters = "\"\\ntrbf";
  const std::size_t at = kShort.find(c);
  if (at == std::string_view::npos) return put_unit(to, static_cast<unsigned char>(c));
  *to++ = '\\';
  *to++ = kLetters[at];
  return to;
}

char* put_code_point(char* to, char32_t code_point) {
  if (code_point < 0x10000) return put_unit(to, code_point);
  const char32_t offset = code_point - 0x10000;
  return put_unit(put_unit(to, 0xD800 + (offset >> 10)), 0xDC00 + (offset & 0x3FF));
}

/// `kAlso` is one more ASCII character to escape; a quote, which always is, stands for none.
template <JsonEscapes kEscapes, unsigned char kAlso>
char* put_escaped(char* to, std::string_view text) {
  static constexpr std::array<bool, 256> kSpecial = special_bytes(kAlso);
  const char* from = text.data();
  const char* const end = from + text.size();
  while (from != end) {
    std::uint64_t word = 0;
    while (end - from >= 8) {
      std::memcpy(&word, from, sizeof word);
      if (any_special(word, kAlso)) break;
      std::memcpy(to, &word, sizeof word);
      from += sizeof word;
      to += sizeof word;
    }
    while (from != end && !kSpecial[static_cast<unsigned char>(*from)]) *to++ = *from++;
    if (from == end) break;
    if (static_cast<unsigned char>(*from) < 0x80) {
      to = put_ascii_escape(to, *from++);
      continue;
    }
    const DecodedCharacter character = decode_utf8({from, static_cast<std::size_t>(end - from)});
    if (kEscapes == JsonEscapes::kAscii || is_control_character(character.code_point)) {
      to = put_code_point(to, character.code_point);
    } else if (character.valid) {
      to = std::copy_n(from, character.size_bytes, to);
    } else {
      to = std::copy(kReplacementUtf8.begin(), kReplacementUtf8.end(), to);
    }
    from += character.size_bytes;
  }
  return to;
}

}  // namespace

char* put_json_escaped(char* to, std::string_view text, JsonEscapes escapes) {
  if (escapes == JsonEscapes::kAscii) return put_escaped<JsonEscapes::kAscii, '"'>(to, text);
  return put_escaped<JsonEscapes::kHtmlSafe, '<'>(to, text);
}

}  // namespace ttscope
