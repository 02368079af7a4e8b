#include "table/sql/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

#include "base/text_escape.h"
#include "base/usable_memory.h"
#include "table/sql/aggregates.h"
#include "table/sql/query_error.h"
#include "table/sql/query_rows.h"
#include "table/sql/read_only.h"
#include "table/sql/virtual_table.h"

namespace ttscope::table {
namespace {

/// How many steps of SQLite's machine lie between two looks at the flag: about ten microseconds, if the
/// tables give a row at each. Walks over rows that do not pass look for themselves.
constexpr int kStepsBetweenLooks = 1000;

struct CloseConnection {
  void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
};
using Connection = std::unique_ptr<sqlite3, CloseConnection>;

Result<Connection> open_connection() {
  sqlite3* opened = nullptr;
  constexpr int kFlags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
  int code = sqlite3_open_v2(":memory:", &opened, kFlags, nullptr);
  Connection connection(opened);
  if (code == SQLITE_OK) code = protect_connection(opened);
  if (code == SQLITE_OK) code = add_aggregates(opened);
  if (code == SQLITE_OK) return connection;
  return failure(bad_input(fmt::format("cannot start SQLite: {}", sqlite3_errstr(code))));
}

/// The other half is for the tables and what else runs.
std::int64_t half_of_memory() { return static_cast<std::int64_t>(usable_memory_bytes() / 2); }

Statement prepare(sqlite3* connection, std::string_view sql, const char** rest = nullptr) {
  sqlite3_stmt* prepared = nullptr;
  sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &prepared, rest);
  return Statement(prepared);
}

/// Whether the view was made; SQLite finds out when it is used that something is missing.
bool create_view(sqlite3* connection, const View& view) {
  const std::string create = fmt::format("CREATE VIEW \"{}\" AS {}", view.name, view.sql);
  if (sqlite3_exec(connection, create.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return false;
  if (prepare(connection, fmt::format("SELECT * FROM \"{}\"", view.name))) return true;
  sqlite3_exec(connection, fmt::format("DROP VIEW \"{}\"", view.name).c_str(), nullptr, nullptr, nullptr);
  return false;
}

int is_cancelled(void* flag) {
  return static_cast<const std::atomic<bool>*>(flag)->load(std::memory_order_relaxed) ? 1 : 0;
}

}  // namespace

struct Database::State {
  std::vector<std::unique_ptr<ScannedTable>> tables;
  QueryNames names;
  const std::atomic<bool>* cancelled = nullptr;
  Connection connection;  ///< last, since it reads the others until it is closed
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::vector<NamedTables>& profiles, const std::vector<View>& views,
                                Options options) {
  Result<std::vector<MergedTable>> merged = MergedTable::merge(profiles);
  if (!merged) return failure(merged.error());
  Result<Connection> connection = open_connection();
  if (!connection) return failure(connection.error());
  auto state = std::make_unique<State>();
  state->connection = std::move(*connection);
  state->cancelled = options.cancelled;
  for (MergedTable& table : *merged) {
    state->names.tables.push_back(table.spec());
    state->tables.push_back(std::make_unique<ScannedTable>(std::move(table), options.cancelled));
  }
  sqlite3* opened = state->connection.get();
  if (const Result<void> made = create_virtual_tables(opened, state->tables); !made) {
    return failure(made.error());
  }
  for (const View& view : views) {
    if (create_view(opened, view)) state->names.views.push_back(view);
  }
  allow_only_reading(opened);
  sqlite3_hard_heap_limit64(options.most_bytes > 0 ? options.most_bytes : half_of_memory());
  if (options.cancelled != nullptr) {
    sqlite3_progress_handler(opened, kStepsBetweenLooks, is_cancelled,
                             const_cast<std::atomic<bool>*>(options.cancelled));
  }
  return Database(std::move(state));
}

Result<std::unique_ptr<RowSource>> Database::run(const std::string& sql) {
  sqlite3* connection = state_->connection.get();
  const std::size_t zero = sql.find('\0');
  if (zero != std::string::npos) {
    return failure(bad_input(fmt::format("the query holds a zero byte at character {}", zero + 1)));
  }
  const char* rest = nullptr;
  Statement statement = prepare(connection, sql, &rest);
  if (sqlite3_errcode(connection) != SQLITE_OK) {
    return failure(query_error(connection, sql, state_->names));
  }
  if (!statement) return failure(bad_input("the query is empty"));
  if (sqlite3_column_count(statement.get()) == 0) return failure(only_reading_error());
  // Only blanks and comments may follow.
  const std::string_view behind = rest;
  if (prepare(connection, behind) || sqlite3_errcode(connection) != SQLITE_OK) {
    return failure(bad_input(fmt::format("one statement at a time is run; a second one begins at \"{}\"",
                                         terminal_safe(utf8_prefix(behind, 40)))));
  }
  return std::make_unique<QueryRows>(std::move(statement), state_->names, state_->cancelled);
}

const std::vector<TableSpec>& Database::tables() const { return state_->names.tables; }
const std::vector<View>& Database::views() const { return state_->names.views; }

}  // namespace ttscope::table
