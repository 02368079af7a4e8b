#pragma once

#include <cstdint>

#include "table/cell.h"

namespace ttscope::table {

/// What a filter asks of a cell. The values are their letters in the text of a plan.
enum class Comparison : char {
  kEqual = '=',
  kLess = '<',
  kLessOrEqual = 'l',
  kGreater = '>',
  kGreaterOrEqual = 'g',
  kIsNull = 'n',
  kIsNotNull = 'x',
};

/// -1, 0 or 1 in the order of SQLite: null before numbers before texts; whole and real numbers by their exact
/// values; texts by bytes; truths are 0 and 1.
int compare_cells(const Cell& a, const Cell& b);

/// Whether `cell` stands in this relation to `value`, which is not null where it is compared with.
bool passes(const Cell& cell, Comparison comparison, const Cell& value);

/// Equal for cells that compare_cells() finds equal.
std::uint32_t hash_cell(const Cell& cell);

}  // namespace ttscope::table
