#include "base/utf8.h"

#include <cstring>

namespace ttscope {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;
constexpr std::uint64_t kOnes = 0x0101010101010101;

std::uint64_t load_word(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// What a first byte says about its sequence. The range of the second byte is what excludes overlong forms,
/// surrogates and values over U+10FFFF.
struct Lead {
  std::uint32_t size_bytes = 0;  ///< 0: no sequence starts with this byte
  unsigned char second_low = 0x80;
  unsigned char second_high = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  if (byte >= 0xF1 && byte <= 0xF3) return {4};
  return {};
}

std::size_t ascii_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at + 8 <= text.size() && (load_word(text.data() + at) & kHighBits) == 0) at += 8;
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

/// Where the first invalid byte is, or the size of the text.
std::size_t valid_prefix(std::string_view text) {
  std::size_t at = 0;
  for (;;) {
    at += ascii_prefix(text.substr(at));
    if (at == text.size()) return at;
    const DecodedCharacter character = decode_utf8(text.substr(at));
    if (!character.valid) return at;
    at += character.size_bytes;
  }
}

}  // namespace

DecodedCharacter decode_utf8(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const Lead lead = lead_of(byte(0));
  if (lead.size_bytes == 0) return {};
  char32_t code_point = byte(0) & (0x7Fu >> lead.size_bytes);
  for (std::uint32_t at = 1; at < lead.size_bytes; ++at) {
    const unsigned char low = at == 1 ? lead.second_low : 0x80;
    const unsigned char high = at == 1 ? lead.second_high : 0xBF;
    if (at >= text.size() || byte(at) < low || byte(at) > high) return {kReplacementCharacter, at, false};
    code_point = code_point << 6 | (byte(at) & 0x3Fu);
  }
  return {code_point, lead.size_bytes, true};
}

void append_utf8(std::string& to, char32_t code_point) {
  const auto tail = [&](int shift) { to += static_cast<char>(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    to += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    to += static_cast<char>(0xC0 | code_point >> 6);
    tail(0);
  } else if (code_point < 0x10000) {
    to += static_cast<char>(0xE0 | code_point >> 12);
    tail(6);
    tail(0);
  } else {
    to += static_cast<char>(0xF0 | code_point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  constexpr std::size_t kLongestTail = 3;  // bytes of a character behind its first
  std::size_t end = most_bytes;
  while (end > 0 && most_bytes - end < kLongestTail && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return text.substr(0, end);
}

bool is_valid_utf8(std::string_view text) { return valid_prefix(text) == text.size(); }

std::string utf8_repaired(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  for (;;) {
    const std::size_t good = valid_prefix(text);
    repaired += text.substr(0, good);
    text.remove_prefix(good);
    if (text.empty()) return repaired;
    repaired += kReplacementUtf8;
    text.remove_prefix(decode_utf8(text).size_bytes);
  }
}

bool is_control_character(char32_t code_point) {
  if (code_point < 0x20 || (code_point >= 0x7F && code_point <= 0x9F)) return true;
  if (code_point == 0x061C || code_point == 0x200E || code_point == 0x200F) return true;
  return (code_point >= 0x2028 && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069);
}

std::size_t printable_ascii_prefix(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    const std::uint64_t word = load_word(text.data() + at);
    // A byte under 0x20 borrows, one over 0x7E reaches the high bit; carries can only add alarms, never hide
    // one.
    const std::uint64_t alarms = word | (word - 0x20 * kOnes) | (word + kOnes);
    if ((alarms & kHighBits) != 0) break;
  }
  while (at < text.size() && text[at] >= 0x20 && text[at] < 0x7F) ++at;
  return at;
}

}  // namespace ttscope
