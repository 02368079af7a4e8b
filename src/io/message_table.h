#pragma once

#include "base/csv_scanner.h"

namespace ttscope::io {

/// How csvexport writes the messages of a Tracy capture (tracy_ops_data.csv): as they were given. tt-metal
/// and its tools put theirs into backticks, so that they may have lines; users' own may hold backticks
/// anywhere.
inline CsvFormat message_table_format() {
  return {.delimiter = ';', .quote = '`', .bare_quotes_start = "TT_"};
}

}  // namespace ttscope::io
