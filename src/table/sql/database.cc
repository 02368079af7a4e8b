#include "table/sql/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/resources.h"
#include "base/result.h"
#include "base/text.h"
#include "table/sql/virtual_table.h"
#include "table/table.h"

struct sqlite3;

namespace ttscope::table {
namespace {

/// What a query may name.
struct QueryNames {
  std::vector<TableSpec> tables;  ///< with their column `profile`
  std::vector<View> views;
};

constexpr std::size_t kShownBytes = 30;
constexpr std::string_view kNoColumn = "no such column: ";
constexpr std::string_view kNoTable = "no such table: ";
constexpr std::string_view kNoFunction = "no such function: ";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (at > 0 && is_word_character(text[at - 1])) continue;
    if (end < text.size() && is_word_character(text[end])) continue;
    return true;
  }
  return false;
}

/// The columns of the tables that the query names; of all if it names none (it asks a view).
std::vector<std::string_view> candidate_columns(std::string_view sql, const QueryNames& names) {
  const std::string lower = lower_case(sql);
  std::vector<std::string_view> columns;
  for (const bool only_named : {true, false}) {
    for (const TableSpec& table : names.tables) {
      if (only_named && !has_word(lower, table.name)) continue;
      for (const ColumnSpec& column : table.columns) columns.push_back(column.name);
    }
    if (!columns.empty()) break;
  }
  return columns;
}

std::vector<std::string_view> table_names(const QueryNames& names) {
  std::vector<std::string_view> all;
  all.reserve(names.tables.size());
  for (const TableSpec& table : names.tables) all.push_back(table.name);
  for (const View& view : names.views) all.push_back(view.name);
  return all;
}

std::string meant(std::string_view given, const std::vector<std::string_view>& candidates) {
  const std::string_view near = nearest_name(lower_case(given), candidates);
  const bool helps = !near.empty() && near != given;
  return helps ? fmt::format("; did you mean {}?", near) : "";
}

std::string advice_for(std::string_view message, std::string_view rest, std::string_view sql,
                       const QueryNames& names) {
  if (message.starts_with(kNoColumn)) {
    std::string_view given = message.substr(kNoColumn.size());
    given.remove_prefix(given.rfind('.') + 1);  // behind the table, if it is named
    std::string advice = meant(given, candidate_columns(sql, names));
    if (!advice.empty()) return advice;
    return rest.starts_with('"') ? "; texts stand in 'single' quotes" : "";
  }
  if (message.starts_with(kNoTable)) {
    const std::vector<std::string_view> tables = table_names(names);
    std::string advice = meant(message.substr(kNoTable.size()), tables);
    return advice.empty() ? fmt::format("; there are {}", fmt::join(tables, ", ")) : advice;
  }
  if (message.starts_with(kNoFunction)) {
    return meant(message.substr(kNoFunction.size()),
                 {"median",       "percentile", "count", "sum",   "total",  "avg",      "min",    "max",
                  "round",        "abs",        "sqrt",  "log",   "exp",    "pow",      "length", "substr",
                  "instr",        "replace",    "lower", "upper", "printf", "coalesce", "ifnull", "iif",
                  "group_concat", "row_number", "rank",  "lag",   "lead"});
  }
  return "";
}

/// A query must not take the machine's memory from others: a join without a condition, in order, would.
Error memory_error() {
  constexpr double kMb = 1 << 20;
  const auto limit_bytes = static_cast<double>(sqlite3_hard_heap_limit64(-1));
  return bad_input(
      fmt::format("the query needs more memory than it may take ({:.0f} MB): join on a condition, "
                  "or sort and group fewer rows",
                  limit_bytes / kMb));
}

/// For statements that are no questions.
Error read_only_error() {
  return bad_input(
      "only reading is allowed: select, with, values, explain, pragma table_info and table_list");
}

/// Who asked has taken the query back.
Error interrupted_error() { return bad_input("interrupted"); }

