#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/column_codec.h"
#include "table/table.h"

/// Blobs of pages from declared columns: rows of a table in the page's column codec.
namespace ttscope::report {

/// Some rows of a table.
struct RowRange {
  table::Table table;
  std::size_t first = 0;
  std::size_t count = 0;
};

/// How a column of whole numbers or truths is stored.
struct BlobForm {
  ColumnType type = ColumnType::kU32;
  Stored stored = Stored::kPlain;
  std::int64_t null_value = 0;  ///< cut to the type: -1 is its highest value
};

/// A column of whole numbers or truths. The column must be declared.
void add_column(PageBlobs& blobs, std::string id, const RowRange& rows, std::string_view column,
                const BlobForm& form);

/// A column of texts of which there are few: a byte each, the position of the text in `names`. Null and texts
/// that are not there are 0. The names are literals.
void add_codes(PageBlobs& blobs, std::string id, const RowRange& rows, std::string_view column,
               std::vector<std::string_view> names);

/// Up to eight columns of truths as the bits of a byte, the first one lowest.
void add_flags(PageBlobs& blobs, std::string id, const RowRange& rows,
               const std::vector<std::string_view>& columns);

}  // namespace ttscope::report
