#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// One finished ops report (`ops_perf_results*.csv`) of any version.
struct OpsReportSource {
  std::string name;       ///< for messages
  std::string_view text;  ///< only read during the call
  std::string host;       ///< empty when there is one host
  unsigned threads = 1;   ///< that read, the caller's included
  /// What a thread reads at a time: so small that the parts of a turn are nothing beside the table.
  std::size_t part_bytes = std::size_t{8} << 20;
};

/// Adds the rows of a report to `table`. Device ids of a second file follow those of the first, so that each
/// file is a host of one run. Bad rows and cells are counted in the table; an error means that it is no ops
/// report at all.
Result<void> read_ops_report(const OpsReportSource& source, OpsReport& table);

}  // namespace ttscope::perf
