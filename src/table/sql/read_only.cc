#include "table/sql/read_only.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace ttscope::table {
namespace {

/// Pragmas that tell about tables and change nothing.
constexpr std::array<std::string_view, 6> kReadingPragmas = {
    "table_info", "table_xinfo", "table_list", "function_list", "pragma_list", "collation_list"};

/// They load code, or take a pointer as a blob.
constexpr std::array<std::string_view, 2> kDangerousFunctions = {"load_extension", "fts3_tokenizer"};

template <typename Names>
bool contains(const Names& names, const char* name) {
  if (name == nullptr) return false;
  return std::any_of(names.begin(), names.end(), [name](std::string_view each) {
    return sqlite3_stricmp(each.data(), name) == 0;  // literals end in zero
  });
}

/// Everything is forbidden that is not known to read.
int authorize(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return contains(kDangerousFunctions, second) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      return contains(kReadingPragmas, first) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

void name_table(sqlite3* connection, const std::string& name) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(connection, ("SELECT * FROM " + name).c_str(), -1, &statement, nullptr);
  sqlite3_finalize(statement);
}

/// SQLite makes tables of its own (`pragma_table_info('ops')`, `json_each(text)`) when they are first named,
/// and would ask whether it may write the schema.
void make_own_tables(sqlite3* connection) {
  for (const std::string_view pragma : kReadingPragmas) {
    name_table(connection, "pragma_" + std::string(pragma));
  }
  for (const char* function : {"json_each('[]')", "json_tree('[]')"}) name_table(connection, function);
}

}  // namespace

int protect_connection(sqlite3* connection) {
  constexpr std::array<std::pair<int, int>, 7> kSettings = {{
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
      {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_DQS_DML, 0},
      {SQLITE_DBCONFIG_DQS_DDL, 0},
  }};
  for (const auto& [setting, value] : kSettings) {
    const int code = sqlite3_db_config(connection, setting, value, nullptr);
    if (code != SQLITE_OK) return code;
  }
  return sqlite3_exec(connection, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
}

void allow_only_reading(sqlite3* connection) {
  constexpr std::array<std::pair<int, int>, 8> kLimits = {{
      {SQLITE_LIMIT_LENGTH, 100'000'000},
      {SQLITE_LIMIT_SQL_LENGTH, 1'000'000},
      {SQLITE_LIMIT_EXPR_DEPTH, 200},
      {SQLITE_LIMIT_COMPOUND_SELECT, 100},
      {SQLITE_LIMIT_VDBE_OP, 1'000'000},
      {SQLITE_LIMIT_ATTACHED, 0},
      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
      {SQLITE_LIMIT_WORKER_THREADS, 0},
  }};
  make_own_tables(connection);
  for (const auto& [limit, value] : kLimits) sqlite3_limit(connection, limit, value);
  sqlite3_set_authorizer(
      connection,
      [](void*, int action, const char* first, const char* second, const char*, const char*) {
        return authorize(action, first, second);
      },
      nullptr);
}

}  // namespace ttscope::table
