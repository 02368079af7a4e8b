#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/none.h"
#include "report/column_codec.h"
#include "table/table.h"

namespace ttscope::report {

/// How a declared column is stored in a page.
struct BlobColumn {
  std::string_view blob;    ///< its id in the page; texts without codes are `ID.len` and `ID.bytes`
  std::string_view column;  ///< of the declaration
  ColumnType type = ColumnType::kU32;
  Stored stored = Stored::kPlain;
  double scale = 1;        ///< numbers are stored in units of 1 / scale, rounded; below 0 as 0
  std::int64_t null = -1;  ///< stored for null and what does not fit
  std::vector<std::string_view> codes = {};  ///< of a column of texts: their place here is stored
};

/// The rows of a table that a page shows, in its order; null: all.
using BlobRows = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Adds columns of a table to a page: figures in units of their own, codes and texts, of the rows that it
/// shows. The bytes are made later, from any thread; what the table reads must live until then. A column that
/// is not declared is a mistake of the caller and is left out.
void add_figure_blobs(const table::Table& table, const std::vector<BlobColumn>& columns, const BlobRows& rows,
                      PageBlobs& blobs);

}  // namespace ttscope::report
