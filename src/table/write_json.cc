#include "table/write_json.h"

#include <set>
#include <string>
#include <vector>

#include "table/json_rows.h"

namespace ttscope::table {
namespace {

std::vector<std::string> different_names(const std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end());
  std::set<std::string> seen;
  std::vector<std::string> different;
  different.reserve(names.size());
  for (const std::string& name : names) {
    std::string each = name;
    if (!seen.insert(name).second) {
      for (int number = 2; !taken.insert(each = name + "_" + std::to_string(number)).second;) ++number;
    }
    different.push_back(each);
  }
  return different;
}

void write_row(RowSource& rows, const std::vector<std::string>& names, Writer& out) {
  JsonWriter json(out, {.ascii = true});
  json.begin_object();
  for (std::size_t column = 0; column < names.size(); ++column) {
    json.key(names[column]);
    write_cell(json, rows.cell(column));
  }
  json.end_object();
}

}  // namespace

Result<void> write_json(RowSource& rows, Writer& out) {
  const std::vector<std::string> names = different_names(rows.column_names());
  out.write('[');
  for (bool first = true;; first = false) {
    const Result<bool> more = rows.next();
    if (!more) return failure(more.error());
    if (!*more || out.has_failed()) {  // finish() says what failed
      out.write(first ? "]\n" : "\n]\n");
      return {};
    }
    out.write(first ? "\n" : ",\n");
    write_row(rows, names, out);
  }
}

}  // namespace ttscope::table
