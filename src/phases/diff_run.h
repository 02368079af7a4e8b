#pragma once

#include "diff/compared_run.h"
#include "phases/analyze/phase_analysis.h"

namespace ttscope::phases {

/// The run of a log with the highest peak as one side of a comparison: the parts of its peak (model,
/// optimizer, activations, gradients, ...), as measured. Together they are the peak.
diff::ComparedRun diff_run_of(const Profile& profile);

}  // namespace ttscope::phases
