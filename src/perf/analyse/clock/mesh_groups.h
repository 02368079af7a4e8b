#pragma once

#include "perf/analyse/clock/run_clock.h"

namespace ttscope::perf {

/// Divides the collectives of `clock` where not all devices take part in one: on a mesh those of a row meet
/// along one axis, those of a column along the other. Nothing in a report names them. How many meet is told
/// by shapes or attributes; who they are by times: those who meet leave together each time, one of them
/// waited for nobody, and both axes have one clock. Derived. Where the times fit one meeting of all devices
/// as well, that is what they get.
void divide_collectives(const ClockInput& input, RunClock& clock);

/// Along which axis of `clock.mesh` ops of a kind meet; kNone: all devices do.
std::uint32_t mesh_axis_of(const ClockInput& input, const RunClock& clock, std::uint32_t kind);

}  // namespace ttscope::perf
