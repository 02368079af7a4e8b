#include "table/sql/plan.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace ttscope::table {
namespace {

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

bool asks_for_null(Comparison comparison) {
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
bool compares_as_it_is(Type column, int value_type) {
  if (column == Type::kText) return value_type == SQLITE_TEXT;
  return value_type == SQLITE_INTEGER || value_type == SQLITE_FLOAT;
}

/// A condition that the scan can test, at its place in the query.
struct Usable {
  int at;
  int column;
  Comparison comparison;
  bool halves;    ///< on a column in order
  bool is_exact;  ///< SQLite need not test it again
};

bool is_exact(sqlite3_index_info* plan, int at, Type type, Comparison comparison) {
  if (asks_for_null(comparison)) return true;
  sqlite3_value* value = nullptr;
  if (sqlite3_vtab_rhs_value(plan, at, &value) != SQLITE_OK || value == nullptr) return false;
  return compares_as_it_is(type, sqlite3_value_type(value));
}

std::optional<Usable> usable(ScannedTable& table, sqlite3_index_info* plan, int at) {
  const sqlite3_index_info::sqlite3_index_constraint& constraint = plan->aConstraint[at];
  const std::optional<Comparison> comparison = comparison_of(constraint.op);
  if (!constraint.usable || !comparison) return std::nullopt;
  const std::optional<Type> type = type_of_column(table.merged(), constraint.iColumn);
  if (!type || std::strcmp(sqlite3_vtab_collation(plan, at), "BINARY") != 0) return std::nullopt;
  const bool halves =
      constraint.iColumn < 0 || table.is_ascending(static_cast<std::size_t>(constraint.iColumn));
  // `x in (...)` is one scan for each value. SQLite itself tests it better where a scan reads all rows.
  if (sqlite3_vtab_in(plan, at, -1) && !halves) return std::nullopt;
  return Usable{at, constraint.iColumn, *comparison, halves, is_exact(plan, at, *type, *comparison)};
}

/// Rows that are read and rows that are left, by rough shares: there are no statistics.
struct Estimate {
  double read;
  double left;

  void apply(const Usable& condition, const MergedTable& table) {
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
bool comes_in_order(ScannedTable& table, const sqlite3_index_info& plan) {
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

}  // namespace

int choose_plan(ScannedTable& table, sqlite3_index_info* plan) {
  const auto rows = static_cast<double>(table.merged().rows());
  Estimate estimate{rows, rows};
  std::string text;
  int values = 0;
  for (int at = 0; at < plan->nConstraint; ++at) {
    const std::optional<Usable> condition = usable(table, plan, at);
    if (!condition) continue;
    plan->aConstraintUsage[at].argvIndex = ++values;
    plan->aConstraintUsage[at].omit = condition->is_exact ? 1 : 0;
    text += static_cast<char>(condition->comparison);
    text += std::to_string(condition->column);
    text += ',';
    estimate.apply(*condition, table.merged());
  }
  plan->orderByConsumed = comes_in_order(table, *plan) ? 1 : 0;
  plan->estimatedCost = std::log2(rows + 2) + 0.2 * estimate.read + estimate.left;
  plan->estimatedRows = std::max<sqlite3_int64>(1, static_cast<sqlite3_int64>(estimate.left));
  return set_plan_text(plan, text) ? SQLITE_OK : SQLITE_NOMEM;
}

PlannedFilters planned_filters(const MergedTable& table, const char* plan_text, sqlite3_value** values) {
  PlannedFilters planned;
  const std::string_view text = plan_text == nullptr ? "" : plan_text;
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const auto comparison = static_cast<Comparison>(*at++);
    int column = 0;
    at = std::from_chars(at, end, column).ptr + 1;
    sqlite3_value* value = *values++;
    if (asks_for_null(comparison)) {
      planned.filters.push_back({column, comparison, Cell::null()});
      continue;
    }
    const Type type = *type_of_column(table, column);
    const int value_type = sqlite3_value_type(value);
    if (value_type == SQLITE_NULL) {
      planned.nothing_passes = true;
    } else if (is_comparable(type, value_type)) {
      planned.filters.push_back({column, comparison, cell_of_value(type, value, planned.texts)});
    }
  }
  return planned;
}

}  // namespace ttscope::table
