#pragma once

#include "base/result.h"
#include "fit/question.h"
#include "fit/report.h"
#include "graph/analyse/profile.h"

namespace ttscope::graph {

/// Places the recorded allocations and frees of captures by the allocator model on the devices asked for, or
/// on the one they were recorded on: whether they fit, with how much room, and what finds none first. The
/// profile must have been loaded with Depth::kEverything. Fails where something is asked that a capture
/// cannot tell (graph/analyse/fit/script_changes.h says which changes it can), and where it allocates
/// nothing.
Result<fit::Report> fit_profile(const Profile& profile, const fit::Question& question);

}  // namespace ttscope::graph
