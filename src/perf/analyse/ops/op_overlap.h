#pragma once

#include <cstdint>
#include <map>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// By device: for how many µs other ops ran beside its collectives (derived: kernel time up to the
/// end of the firmware, which is a little later than that of the kernels).
/// Only devices whose rows have cycles and a clock.
std::map<std::int32_t, double> find_collective_overlap(const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
