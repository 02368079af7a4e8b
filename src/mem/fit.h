#pragma once

#include <memory>

#include "base/result.h"
#include "fit/report.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// Replays the allocations of a run, as a log or a module tells them, through the allocator model: whether it
/// fits, with how much room, and what would make it fit. Fails where a change cannot be applied to this
/// input.
Result<fit::Report> fit_profile(const Profile& profile, const fit::FitQuery& question);

/// What the report page shows: the run's own device and all products. Null where nothing can be placed.
std::shared_ptr<const fit::Report> fit_for_page(const Profile& profile);

}  // namespace ttscope::mem
