#pragma once

#include "app/open.h"
#include "diff/run.h"

namespace ttscope::app {

/// A profile as one side of a comparison. Of memory the peak of DRAM, or of L1.
diff::ComparedRun compared_run(const Profile& profile, bool of_l1 = false);

}  // namespace ttscope::app
