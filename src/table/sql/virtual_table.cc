#include "table/sql/virtual_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/sql/scan.h"

struct sqlite3_index_info;
struct sqlite3_value;

namespace ttscope::table {
namespace {

/// What the conditions of a plan are with these values.
struct PlannedFilters {
  std::vector<Filter> filters;
  bool is_always_false = false;   ///< something is compared with null
  std::deque<std::string> texts;  ///< of the filters
};

std::optional<Comparison> comparison_of(unsigned char operation) {
  switch (operation) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return Comparison::kEqual;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return Comparison::kLess;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return Comparison::kLessOrEqual;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return Comparison::kGreater;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return Comparison::kGreaterOrEqual;
    case SQLITE_INDEX_CONSTRAINT_ISNULL:
      return Comparison::kIsNull;
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL:
      return Comparison::kIsNotNull;
    default:
      return std::nullopt;
  }
}

bool tests_for_null(Comparison comparison) {
  return comparison == Comparison::kIsNull || comparison == Comparison::kIsNotNull;
}

/// Nothing: the column holds texts and numbers.
std::optional<Type> type_of_column(const MergedTable& table, int column) {
  if (column < 0) return Type::kInteger;
  const MergedTable::Column& of = table.columns()[static_cast<std::size_t>(column)];
  if (of.is_mixed) return std::nullopt;
  return of.spec.type;
}

/// Whether a value of this kind is compared with cells of the column as it is, whatever expression it is
/// from. Numbers are not so with texts: SQLite converts one or the other, by rules on the whole expression.
bool compares_unconverted(Type column, int value_type) {
  if (column == Type::kText) return value_type == SQLITE_TEXT;
  return value_type == SQLITE_INTEGER || value_type == SQLITE_FLOAT;
}

/// A condition that the scan can test, at its place in the query.
struct UsableCondition {
  int at;
  int column;
  Comparison comparison;
  bool halves;    ///< on a column in order
  bool is_exact;  ///< SQLite need not test it again
};

bool is_exact(sqlite3_index_info* plan, int at, Type type, Comparison comparison) {
  if (tests_for_null(comparison)) return true;
  sqlite3_value* value = nullptr;
  if (sqlite3_vtab_rhs_value(plan, at, &value) != SQLITE_OK || value == nullptr) return false;
  return compares_unconverted(type, sqlite3_value_type(value));
}

std::optional<UsableCondition> usable(ScannedTable& table, sqlite3_index_info* plan, int at) {
  const sqlite3_index_info::sqlite3_index_constraint& constraint = plan->aConstraint[at];
  const std::optional<Comparison> comparison = comparison_of(constraint.op);
  if (!constraint.usable || !comparison) return std::nullopt;
  const std::optional<Type> type = type_of_column(table.merged(), constraint.iColumn);
  if (!type || std::strcmp(sqlite3_vtab_collation(plan, at), "BINARY") != 0) return std::nullopt;
  const bool halves =
      constraint.iColumn < 0 || table.is_ascending(static_cast<std::size_t>(constraint.iColumn));
  // `x in (...)` is one scan for each value. SQLite itself tests it better where a scan reads all rows.
  if (sqlite3_vtab_in(plan, at, -1) && !halves) return std::nullopt;
  return UsableCondition{at, constraint.iColumn, *comparison, halves, is_exact(plan, at, *type, *comparison)};
}

/// Rows that are read and rows that are left, by rough shares: there are no statistics.
struct Estimate {
  double read;
  double left;

  void apply(const UsableCondition& condition, const MergedTable& table) {
    const bool is_equal = condition.comparison == Comparison::kEqual;
    if (condition.column == static_cast<int>(MergedTable::kProfile)) {
      const double share = 1.0 / static_cast<double>(std::max<std::size_t>(table.parts().size(), 1));
      read *= share;
      left *= share;
    } else if (condition.halves) {
      const double share = is_equal ? 4 / std::max(read, 4.0) : 0.3;
      read *= share;
      left *= share;
    } else {
      if (is_equal) read *= 0.2;  // repeated lookups get an index
      left *= is_equal ? 0.05 : 0.4;
    }
  }
};

/// Rows come in the order of the row numbers, and of ascending columns if there is one profile.
bool is_already_sorted(ScannedTable& table, const sqlite3_index_info& plan) {
  if (plan.nOrderBy != 1 || plan.aOrderBy[0].desc) return false;
  const int column = plan.aOrderBy[0].iColumn;
  if (column < 0) return true;
  return table.merged().parts().size() <= 1 && table.is_ascending(static_cast<std::size_t>(column));
}

/// Takes a text that belongs to SQLite, or null.
bool set_plan_text(sqlite3_index_info* plan, const std::string& text) {
  plan->idxStr = sqlite3_mprintf("%s", text.c_str());
  plan->needToFreeIdxStr = 1;
  return plan->idxStr != nullptr;
}

/// Owns a value of SQLite.
struct FreeValue {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};

Cell text_cell_of(sqlite3_value* value, std::deque<std::string>& texts) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) throw std::bad_alloc();
  return Cell::text(texts.emplace_back(text, static_cast<std::size_t>(sqlite3_value_bytes(value))));
}

