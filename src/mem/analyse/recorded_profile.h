#pragma once

#include "mem/analyse/memory_profile.h"
#include "mem/model/recorded_run.h"

namespace ttscope::mem {

/// What the files of a run tell about memory: states, growth, padding, weights. They have no deallocations,
/// so nothing is said about lifetimes: no buffers, no live sets, no duplicated weights. Indices refer to the
/// run's trace. The growth of an op is what the files say, else the measured change until the next recorded
/// op.
MemoryProfile profile_recorded_run(const RecordedRun& run);

}  // namespace ttscope::mem
