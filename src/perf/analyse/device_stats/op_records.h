#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "perf/analyse/device_stats/marker_merge.h"

namespace ttscope::perf {

/// The markers of one execution of an op, in order of time.
struct OpRecord {
  std::vector<TimedMarker> markers;
};

/// Gives the executions on these lanes one after the other, ops in order of their first markers; markers
/// without an op (id 0) or without a name (timer 0) belong to none.
///
/// Over a device an execution is whole when each core that has a marker of the op has reported start and end
/// of its firmware; on a single core (`one_core`) when the firmware ends. What the reference takes for an
/// error, a second start before that, begins a new execution here.
///
/// Compat: all replays of an op are one list, an execution that is not whole goes on with the next op and the
/// last one is dropped if it is not whole. Otherwise each op, trace and replay is by itself and nothing is
/// dropped.
void for_each_op_record(const MarkerSource& source, const std::vector<std::uint32_t>& lanes, bool one_core,
                        const std::function<void(const OpRecord&)>& take);

}  // namespace ttscope::perf
