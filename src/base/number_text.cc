#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/text.h"

namespace ttscope {
namespace {

/// Numbers from 1e-4 up to 1e16 are written without an exponent.
constexpr int kMinPositionalExponent = -4;
constexpr int kFirstScientificExponent = 16;

/// Most figures have few decimals: they are an integer over a million. As that integer has at most 15 digits,
/// no shorter text can stand for the same number. Null if `number` (not negative) is not of this kind.
char* put_few_decimals(char* to, double number) {
  constexpr double kMin = 1e-4;
  constexpr double kLimit = 1e9;
  constexpr std::uint64_t kScale = 1000000;
  constexpr int kDecimals = 6;
  if (number >= kLimit || (number < kMin && number != 0)) return nullptr;
  const auto scaled = static_cast<std::uint64_t>(std::llround(number * static_cast<double>(kScale)));
  if (static_cast<double>(scaled) / static_cast<double>(kScale) != number) return nullptr;
  to = std::to_chars(to, to + kDoubleTextBytes, scaled / kScale).ptr;
  *to++ = '.';
  auto decimals = static_cast<std::uint32_t>(scaled % kScale);
  for (int at = kDecimals - 1; at >= 0; --at, decimals /= 10) to[at] = static_cast<char>('0' + decimals % 10);
  int kept = kDecimals;
  while (kept > 1 && to[kept - 1] == '0') --kept;
  return to + kept;
}

/// `digits` with the point where `exponent` (that of the first digit) puts it.
char* put_positional(char* to, std::string_view digits, int exponent) {
  const auto put = [&to](std::string_view text) { to = std::copy(text.begin(), text.end(), to); };
  if (exponent < 0) {
    put("0.");
    to = std::fill_n(to, -exponent - 1, '0');
    put(digits);
    return to;
  }
  const auto before_point = static_cast<std::size_t>(exponent) + 1;
  put(digits.substr(0, before_point));
  if (digits.size() > before_point) {
    put(".");
    put(digits.substr(before_point));
  } else {
    to = std::fill_n(to, before_point - digits.size(), '0');
    put(".0");
  }
  return to;
}

}  // namespace

char* put_double(char* to, double number) {
  if (std::signbit(number)) *to++ = '-';
  number = std::fabs(number);
  if (char* end = put_few_decimals(to, number); end != nullptr) return end;
  std::array<char, kDoubleTextBytes> text;
  const char* const begin = text.data();
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific).ptr;
  const char* const mark = std::find(begin, end, 'e');
  int exponent = 0;
  std::from_chars(mark[1] == '+' ? mark + 2 : mark + 1, end, exponent);
  if (exponent < kMinPositionalExponent || exponent >= kFirstScientificExponent)
    return std::copy(begin, end, to);
  std::array<char, kDoubleTextBytes> digits;
  const char* const last = std::remove_copy(begin, mark, digits.data(), '.');
  return put_positional(to, {digits.data(), static_cast<std::size_t>(last - digits.data())}, exponent);
}

namespace {

template <typename T>
std::optional<T> parse_all(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> parse_whole(std::string_view text) { return parse_all<std::int64_t>(text); }

std::optional<std::uint64_t> parse_unsigned(std::string_view text) { return parse_all<std::uint64_t>(text); }

std::optional<double> parse_number(std::string_view text) {
  const std::optional<double> value = parse_all<double>(text);
  if (value && !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_whole_or_cut(std::string_view text) {
  if (const std::optional<std::int64_t> whole = parse_whole(text)) return whole;
  const std::optional<double> value = parse_number(text);
  constexpr double kLimit = 9.2e18;
  if (!value || *value >= kLimit || *value <= -kLimit) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<std::int64_t> parse_ticks(std::string_view text) {
  const std::optional<std::int64_t> value = parse_whole_or_cut(text);
  if (value && (*value > kMaxTicks || *value < -kMaxTicks)) return std::nullopt;
  return value;
}

namespace {

/// Neither a control character nor a backslash.
bool is_kept(char c) {
  constexpr unsigned char kDelete = 0x7f;
  const auto byte = static_cast<unsigned char>(c);
  return byte >= ' ' && byte != kDelete && c != '\\';
}

void append_escaped(std::string& to, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  switch (c) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    case '\\':
      to += "\\\\";
      return;
    default:
      break;
  }
  if (!is_kept(c)) {
    to += "\\x";
    to += kHex[byte >> 4];
    to += kHex[byte & 15];
  } else {
    to += c;
  }
}

}  // namespace

void append_python_repr(std::string& to, std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  to += quote;
  const bool plain = !has_single && std::all_of(text.begin(), text.end(), is_kept);
  if (plain) {
    to += text;
  } else {
    for (const char c : text) {
      if (c == quote) to += '\\';
      append_escaped(to, c);
    }
  }
  to += quote;
}

void append_python_float(std::string& to, double number) {
  if (std::isnan(number)) {
    to += "nan";
  } else if (std::isinf(number)) {
    to += number < 0 ? "-inf" : "inf";
  } else {
    std::array<char, kDoubleTextBytes> text{};
    to.append(text.data(), put_double(text.data(), number));
  }
}

double python_round(double number, int digits) {
  if (!std::isfinite(number)) return number;
  std::array<char, 400> text{};
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, digits);
  double rounded = number;
  std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

}  // namespace ttscope