Cell cell_of_value(Type column, sqlite3_value* value, std::deque<std::string>& texts) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return Cell::integer(sqlite3_value_int64(value));
    case SQLITE_FLOAT:
      return Cell::real(sqlite3_value_double(value));
    default:
      break;
  }
  if (column == Type::kText) return text_cell_of(value, texts);
  // The affinity of the column, applied as SQLite does: '12' is 12 to a column of numbers. On a copy, since
  // this changes the value.
  const std::unique_ptr<sqlite3_value, FreeValue> copy(sqlite3_value_dup(value));
  if (copy == nullptr) throw std::bad_alloc();
  if (sqlite3_value_numeric_type(copy.get()) == SQLITE_TEXT) return text_cell_of(copy.get(), texts);
  return cell_of_value(column, copy.get(), texts);
}

/// Whether cells of the column can be compared with the value without SQLite.
bool is_comparable(Type column, int value_type) {
  if (value_type == SQLITE_BLOB) return false;
  return column != Type::kText || value_type == SQLITE_TEXT;
}

/// xBestIndex: chooses which conditions of a query the scan tests and estimates what that costs. They are
/// written to the plan's text: `=3,g5,` are equality on column 3 and at least on column 5; their values come
/// in this order. Returns SQLite's code.
int choose_plan(ScannedTable& table, sqlite3_index_info* plan) {
  const auto rows = static_cast<double>(table.merged().rows());
  Estimate estimate{rows, rows};
  std::string text;
  int values = 0;
  for (int at = 0; at < plan->nConstraint; ++at) {
    const std::optional<UsableCondition> condition = usable(table, plan, at);
    if (!condition) continue;
    plan->aConstraintUsage[at].argvIndex = ++values;
    plan->aConstraintUsage[at].omit = condition->is_exact ? 1 : 0;
    text += static_cast<char>(condition->comparison);
    text += std::to_string(condition->column);
    text += ',';
    estimate.apply(*condition, table.merged());
  }
  plan->orderByConsumed = is_already_sorted(table, *plan) ? 1 : 0;
  plan->estimatedCost = std::log2(rows + 2) + 0.2 * estimate.read + estimate.left;
  plan->estimatedRows = std::max<sqlite3_int64>(1, static_cast<sqlite3_int64>(estimate.left));
  return set_plan_text(plan, text) ? SQLITE_OK : SQLITE_NOMEM;
}

/// xFilter: the reverse, for a plan's text. What cannot be tested exactly as SQLite would is left out;
/// SQLite tests it again.
PlannedFilters planned_filters(const MergedTable& table, const char* plan_text, sqlite3_value** values) {
  PlannedFilters planned;
  const std::string_view text = plan_text == nullptr ? "" : plan_text;
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const auto comparison = static_cast<Comparison>(*at++);
    int column = 0;
    at = std::from_chars(at, end, column).ptr + 1;
    sqlite3_value* value = *values++;
    if (tests_for_null(comparison)) {
      planned.filters.push_back({column, comparison, Cell::null()});
      continue;
    }
    const Type type = *type_of_column(table, column);
    const int value_type = sqlite3_value_type(value);
    if (value_type == SQLITE_NULL) {
      planned.is_always_false = true;
    } else if (is_comparable(type, value_type)) {
      planned.filters.push_back({column, comparison, cell_of_value(type, value, planned.texts)});
    }
  }
  return planned;
}

using Tables = std::vector<std::unique_ptr<ScannedTable>>;

// SQLite knows both by their first member and casts between them.
struct VirtualTable : sqlite3_vtab {
  ScannedTable* table = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(ScannedTable& table) : sqlite3_vtab_cursor{}, scan(table) {}
  Scan scan;
  PlannedFilters planned;
  std::string scratch;
};

Cursor& cursor_of(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }

/// Exceptions must not reach the C code that calls us.
template <typename Work>
int guarded(Work work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception&) {
    return SQLITE_ERROR;
  }
}

std::string_view sql_type(const MergedTable::Column& column) {
  if (column.is_mixed) return "";  // no affinity: nothing is converted
  switch (column.spec.type) {
    case Type::kInteger:
      return "INTEGER";
    case Type::kReal:
      return "REAL";
    case Type::kTruth:
      return "BOOLEAN";
    case Type::kText:
      break;
  }
  return "TEXT";
}

std::string declaration_of(const MergedTable& table) {
  std::string sql = "CREATE TABLE x(";
  for (const MergedTable::Column& column : table.columns()) {
    if (sql.back() != '(') sql += ", ";
    sql += '"';
    sql += column.spec.name;
    sql += "\" ";
    sql += sql_type(column);
  }
  return sql + ")";
}

