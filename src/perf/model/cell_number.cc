#include "perf/model/cell_number.h"

#include <charconv>
#include <cmath>

#include "base/text_search.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {
namespace {

constexpr double kLargest = 1e18;
constexpr double kLargestSize = 2147483647;  ///< products of two must fit in 63 bits
constexpr std::size_t kFastDigits = 15;      ///< so many are exact in a double

bool is_nothing(std::string_view text) {
  return text.empty() || text == "nan" || text == "NaN" || text == "-" || text == "None" || text == "NULL";
}

}  // namespace

std::optional<double> cell_number(std::string_view cell) {
  if (!cell.empty() && cell.size() <= kFastDigits) {
    std::uint64_t value = 0;
    std::size_t i = 0;
    for (; i < cell.size() && cell[i] >= '0' && cell[i] <= '9'; ++i) {
      value = value * 10 + static_cast<std::uint64_t>(cell[i] - '0');
    }
    if (i == cell.size()) return static_cast<double>(value);
  }
  cell = trimmed(cell);
  if (is_nothing(cell)) return kNoNumber;
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return report_number(value);
}

std::optional<double> report_number(double number) {
  if (!std::isfinite(number) || std::abs(number) > kLargest) return std::nullopt;
  return number;
}

CellSize cell_size(std::string_view cell) {
  const auto whole = [](std::string_view text) -> std::int64_t {
    const std::optional<double> number = cell_number(text);
    if (!number || !has_number(*number) || *number < 0 || *number > kLargestSize) return -1;
    return static_cast<std::int64_t>(*number);
  };
  const std::size_t open = cell.find('[');
  if (open == std::string_view::npos) {
    const std::int64_t size = whole(cell);
    return {size, size};
  }
  const std::size_t close = cell.find(']', open);
  if (close == std::string_view::npos) return {whole(cell.substr(0, open)), -1};
  return {whole(cell.substr(0, open)), whole(cell.substr(open + 1, close - open - 1))};
}

}  // namespace ttscope::perf
