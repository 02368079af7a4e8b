#pragma once

#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "base/writer.h"
#include "table/row_source.h"
#include "table/table.h"

namespace ttscope::table {

/// An array of objects, a row a line, ASCII only. Columns of one name (a query may have them) are told apart:
/// `line`, `line_2`. What JSON does not have, infinity, is null. The caller finishes the writer.
[[nodiscard]] Result<void> write_json(RowSource& rows, Writer& out);

/// The cells of one row as fields of the object that is being written, all columns but those left out.
void write_fields(const Table& table, std::size_t row, const std::vector<std::string_view>& left_out,
                  JsonWriter& json);

}  // namespace ttscope::table