int connect(sqlite3* connection, Tables& tables, std::string_view name, sqlite3_vtab** created) {
  const auto found = std::find_if(tables.begin(), tables.end(),
                                  [name](const auto& table) { return table->merged().name() == name; });
  if (found == tables.end()) return SQLITE_ERROR;
  const int code = sqlite3_declare_vtab(connection, declaration_of((*found)->merged()).c_str());
  if (code != SQLITE_OK) return code;
  sqlite3_vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
  auto virtual_table = std::make_unique<VirtualTable>();
  virtual_table->table = found->get();
  *created = virtual_table.release();
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* virtual_table) {
  delete static_cast<VirtualTable*>(virtual_table);
  return SQLITE_OK;
}

int best_index(sqlite3_vtab* virtual_table, sqlite3_index_info* plan) {
  return guarded([&] { return choose_plan(*static_cast<VirtualTable*>(virtual_table)->table, plan); });
}

int open_cursor(sqlite3_vtab* virtual_table, sqlite3_vtab_cursor** opened) {
  return guarded([&] {
    *opened = std::make_unique<Cursor>(*static_cast<VirtualTable*>(virtual_table)->table).release();
    return SQLITE_OK;
  });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}

void start_scan(Cursor& cursor, const char* plan_text, sqlite3_value** values) {
  const MergedTable& table = static_cast<VirtualTable*>(cursor.pVtab)->table->merged();
  cursor.planned = planned_filters(table, plan_text, values);
  if (cursor.planned.is_always_false) {
    cursor.scan.finish();
  } else {
    cursor.scan.start(cursor.planned.filters);
  }
}

int next_row(sqlite3_vtab_cursor* cursor) {
  return guarded([&] {
    Scan& scan = cursor_of(cursor).scan;
    scan.next();
    return scan.is_cancelled() ? SQLITE_INTERRUPT : SQLITE_OK;
  });
}

int is_at_end(sqlite3_vtab_cursor* cursor) { return cursor_of(cursor).scan.at_end() ? 1 : 0; }

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = cursor_of(cursor).scan.row_number();
  return SQLITE_OK;
}

void set_result_text(sqlite3_context* result, std::string_view text, const std::string& scratch) {
  // What is not in the scratch lives as long as the profile, longer than any statement.
  sqlite3_result_text64(result, text.empty() ? "" : text.data(), text.size(),
                        points_into(text, scratch) ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
}

int set_result_cell(sqlite3_vtab_cursor* cursor, sqlite3_context* result, int column) {
  return guarded([&] {
    Cursor& at = cursor_of(cursor);
    const Cell cell = at.scan.cell(static_cast<std::size_t>(column), at.scratch);
    switch (cell.kind()) {
      case Cell::Kind::kNull:
        sqlite3_result_null(result);
        break;
      case Cell::Kind::kInteger:
      case Cell::Kind::kTruth:
        sqlite3_result_int64(result, cell.as_integer());
        break;
      case Cell::Kind::kReal:
        sqlite3_result_double(result, cell.as_real());
        break;
      case Cell::Kind::kText:
        set_result_text(result, cell.as_text(), at.scratch);
        break;
    }
    return SQLITE_OK;
  });
}

/// Without the functions that would write.
sqlite3_module read_only_module() {
  sqlite3_module module{};
  module.iVersion = 1;
  module.xConnect = [](sqlite3* connection, void* tables, int, const char* const* arguments,
                       sqlite3_vtab** created, char**) {
    const char* table_name = arguments[2];
    return guarded([&] { return connect(connection, *static_cast<Tables*>(tables), table_name, created); });
  };
  // A function of its own: SQLite takes a module whose two are the same for a table of that name.
  module.xCreate = [](sqlite3* connection, void* tables, int, const char* const* arguments,
                      sqlite3_vtab** created, char**) {
    const char* table_name = arguments[2];
    return guarded([&] { return connect(connection, *static_cast<Tables*>(tables), table_name, created); });
  };
  module.xDisconnect = disconnect;
  module.xDestroy = disconnect;
  module.xBestIndex = best_index;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = [](sqlite3_vtab_cursor* cursor, int, const char* plan_text, int, sqlite3_value** values) {
    return guarded([&] {
      start_scan(cursor_of(cursor), plan_text, values);
      return cursor_of(cursor).scan.is_cancelled() ? SQLITE_INTERRUPT : SQLITE_OK;
    });
  };
  module.xNext = next_row;
  module.xEof = is_at_end;
  module.xColumn = set_result_cell;
  module.xRowid = row_id;
  return module;
}

}  // namespace

Result<void> create_virtual_tables(sqlite3* connection, Tables& tables) {
  static const sqlite3_module kModule = read_only_module();
  int code = sqlite3_create_module_v2(connection, "ttscope_profile", &kModule, &tables, nullptr);
  for (const std::unique_ptr<ScannedTable>& table : tables) {
    if (code != SQLITE_OK) break;
    const std::string name(table->merged().name());
    char* sql = sqlite3_mprintf("CREATE VIRTUAL TABLE \"%w\" USING ttscope_profile", name.c_str());
    code = sqlite3_exec(connection, sql, nullptr, nullptr, nullptr);
    sqlite3_free(sql);
  }
  if (code == SQLITE_OK) return {};
  return failure(bad_input(std::string("cannot make the tables: ") + sqlite3_errmsg(connection)));
}

}  // namespace ttscope::table
