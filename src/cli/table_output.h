#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/row_source.h"

namespace ttscope::cli {

/// The forms that rows are written in.
enum class TableForm { kText, kCsv, kJson };

/// Writes rows to a path, `-` for standard output; the file is there as a whole or not at all. Text follows
/// the width of the terminal where standard output is one.
Result<void> write_rows(table::RowSource& rows, TableForm form, const std::string& path);

}  // namespace ttscope::cli
