#pragma once

#include <string>

#include "base/result.h"

namespace ttscope {

/// Refuses a file or folder to be written that is a symbolic link in a folder that everybody can write to, as
/// /tmp: anybody may have put it there, to make us write elsewhere.
Result<void> check_output_path(const std::string& path);

}  // namespace ttscope
