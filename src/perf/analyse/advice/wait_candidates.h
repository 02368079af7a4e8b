#pragma once

#include "perf/analyse/advice/candidate_list.h"

namespace ttscope::perf {

/// What devices wait for outside of ops: gaps, also those of devices that are late but not the last, and
/// devices that begin late.
void add_waits(CandidateList& list);

}  // namespace ttscope::perf
