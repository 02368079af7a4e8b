#include "table/json_rows.h"

#include <utility>

namespace ttscope::table {

JsonRows::JsonRows(Table table, const std::vector<JsonField>& fields) : table_(std::move(table)) {
  members_.reserve(fields.size());
  for (const JsonField& field : fields) {
    const std::string_view column = field.column.empty() ? field.key : field.column;
    members_.push_back({field.key, table_.spec().find_column(column).value(), field.where_null});
  }
}

void JsonRows::write_next(JsonWriter& json) {
  for (const Member& member : members_) {
    const Cell cell = table_.cell(next_row_, member.column, scratch_);
    json.key(member.key);
    if (!cell.is_null() || member.where_null == WhereNull::kNull) {
      write_cell(json, cell);
    } else if (member.where_null == WhereNull::kZero) {
      json.value(0);
    } else {
      json.value(std::string_view());
    }
  }
  ++next_row_;
}

void write_cell(JsonWriter& json, const Cell& cell) {
  switch (cell.kind()) {
    case Cell::Kind::kNull:
      return json.value(nullptr);
    case Cell::Kind::kInteger:
      return json.value(cell.as_integer());
    case Cell::Kind::kReal:
      return json.value(cell.as_real());
    case Cell::Kind::kText:
      return json.value(cell.as_text());
    case Cell::Kind::kTruth:
      return json.value(cell.as_truth());
  }
}

}  // namespace ttscope::table
