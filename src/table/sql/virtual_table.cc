#include "table/sql/virtual_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "table/sql/plan.h"

namespace ttscope::table {
namespace {

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
  if (cursor.planned.nothing_passes) {
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

void give_text(sqlite3_context* result, std::string_view text, const std::string& scratch) {
  // What is not in the scratch lives as long as the profile, longer than any statement.
  sqlite3_result_text64(result, text.empty() ? "" : text.data(), text.size(),
                        lies_in(text, scratch) ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
}

int give_cell(sqlite3_vtab_cursor* cursor, sqlite3_context* result, int column) {
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
        give_text(result, cell.as_text(), at.scratch);
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
  module.xColumn = give_cell;
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
