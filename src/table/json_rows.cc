#include "table/json_rows.h"

#include <algorithm>
#include <utility>

namespace ttscope::table {
namespace {

void write_null(JsonWriter& json, WhereNull where_null) {
  switch (where_null) {
    case WhereNull::kNull:
      return json.value(nullptr);
    case WhereNull::kZero:
      return json.value(0);
    case WhereNull::kEmptyText:
      return json.value(std::string_view());
    case WhereNull::kQuestionMark:
      return json.value(std::string_view("?"));
  }
}

}  // namespace

JsonRows::JsonRows(Table table, const std::vector<JsonField>& fields) : table_(std::move(table)) {
  members_.reserve(fields.size());
  for (const JsonField& field : fields) {
    const std::string_view column = field.column.empty() ? field.key : field.column;
    members_.push_back({field.key, table_.spec().find_column(column).value(), field.where_null});
  }
}

void JsonRows::take_all_but(const AllBut& left_out) {
  const std::vector<std::string_view>& out = left_out.columns;
  const std::vector<ColumnSpec>& columns = table_.spec().columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::find(out.begin(), out.end(), columns[i].name) == out.end())
      members_.push_back({columns[i].name, i, WhereNull::kNull});
  }
}

void JsonRows::write_array(JsonWriter& json, std::string_view key, std::size_t rows) {
  json.key(key);
  json.begin_array();
  for (; rows > 0 && next_row_ < table_.rows(); --rows) {
    json.begin_object();
    write_next(json);
    json.end_object();
  }
  json.end_array();
}

void JsonRows::write_next(JsonWriter& json) {
  if (next_row_ < table_.rows()) write_row(json, next_row_++);
}

void JsonRows::write_row(JsonWriter& json, std::size_t row) {
  for (const Member& member : members_) {
    const Cell cell = table_.cell(row, member.column, scratch_);
    json.key(member.key);
    if (cell.is_null()) {
      write_null(json, member.where_null);
    } else {
      write_cell(json, cell);
    }
  }
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
