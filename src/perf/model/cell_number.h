#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ttscope::perf {

/// A cell read as a number: NaN for an empty cell (also `nan`, `-` and `None`), nothing for a text that is no
/// number or one beyond any time or count (10^18).
std::optional<double> cell_number(std::string_view cell);
/// The same for a number that did not have to be read: nothing where it is beyond any time or count.
std::optional<double> report_number(double number);

/// A size cell: `32`, `32.0` or `32[17]` (padded, logical in brackets). -1, -1 for an empty or wrong cell.
struct CellSize {
  std::int64_t padded = -1;
  std::int64_t logical = -1;
};
CellSize cell_size(std::string_view cell);

}  // namespace ttscope::perf
