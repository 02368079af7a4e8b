#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/column_codec.h"
#include "table/table.h"

/// Blobs of pages from declared columns: rows of a table in the page's column codec. The bytes are made
/// later, from any thread; what the table reads must live until then.
namespace ttscope::report {

/// Rows of a table that a page shows, in its order.
struct BlobRows {
  table::Table table;
  std::size_t first = 0;
  std::size_t count = 0;
  /// Where it is there: the rows themselves, [first, first + count) are places in it.
  std::shared_ptr<const std::vector<std::uint32_t>> list = nullptr;
};

BlobRows all_rows(table::Table table);
BlobRows listed_rows(table::Table table, std::vector<std::uint32_t> rows);

/// How figures and truths are stored.
struct BlobForm {
  ColumnType type = ColumnType::kU32;
  Stored stored = Stored::kPlain;
  std::int64_t null_value =
      0;             ///< of null and of what does not fit; cut to the type: -1 is its highest value
  double scale = 1;  ///< reals are stored in units of 1 / scale, rounded; in these below 0 is 0
};

/// A blob and the declared column that it holds.
struct BlobColumn {
  std::string_view id;      ///< texts without codes are `ID.len` and `ID.bytes`
  std::string_view column;  ///< must be declared
  BlobForm form = {};
  /// Of a column of texts of which there are few: a byte each, the place of the text here. Null and texts
  /// that are not here are 0. Literals.
  std::vector<std::string_view> codes = {};
};

/// `prefix` stands before each id.
void add_columns(PageBlobs& blobs, const BlobRows& rows, std::string_view prefix,
                 const std::vector<BlobColumn>& columns);

/// Up to eight columns of truths as the bits of a byte, the first one lowest.
void add_flags(PageBlobs& blobs, std::string id, const BlobRows& rows,
               const std::vector<std::string_view>& columns);

}  // namespace ttscope::report
