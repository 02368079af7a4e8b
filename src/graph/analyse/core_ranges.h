#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ttscope::graph {

/// A rectangle of cores, both corners included.
struct CoreRange {
  std::int64_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool operator==(const CoreRange&) const = default;
};

/// Reads `{[0-0 - 7-7], [0-8 - 3-8]}`, the older `{[(x=0,y=0) - (x=7,y=7)]}` and the JSON form with start and
/// end. Nothing if the text is none of these.
std::optional<std::vector<CoreRange>> parse_core_ranges(std::string_view text);

}  // namespace ttscope::graph
