#include "report/number_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace ttscope::report {
namespace {

constexpr double kMb = 1048576.0;

std::string magnitude_text(double size_bytes) {
  struct Unit {
    double bytes;
    std::string_view name;
    int decimals;
  };
  static constexpr std::array<Unit, 4> kUnits = {
      {{kMb * kMb, "TB", 2}, {kMb * 1024, "GB", 2}, {kMb, "MB", 2}, {1024, "KB", 1}}};
  for (const Unit& unit : kUnits) {
    if (size_bytes >= unit.bytes)
      return fmt::format("{:.{}f} {}", size_bytes / unit.bytes, unit.decimals, unit.name);
  }
  return fmt::format("{:.0f} B", size_bytes);
}

}  // namespace

std::string size_text(std::int64_t size_bytes) {
  const double size = static_cast<double>(size_bytes);
  return size_bytes < 0 ? "-" + magnitude_text(-size) : magnitude_text(size);
}

std::string signed_size_text(std::int64_t size_bytes) {
  return size_bytes < 0 ? size_text(size_bytes) : "+" + size_text(size_bytes);
}

std::string mb_text(std::int64_t size_bytes, int decimals) {
  std::string text = fmt::format("{:.{}f}", static_cast<double>(size_bytes) / kMb, decimals);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text[0] == '-' ? text.substr(1) : text;
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  if (!plural.empty()) return fmt::format("{} {}", count_text(count), plural);
  return fmt::format("{} {}s", count_text(count), singular);
}

std::string percent_text(double fraction) {
  const double percent = fraction * 100;
  if (percent != 0 && std::abs(percent) < 0.05) return percent < 0 ? "> -0.1%" : "< 0.1%";
  return fmt::format("{:.1f}%", percent);
}

double ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::int64_t all_banks(std::int64_t bytes_per_bank, std::int64_t banks) {
  std::int64_t total = 0;
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  return __builtin_mul_overflow(bytes_per_bank, banks, &total) ? kLimit : total;
}

}  // namespace ttscope::report