/// Why the last call on the connection failed, where in `sql`, and what may have been meant:
/// `no such column: opp (at character 8: "opp from ops"); did you mean op?`
Error query_error(sqlite3* connection, std::string_view sql, const QueryNames& names) {
  const int code = sqlite3_errcode(connection);
  const std::string message = sqlite3_errmsg(connection);
  if (code == SQLITE_INTERRUPT) return interrupted_error();
  if (code == SQLITE_NOMEM) return memory_error();
  if (code == SQLITE_AUTH && message == "not authorized") {
    return read_only_error();
  }
  const int offset = sqlite3_error_offset(connection);
  const bool has_place = offset >= 0 && static_cast<std::size_t>(offset) < sql.size();
  const std::string_view rest = has_place ? sql.substr(static_cast<std::size_t>(offset)) : std::string_view();
  std::string place;
  if (has_place) {
    place =
        fmt::format(" (at character {}: \"{}\")", offset + 1, terminal_safe(utf8_prefix(rest, kShownBytes)));
  }
  return bad_input(terminal_safe(message) + place + advice_for(message, rest, sql, names));
}

}  // namespace

}  // namespace ttscope::table

struct sqlite3_stmt;

namespace ttscope::table {
namespace {

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const;
};

using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// The rows of a running statement.
class QueryRows final : public RowSource {
 public:
  /// `names` is for errors and outlives the rows, as do the statement's connection and `cancelled`, which may
  /// be null.
  QueryRows(Statement statement, const QueryNames& names, const std::atomic<bool>* cancelled);

  const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] Result<bool> next() override;
  Cell cell(std::size_t column) override;

 private:
  Statement statement_;
  const QueryNames& known_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::string> names_;
  std::vector<bool> is_truth_;  ///< columns that are declared so
  std::string scratch_;
};

/// As SQL writes it: x'00FF'.
void put_blob_text(std::string& to, const void* bytes, int count) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  to = "x'";
  for (int at = 0; at < count; ++at) {
    const unsigned byte = static_cast<const unsigned char*>(bytes)[at];
    to += kDigits[byte >> 4];
    to += kDigits[byte & 0xF];
  }
  to += '\'';
}

void FinalizeStatement::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

QueryRows::QueryRows(Statement statement, const QueryNames& names, const std::atomic<bool>* cancelled)
    : statement_(std::move(statement)), known_(names), cancelled_(cancelled) {
  const int columns = sqlite3_column_count(statement_.get());
  for (int column = 0; column < columns; ++column) {
    const char* name = sqlite3_column_name(statement_.get(), column);
    const char* type = sqlite3_column_decltype(statement_.get(), column);
    names_.emplace_back(name == nullptr ? "" : name);
    is_truth_.push_back(type != nullptr && std::strcmp(type, "BOOLEAN") == 0);
  }
}

Result<bool> QueryRows::next() {
  // SQLite looks after many steps: a row of few that takes long to make or to write would put that off.
  if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed))
    return failure(interrupted_error());
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failure(query_error(sqlite3_db_handle(statement_.get()), sqlite3_sql(statement_.get()), known_));
}

Cell QueryRows::cell(std::size_t column) {
  const int at = static_cast<int>(column);
  sqlite3_stmt* statement = statement_.get();
  switch (sqlite3_column_type(statement, at)) {
    case SQLITE_INTEGER: {
      const std::int64_t number = sqlite3_column_int64(statement, at);
      return is_truth_[column] ? Cell::truth(number != 0) : Cell::integer(number);
    }
    case SQLITE_FLOAT:
      return Cell::real(sqlite3_column_double(statement, at));
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, at));
      if (text == nullptr) return Cell::null();  // out of memory, which the next step reports
      return Cell::text({text, static_cast<std::size_t>(sqlite3_column_bytes(statement, at))});
    }
    case SQLITE_BLOB:
      put_blob_text(scratch_, sqlite3_column_blob(statement, at), sqlite3_column_bytes(statement, at));
      return Cell::text(scratch_);
    default:
      return Cell::null();
  }
}

/// Memory that counts as SQLite's own, for Database::Options::most_bytes.
template <typename T>
struct CountedAllocator {
  using value_type = T;
  CountedAllocator() = default;
  template <typename Other>
  explicit CountedAllocator(const CountedAllocator<Other>&) {}
  T* allocate(std::size_t count) {
    void* bytes = sqlite3_malloc64(count * sizeof(T));
    if (bytes == nullptr) throw std::bad_alloc();
    return static_cast<T*>(bytes);
  }
  void deallocate(T* values, std::size_t) { sqlite3_free(values); }
  bool operator==(const CountedAllocator&) const { return true; }
};

using Values = std::vector<double, CountedAllocator<double>>;

struct Collected {
  Values values;
  double percent = 50;
  bool has_percent = false;
};

/// SQLite keeps one of these for each group, zeroed at first.
struct Group {
  Collected* collected;
};

