#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "perf/analyze/shown_ops.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// Before each row of a report the last signpost of the same file: its place in OpsReport::rows + 1; 0 where
/// there is none. A signpost counts as inside the part that it begins.
std::vector<std::uint32_t> last_signposts(const OpsReport& table);

/// Row numbers in the order in which the ops were sent: by host time, or as recorded when traces run.
std::vector<std::uint32_t> order_rows(const OpsReport& table, const ShownOptions& options,
                                      std::vector<OpNote>& notes);

/// Keeps the rows between signposts. Without a choice: the last part of the run that signposts set off.
Result<void> apply_window(const OpsReport& table, const ShownOptions& options,
                          std::vector<std::uint32_t>& rows, std::vector<OpNote>& notes);

}  // namespace ttscope::perf
