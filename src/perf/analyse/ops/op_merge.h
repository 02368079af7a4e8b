#pragma once

#include <cstdint>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// Makes the rows of the table from the rows of the window: one for each device, or one for the same op on
/// all devices. Merged ops are those that stand at the same place of each device's sequence under the same
/// name; of a collective the mean duration is shown, of any other op the slowest device.
void make_rows(const OpsReport& table, const std::vector<std::uint32_t>& window, const ShownOptions& options,
               ShownOps& result);

}  // namespace ttscope::perf
