#pragma once

#include "timeline/read/recording/thread_events.h"

namespace ttscope::timeline {

/// Adds what the threads of a process marked together: tracks of frames, curves, the memory of pools.
void add_shared_events(ProcessEvents& events);

}  // namespace ttscope::timeline
