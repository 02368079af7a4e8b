#pragma once

#include <cstdint>
#include <map>

#include "perf/analyse/ops/op_table.h"

namespace ttscope::perf {

/// By device: for how many µs other ops ran beside its collectives (derived: kernel time up to the
/// end of the firmware, which is a little later than that of the kernels).
/// Only devices whose rows have cycles and a clock.
std::map<std::int32_t, double> find_collective_overlap(const OpsTable& table, const OpTable& ops);

}  // namespace ttscope::perf
