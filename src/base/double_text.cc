#include "base/double_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace ttscope {
namespace {

/// Numbers from 1e-4 up to 1e16 are written without an exponent.
constexpr int kLeastPositionalExponent = -4;
constexpr int kFirstScientificExponent = 16;

/// Most figures have few decimals: they are an integer over a million. As that integer has at most 15 digits,
/// no shorter text can stand for the same number. Null if `number` (not negative) is not of this kind.
char* put_few_decimals(char* to, double number) {
  constexpr double kLeast = 1e-4;
  constexpr double kLimit = 1e9;
  constexpr std::uint64_t kScale = 1000000;
  constexpr int kDecimals = 6;
  if (number >= kLimit || (number < kLeast && number != 0)) return nullptr;
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
  if (exponent < kLeastPositionalExponent || exponent >= kFirstScientificExponent)
    return std::copy(begin, end, to);
  std::array<char, kDoubleTextBytes> digits;
  const char* const last = std::remove_copy(begin, mark, digits.data(), '.');
  return put_positional(to, {digits.data(), static_cast<std::size_t>(last - digits.data())}, exponent);
}

}  // namespace ttscope
