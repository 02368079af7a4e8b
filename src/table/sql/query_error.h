#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"
#include "table/table.h"

struct sqlite3;

namespace ttscope::table {

/// What a query may name.
struct QueryNames {
  std::vector<TableSpec> tables;  ///< with their column `profile`
  std::vector<View> views;
};

/// For statements that are no questions.
Error only_reading_error();

/// Who asked has taken the query back.
Error interrupted_error();

/// Why the last call on the connection failed, where in `sql`, and what may have been meant:
/// `no such column: opp (at character 8: "opp from ops"); did you mean op?`
Error query_error(sqlite3* connection, std::string_view sql, const QueryNames& names);

}  // namespace ttscope::table
