#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "perf/tables/table_source.h"
#include "report/column_codec.h"

namespace ttscope::perf {

/// One op on one device, as the timeline draws it.
struct PageExecution {
  std::uint32_t row = 0;        ///< in OpsReport::rows
  std::uint32_t table_row = 0;  ///< in ShownOps::rows
  std::uint32_t signpost = 0;   ///< in PageExecutions::signposts; 0: before the first
  double start_ns = kNoNumber;  ///< on the clock of the run; none without cycles
  std::uint8_t path = 0;        ///< of the critical path: kOnPath, kWaitOnPath
};
/// The op itself is a part of the critical path; the wait before it is one.
inline constexpr std::uint8_t kOnPath = 1;
inline constexpr std::uint8_t kWaitOnPath = 2;

struct PageExecutions {
  std::vector<PageExecution> list;     ///< device by device, in the order of their starts
  std::vector<std::string> signposts;  ///< the first one is empty
};
PageExecutions find_executions(const OpsReport& table, const ShownOps& ops);

/// The columns of the page, from the declared tables. What is given must live until the blobs are encoded.
void add_execution_columns(report::PageBlobs& blobs, const std::shared_ptr<const TableSource>& source,
                           const PageExecutions& executions);
void add_row_columns(report::PageBlobs& blobs, const std::shared_ptr<const TableSource>& source,
                     const PageExecutions& executions);
void add_kind_columns(report::PageBlobs& blobs, const std::shared_ptr<const TableSource>& source);

}  // namespace ttscope::perf
