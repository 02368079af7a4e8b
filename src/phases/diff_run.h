#pragma once

#include "diff/run.h"
#include "phases/analyse/profile.h"

namespace ttscope::phases {

/// The run of a log with the highest peak as one side of a comparison: its phases in order. What one costs is
/// its part of the peak: what it left behind if it came before, what it needed if it makes the peak, 0 if it
/// came after. Together they are the peak.
diff::ComparedRun diff_run_of(const Profile& profile);

}  // namespace ttscope::phases
