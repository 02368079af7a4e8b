#include "base/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/number_text.h"
#include "base/text.h"

namespace ttscope {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighBits = 0x80 * kOnes;

/// Whether any of eight bytes is not printable ASCII, a quote, a backslash or `also`. A carry between the
/// bytes can raise an alarm for a neighbor, but never hides one.
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

namespace {

/// Longer strings are written in pieces of this size.
constexpr std::size_t kPieceBytes = 4096;
constexpr std::size_t kNumberBytes = 40;

static_assert(kNumberBytes >= kDoubleTextBytes);

/// Deeper levels are not indented further, so that what precedes a value has a bounded size.
constexpr std::size_t kIndentedLevels = 32;
constexpr std::size_t kSeparatorBytes = 2 + 2 * kIndentedLevels;

/// The size of the next piece of a string: no character is cut in two.
std::size_t piece_bytes(std::string_view text) {
  if (text.size() <= kPieceBytes) return text.size();
  std::size_t size_bytes = kPieceBytes;
  for (int step = 0; step < 3 && (text[size_bytes] & 0xC0) == 0x80; ++step) --size_bytes;
  return size_bytes;
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  char* to = put_string(name);
  *to++ = ':';
  if (style_.indented) *to++ = ' ';
  out_.commit(to);
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) { out_.commit(put_string(text)); }

void JsonWriter::value(std::int64_t number) {
  char* place = separated(out_.reserve(kSeparatorBytes + kNumberBytes));
  out_.commit(std::to_chars(place, place + kNumberBytes, number).ptr);
}

void JsonWriter::value(std::uint64_t number) {
  char* place = separated(out_.reserve(kSeparatorBytes + kNumberBytes));
  out_.commit(std::to_chars(place, place + kNumberBytes, number).ptr);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return value(nullptr);
  out_.commit(put_double(separated(out_.reserve(kSeparatorBytes + kNumberBytes)), number));
}

void JsonWriter::raw(std::string_view json) {
  out_.commit(separated(out_.reserve(kSeparatorBytes)));
  out_.write(json);
}

void JsonWriter::begin(char bracket) {
  char* to = separated(out_.reserve(kSeparatorBytes + 1));
  *to++ = bracket;
  out_.commit(to);
  ++depth_;
  first_ = true;
}

void JsonWriter::end(char bracket) {
  --depth_;
  char* to = out_.reserve(kSeparatorBytes + 1);
  if (!first_ && style_.indented) to = new_line(to);
  *to++ = bracket;
  out_.commit(to);
  first_ = false;
}

char* JsonWriter::separated(char* to) {
  if (after_key_) {
    after_key_ = false;
    return to;
  }
  if (!first_) *to++ = ',';
  first_ = false;
  return style_.indented && depth_ > 0 ? new_line(to) : to;
}

char* JsonWriter::new_line(char* to) const {
  *to++ = '\n';
  for (std::size_t level = std::min(depth_, kIndentedLevels); level > 0; --level) {
    *to++ = ' ';
    *to++ = ' ';
  }
  return to;
}

char* JsonWriter::put_string(std::string_view text) {
  constexpr std::size_t kAroundBytes = kSeparatorBytes + 4;  // the quotes and what follows a key
  const JsonEscapes escapes = style_.ascii ? JsonEscapes::kAscii : JsonEscapes::kHtmlSafe;
  std::size_t piece = piece_bytes(text);
  char* to = separated(out_.reserve(kAroundBytes + json_escaped_limit(piece)));
  *to++ = '"';
  to = put_json_escaped(to, text.substr(0, piece), escapes);
  while (piece < text.size()) {
    text.remove_prefix(piece);
    piece = piece_bytes(text);
    out_.commit(to);
    to = put_json_escaped(out_.reserve(kAroundBytes + json_escaped_limit(piece)), text.substr(0, piece),
                          escapes);
  }
  *to++ = '"';
  return to;
}

}  // namespace ttscope
