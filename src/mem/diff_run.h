#pragma once

#include <vector>

#include "diff/run.h"
#include "mem/analyse/peak_passes.h"
#include "mem/analyse/profile.h"

namespace ttscope::mem {

/// A run as one side of a comparison: the ops of the rank with the highest peak of `memory`, in the order in
/// which they ran, and before them the tensors that no op made. What an item costs is what its tensors take
/// of all banks at the peak: 0 for what is not live then. Together they are the peak. Of several passes that
/// reach it, it is looked at in `pass`, where that is one of them, else in the first.
diff::ComparedRun diff_run_of(const Profile& profile, Memory memory, const PassName& pass = {});

/// The first pass in which all of these runs reach their peak; a name without a program: there is none.
/// Tensors of one pass have no partners in another, and of a tensor that no pass frees the last one has most.
PassName shared_pass(const std::vector<const Profile*>& profiles, Memory memory);

}  // namespace ttscope::mem
