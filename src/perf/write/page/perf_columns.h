#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyse/ops/op_reading.h"
#include "report/column_codec.h"

namespace ttscope::perf {

/// One op on one device, as the timeline draws it.
struct PageExecution {
  std::uint32_t row = 0;        ///< in OpsReport::rows
  std::uint32_t table_row = 0;  ///< in ShownOps::rows
  std::uint32_t signpost = 0;   ///< in PageExecutions::signposts; 0: before the first
};

struct PageExecutions {
  std::vector<PageExecution> list;     ///< device by device, in order
  std::vector<std::string> signposts;  ///< the first one is empty
};
PageExecutions find_executions(const OpsReport& table, const ShownOps& ops);

/// The columns of the page. What is given must live until the blobs are encoded.
void add_execution_columns(report::PageBlobs& blobs, const OpsReport& table,
                           const PageExecutions& executions);
void add_row_columns(report::PageBlobs& blobs, const OpsReport& table, const OpReading& reading,
                     const PageExecutions& executions);
void add_kind_columns(report::PageBlobs& blobs, const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
