#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "table/sql/scan.h"

struct sqlite3_index_info;
struct sqlite3_value;

namespace ttscope::table {

/// xBestIndex: chooses which conditions of a query the scan tests and estimates what that costs. They are
/// written to the plan's text: `=3,g5,` are equality on column 3 and at least on column 5; their values come
/// in this order. Returns SQLite's code.
int choose_plan(ScannedTable& table, sqlite3_index_info* plan);

/// What the conditions of a plan are with these values.
struct PlannedFilters {
  std::vector<Filter> filters;
  bool nothing_passes = false;    ///< something is compared with null
  std::deque<std::string> texts;  ///< of the filters
};

/// xFilter: the reverse, for a plan's text. What cannot be tested exactly as SQLite would is left out;
/// SQLite tests it again.
PlannedFilters planned_filters(const MergedTable& table, const char* plan_text, sqlite3_value** values);

}  // namespace ttscope::table
