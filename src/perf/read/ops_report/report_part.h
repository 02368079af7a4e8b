#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/model/ops_report.h"
#include "perf/read/ops_report/ops_columns.h"

namespace ttscope::perf {

/// Records of a report that were read on their own. Ids and lines count from the start of the part.
struct ReportPart {
  OpsReport table;
  std::vector<std::uint64_t> kind_hashes;  ///< by kind of the table
  std::uint64_t lines = 0;
};

/// Reads whole records, without a header.
void read_report_part(std::string_view text, const OpsColumns& columns, ReportPart& part);

}  // namespace ttscope::perf
