#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// Row numbers in the order in which the ops were sent: by host time, or as recorded when traces run.
std::vector<std::uint32_t> order_rows(const OpsReport& table, const ShownOptions& options,
                                      std::vector<OpNote>& notes);

/// Keeps the rows between signposts. Without a choice: the last part of the run that signposts set off.
Result<void> apply_window(const OpsReport& table, const ShownOptions& options,
                          std::vector<std::uint32_t>& rows, std::vector<OpNote>& notes);

}  // namespace ttscope::perf
