#pragma once

#include <vector>

#include "app/open.h"
#include "diff/run.h"

namespace ttscope::app {

/// A profile as one side of a comparison. Of memory the peak of DRAM, or of L1.
diff::ComparedRun compared_run(const Profile& profile, bool of_l1 = false);
/// Of device time each replay of the window as a side of its own; empty: it cannot be taken apart.
std::vector<diff::ComparedRun> compared_replays(const Profile& profile);

}  // namespace ttscope::app
