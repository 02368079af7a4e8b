#pragma once

#include <string>

#include "table/cell.h"

namespace ttscope::table {

/// Appends a cell that is no text so that it reads back as it is: `12`, `0.1`, `1e+16`, `inf`, `true`;
/// nothing for null. Texts are for the caller to escape.
void append_exact(std::string& to, const Cell& cell);

/// The same for people: reals with 15 significant digits, so that sums do not end in 0.30000000000000004.
void append_readable(std::string& to, const Cell& cell);

}  // namespace ttscope::table
