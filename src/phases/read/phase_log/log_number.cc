#include "phases/read/phase_log/log_number.h"

#include <array>
#include <charconv>

namespace ttscope::phases {

std::optional<double> read_log_number(std::string_view text, std::size_t* used) {
  constexpr std::size_t kLongest = 64;
  std::array<char, kLongest> digits{};
  std::size_t size = 0;
  std::size_t at = 0;
  bool point = false;
  bool any = false;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
    if (text[at] == '-') digits[size++] = '-';
    ++at;
  }
  for (; at < text.size() && size < kLongest; ++at) {
    const char c = text[at];
    const bool digit = c >= '0' && c <= '9';
    const bool next_is_digit = at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9';
    if (digit) {
      digits[size++] = c;
      any = true;
    } else if (c == '.' && !point && any) {
      digits[size++] = c;
      point = true;
    } else if (c != ',' || point || !any || !next_is_digit) {
      break;
    }
  }
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + size, number);
  if (!any || size == kLongest || error != std::errc()) return std::nullopt;
  if (used != nullptr) *used = at;
  return number;
}

}  // namespace ttscope::phases
