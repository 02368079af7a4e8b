#include "table/sql/query_rows.h"

#include <sqlite3.h>

#include <cstring>
#include <string_view>
#include <utility>

namespace ttscope::table {
namespace {

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

}  // namespace

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

}  // namespace ttscope::table
