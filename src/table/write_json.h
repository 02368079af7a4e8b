#pragma once

#include "base/result.h"
#include "base/writer.h"
#include "table/row_source.h"

namespace ttscope::table {

/// An array of objects, a row a line, ASCII only. Columns of one name (a query may have them) are told apart:
/// `line`, `line_2`. What JSON does not have, infinity, is null. The caller finishes the writer.
[[nodiscard]] Result<void> write_json(RowSource& rows, Writer& out);

}  // namespace ttscope::table
