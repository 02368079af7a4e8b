#pragma once

struct sqlite3;

namespace ttscope::table {

/// Adds `median(x)` and `percentile(x, p)`, p from 0 to 100, linear between neighbours; nulls do not count,
/// and of no values the result is null. Returns SQLite's code.
int add_aggregates(sqlite3* connection);

}  // namespace ttscope::table
