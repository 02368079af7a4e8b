#pragma once

#include <string>
#include <vector>

#include "app/open.h"
#include "base/result.h"

namespace ttscope::cli {

/// Opens a profile for each path with a progress bar on standard error, and says what of them could not be
/// used.
Result<std::vector<app::Profile>> open_profiles(const std::vector<std::string>& paths);

}  // namespace ttscope::cli
