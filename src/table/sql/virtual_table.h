#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "table/sql/scan.h"

struct sqlite3;

namespace ttscope::table {

/// Makes each table a virtual table of the connection: SQLite reads the cells where they are. The tables must
/// outlive the connection. How such tables work: https://www.sqlite.org/vtab.html
Result<void> create_virtual_tables(sqlite3* connection, std::vector<std::unique_ptr<ScannedTable>>& tables);

}  // namespace ttscope::table
