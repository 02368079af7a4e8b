#pragma once

#include "perf/analyse/advice/candidate_list.h"

namespace ttscope::perf {

/// Devices that take longer for an op than the others, whatever they wait for.
void add_slow_devices(CandidateList& list);

}  // namespace ttscope::perf
