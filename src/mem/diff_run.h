#pragma once

#include "diff/run.h"
#include "mem/analyse/profile.h"

namespace ttscope::mem {

/// A run as one side of a comparison: the ops of the rank with the highest peak of `memory`, in the order in
/// which they ran, and before them the tensors that no op made. What an item costs is what its tensors take
/// of all banks at the peak: 0 for what is not live then. Together they are the peak.
diff::ComparedRun diff_run_of(const Profile& profile, Memory memory);

}  // namespace ttscope::mem
