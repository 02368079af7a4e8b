#include "base/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/double_text.h"
#include "base/json_escape.h"

namespace ttscope {
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
