#pragma once

#include <string>
#include <vector>

#include "table/table.h"

namespace ttscope::table {

/// What a table is, as markdown: a heading of `heading_level`, its sentence, and a table of its columns
/// (name, type, unit, meaning). For the generated documents.
std::string markdown_of(const TableSpec& table, int heading_level);
/// The same for a view, with its query.
std::string markdown_of(const View& view, int heading_level);

/// What there is to ask for, as aligned text for `--schema` and agents.
std::string schema_text(const std::vector<TableSpec>& tables, const std::vector<View>& views);

/// A column for Python's docstrings and the like: `line (integer): Line of the log`,
/// `size_bytes (integer, bytes): ...`.
std::string docstring_of(const ColumnSpec& column);

}  // namespace ttscope::table
