#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "table/cell.h"

namespace ttscope::table {

/// Rows one after the other: a table or the result of a query. What the writers read. Not thread safe.
///
///   while (true) {
///     const Result<bool> more = rows.next();
///     if (!more) return failure(more.error());
///     if (!*more) break;
///     use(rows.cell(0));
///   }
class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual const std::vector<std::string>& column_names() const = 0;
  /// Goes to the next row, to the first one at first; false behind the last. Not called again after that, nor
  /// after an error.
  [[nodiscard]] virtual Result<bool> next() = 0;
  /// A cell of this row. Its text is valid until the next call of cell() or next().
  virtual Cell cell(std::size_t column) = 0;
};

}  // namespace ttscope::table
