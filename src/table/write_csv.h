#pragma once

#include "base/result.h"
#include "base/writer.h"
#include "table/row_source.h"

namespace ttscope::table {

/// A line of names, then a line for each row (RFC 4180 with LF, quoted where necessary, UTF-8 repaired). Null
/// is an empty cell, the empty text is `""`; truths are `true` and `false`; reals are written so that they
/// read back to the same number. Texts that a spreadsheet would run as a formula get an apostrophe. The
/// caller finishes the writer.
[[nodiscard]] Result<void> write_csv(RowSource& rows, Writer& out);

}  // namespace ttscope::table
