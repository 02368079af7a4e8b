#pragma once

struct sqlite3;

namespace ttscope::table {

/// What is done to a fresh connection before any statement: no extensions, no changes of the schema behind
/// SQLite's back, nothing on disk (sorting too stays in memory), no texts in double quotes (a misspelt column
/// would be a text).
int protect_connection(sqlite3* connection);

/// From here on statements can only read, within limits. After the tables and views are made.
void allow_only_reading(sqlite3* connection);

}  // namespace ttscope::table