Group* group_of(sqlite3_context* context, bool create) {
  return static_cast<Group*>(sqlite3_aggregate_context(context, create ? sizeof(Group) : 0));
}

bool is_number(sqlite3_value* value) {
  const int type = sqlite3_value_numeric_type(value);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/// False after an error.
bool set_percent(sqlite3_context* context, Collected& collected, sqlite3_value* value) {
  const double percent = is_number(value) ? sqlite3_value_double(value) : -1;
  if (!(percent >= 0 && percent <= 100)) {
    sqlite3_result_error(context, "the second argument of percentile() is a number from 0 to 100", -1);
    return false;
  }
  if (collected.has_percent && collected.percent != percent) {
    sqlite3_result_error(context, "the second argument of percentile() is the same for all rows", -1);
    return false;
  }
  collected.percent = percent;
  collected.has_percent = true;
  return true;
}

void collect(sqlite3_context* context, int count, sqlite3_value** values) {
  Group* group = group_of(context, true);
  if (group == nullptr) return sqlite3_result_error_nomem(context);
  try {
    if (group->collected == nullptr) group->collected = std::make_unique<Collected>().release();
    if (count > 1 && !set_percent(context, *group->collected, values[1])) return;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
    if (!is_number(values[0])) {
      return sqlite3_result_error(context, "median() and percentile() are of numbers", -1);
    }
    group->collected->values.push_back(sqlite3_value_double(values[0]));
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

double percentile_of(Values& values, double percent) {
  const double at = percent / 100 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto lower = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), lower, values.end());
  const double share = at - std::floor(at);
  if (share == 0) return *lower;
  const double upper = *std::min_element(lower + 1, values.end());
  return *lower * (1 - share) + upper * share;
}

void give_percentile(sqlite3_context* context) {
  Group* group = group_of(context, false);
  if (group == nullptr || group->collected == nullptr) return sqlite3_result_null(context);
  const std::unique_ptr<Collected> collected(std::exchange(group->collected, nullptr));
  if (collected->values.empty()) return sqlite3_result_null(context);
  sqlite3_result_double(context, percentile_of(collected->values, collected->percent));
}

/// Adds `median(x)` and `percentile(x, p)`, p from 0 to 100, linear between neighbors; nulls do not count,
/// and of no values the result is null. Returns SQLite's code.
int add_aggregates(sqlite3* connection) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  const int code = sqlite3_create_function_v2(connection, "median", 1, kFlags, nullptr, nullptr, collect,
                                              give_percentile, nullptr);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(connection, "percentile", 2, kFlags, nullptr, nullptr, collect,
                                    give_percentile, nullptr);
}

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
void create_builtin_tables(sqlite3* connection) {
  for (const std::string_view pragma : kReadingPragmas) {
    name_table(connection, "pragma_" + std::string(pragma));
  }
  for (const char* function : {"json_each('[]')", "json_tree('[]')"}) name_table(connection, function);
}

/// What is done to a fresh connection before any statement: no extensions, no changes of the schema behind
/// SQLite's back, nothing on disk (sorting too stays in memory), no texts in double quotes (a misspelt column
/// would be a text).
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

/// From here on statements can only read, within limits. After the tables and views are made.
void make_read_only(sqlite3* connection) {
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
  create_builtin_tables(connection);
  for (const auto& [limit, value] : kLimits) sqlite3_limit(connection, limit, value);
  sqlite3_set_authorizer(
      connection,
      [](void*, int action, const char* first, const char* second, const char*, const char*) {
        return authorize(action, first, second);
      },
      nullptr);
}

/// How many steps of SQLite's machine lie between two looks at the flag: about ten microseconds, if the
/// tables give a row at each. Walks over rows that do not pass look for themselves.
constexpr int kStepsBetweenChecks = 1000;

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
  ASSIGN_OR_RETURN(std::vector<MergedTable> merged, MergedTable::merge(profiles));
  Result<Connection> connection = open_connection();
  if (!connection) return failure(connection.error());
  auto state = std::make_unique<State>();
  state->connection = std::move(*connection);
  state->cancelled = options.cancelled;
  for (MergedTable& table : merged) {
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
  make_read_only(opened);
  sqlite3_hard_heap_limit64(options.most_bytes > 0 ? options.most_bytes : half_of_memory());
  if (options.cancelled != nullptr) {
    sqlite3_progress_handler(opened, kStepsBetweenChecks, is_cancelled,
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
  if (sqlite3_column_count(statement.get()) == 0) return failure(read_only_error());
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
