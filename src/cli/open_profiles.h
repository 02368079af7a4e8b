#pragma once

#include <string>
#include <vector>

#include "app/open.h"
#include "base/result.h"
#include "cli/progress_bar.h"

namespace ttscope::cli {

/// Shows on the bar how far the reading is.
app::OpenOptions shown_on(ProgressBar& bar);

/// Opens a profile for each path with a progress bar on standard error, and says what of them could not be
/// used.
Result<std::vector<app::Profile>> open_profiles(const std::vector<std::string>& paths);

}  // namespace ttscope::cli
