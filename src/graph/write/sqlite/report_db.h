#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/model/report_tables.h"

namespace ttscope::graph {

/// Writes the database atomically; a file that is there is replaced.
Result<void> write_report_db(const ReportTables& tables, const std::string& path);

/// `CREATE TABLE ...` of one table.
std::string_view create_statement(ReportTable table);

}  // namespace ttscope::graph
