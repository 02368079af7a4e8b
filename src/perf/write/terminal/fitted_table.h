#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "perf/write/terminal/perf_cells.h"

namespace ttscope::perf {

/// A column of a table that fits the terminal. The last one is a text that takes what is left.
struct FittedColumn {
  std::string_view header;
  int rank = 0;  ///< where there is no room the largest leave first; 0 stays
  bool is_text = false;
};

struct FittedLine {
  std::vector<std::string> cells;  ///< safe to print; one for each column
  CellInk name_ink = CellInk::kNone;
  CellInk bound_ink = CellInk::kNone;  ///< of the column `Bound`
  bool is_muted = false;
};

/// Lines of cells that are at most as wide as the terminal.
class FittedTable {
 public:
  FittedTable(std::vector<FittedColumn> columns, std::size_t width, bool color)
      : columns_(std::move(columns)), width_(width), color_(color) {}

  void add(FittedLine line) { lines_.push_back(std::move(line)); }
  /// A line below a rule: a sum.
  void add_foot(FittedLine line) { feet_.push_back(std::move(line)); }
  void write(Writer& out) const;

 private:
  std::size_t gap_behind(std::size_t column) const;
  std::size_t sum_of(const std::vector<std::size_t>& widths) const;
  std::vector<std::size_t> find_widths() const;
  std::string text_of(const FittedLine& line, const std::vector<std::size_t>& widths) const;

  std::vector<FittedColumn> columns_;
  std::size_t width_;
  bool color_;
  std::vector<FittedLine> lines_;
  std::vector<FittedLine> feet_;
};

}  // namespace ttscope::perf
