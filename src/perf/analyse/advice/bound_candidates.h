#pragma once

#include "perf/analyse/advice/candidate_list.h"

namespace ttscope::perf {

/// Ops that take longer than what limits them allows, and those that would be allowed less with fewer passes.
void add_ops_below_bounds(CandidateList& list);

}  // namespace ttscope::perf
