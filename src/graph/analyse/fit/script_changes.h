#pragma once

#include <vector>

#include "base/result.h"
#include "fit/question.h"
#include "fit/report.h"
#include "graph/analyse/fit/allocation_script.h"

namespace ttscope::graph {

/// Changes the requests of a script as asked: weights in a block format and tensors in rows, where the
/// capture has their shapes, buffers freed after the last call that takes them, and, as estimates, data of
/// another batch or sequence. Best fit is the allocator's and stays with the caller. Fails where the captures
/// cannot tell what a change needs, or have nothing that it would change; the message names the option.
Result<std::vector<fit::AppliedChange>> change_script(const Profile& profile, const fit::Changes& changes,
                                                      AllocationScript& script);

}  // namespace ttscope::graph
