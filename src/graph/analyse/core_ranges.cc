#include "graph/analyse/core_ranges.h"

#include <charconv>

namespace ttscope::graph {

// All forms are four numbers for each range, in the order x, y of the start and x, y of the end; only what
// stands between them differs.
std::optional<std::vector<CoreRange>> parse_core_ranges(std::string_view text) {
  constexpr std::int64_t kMostCores = 1 << 16;  // of a side; more is damage, not a chip
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] < '0' || text[at] > '9') {
      ++at;
      continue;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error != std::errc() || number >= kMostCores) return std::nullopt;
    numbers.push_back(number);
    at = static_cast<std::size_t>(end - text.data());
  }
  if (numbers.empty() || numbers.size() % 4 != 0) return std::nullopt;
  std::vector<CoreRange> ranges;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    const CoreRange range{numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]};
    if (range.x1 < range.x0 || range.y1 < range.y0) return std::nullopt;
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace ttscope::graph
