#pragma once

#include <cstddef>
#include <type_traits>

#include "base/json_writer.h"
#include "base/result.h"
#include "base/writer.h"
#include "table/declare.h"
#include "table/row_source.h"

namespace ttscope::table {

/// The cells of a row as members of the object that is open: for documents whose rows have more than a table.
void write_members(JsonWriter& json, const TableSpec& spec, const void* source, std::size_t row);
template <typename Source>
void write_members(JsonWriter& json, const TableOf<Source>& spec, const std::type_identity_t<Source>& source,
                   std::size_t row) {
  write_members(json, static_cast<const TableSpec&>(spec), static_cast<const void*>(&source), row);
}

/// An array of objects, a row a line, ASCII only. Columns of one name (a query may have them) are told apart:
/// `line`, `line_2`. What JSON does not have, infinity, is null. The caller finishes the writer.
[[nodiscard]] Result<void> write_json(RowSource& rows, Writer& out);

}  // namespace ttscope::table
