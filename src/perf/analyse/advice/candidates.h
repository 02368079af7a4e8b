#pragma once

#include <vector>

#include "perf/analyse/advice/candidate_list.h"

namespace ttscope::perf {

/// All that could be advised, by cause and op.
std::vector<AdviceCandidate> find_candidates(const AdviceInput& input);

}  // namespace ttscope::perf
