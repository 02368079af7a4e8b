#pragma once

#include <cstddef>

#include "base/result.h"
#include "base/writer.h"
#include "table/row_source.h"

namespace ttscope::table {

struct TableTextOptions {
  std::size_t width = 0;  ///< columns of the terminal; 0: lines may have any length, nothing is cut
  /// The widths follow the rows whose texts take so much together, most often all; they are kept in memory.
  /// Later rows widen columns as they come.
  std::size_t measured_bytes = std::size_t{64} << 20;
};

/// Aligned text: a line of names, a rule, a line for each row. Numbers stand right, null is `-`. Texts are
/// escaped for terminals; where a line would be too wide, long texts lose their middle (both ends of a
/// location tell something), numbers never lose anything. The caller finishes the writer.
[[nodiscard]] Result<void> write_text(RowSource& rows, Writer& out, const TableTextOptions& options = {});

}  // namespace ttscope::table
