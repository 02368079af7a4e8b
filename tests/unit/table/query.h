#pragma once

#include <string>
#include <vector>

#include "base/writer.h"
#include "table/sql/database.h"
#include "table/write.h"

namespace ttscope::table {

/// The result of a query as CSV, or `error: ...`.
inline std::string answer(Database& database, const std::string& sql) {
  Result<std::unique_ptr<RowSource>> rows = database.run(sql);
  if (!rows) return "error: " + rows.error().message;
  StringWriter out;
  if (const Result<void> written = write_csv(**rows, out); !written)
    return "error: " + written.error().message;
  if (!out.finish()) return "error: not finished";
  return out.text();
}

/// The same without the line of names.
inline std::string values(Database& database, const std::string& sql) {
  const std::string text = answer(database, sql);
  return text.rfind("error: ", 0) == 0 ? text : text.substr(text.find('\n') + 1);
}

}  // namespace ttscope::table
