#include "cli/size_value.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

namespace ttscope::cli {
namespace {

/// Factor of a unit, 0 if it is none.
double unit_bytes(std::string_view unit) {
  std::string lower;
  for (const char c : unit) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (lower.empty() || lower == "b") return 1;
  constexpr std::array<std::string_view, 4> kPrefixes = {"k", "m", "g", "t"};
  double factor = 1;
  for (const std::string_view prefix : kPrefixes) {
    factor *= 1024;
    const std::string start(prefix);
    if (lower == start || lower == start + "b" || lower == start + "ib") return factor;
  }
  return 0;
}

/// The number at the start of a text, not below 0, and what stands behind it.
std::optional<double> take_number(std::string_view& text) {
  const std::string copy(text);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str() || !std::isfinite(number) || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - copy.c_str()));
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return number;
}

}  // namespace

std::optional<std::int64_t> parse_size(std::string_view text) {
  const std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  const double size_bytes = *number * unit_bytes(text);
  constexpr double kMost = 4e18;
  if (unit_bytes(text) == 0 || size_bytes > kMost) return std::nullopt;
  return std::llround(size_bytes);
}

std::optional<double> parse_share(std::string_view text) {
  const std::optional<double> number = take_number(text);
  return number && text == "%" ? std::optional<double>(*number / 100) : std::nullopt;
}

}  // namespace ttscope::cli
