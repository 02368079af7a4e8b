#pragma once

#include <optional>

#include "mem/analyse/memory_profile.h"
#include "mem/model/recorded_run.h"
#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// All that tables and outputs of device memory need: what was read and what was found in it. Made by load()
/// in mem/load.h, then read-only; threads may share it.
struct Profile {
  RuntimeTrace trace;
  MemoryProfile memory;
  std::optional<RecordedFiles> recorded;  ///< read from the files of a run, not from its log: what they hold
};

}  // namespace ttscope::mem
