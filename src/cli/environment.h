#pragma once

#include <string>
#include <vector>

namespace ttscope::cli {

/// The environment of this process, `NAME=value`. Nothing below cli reads it by itself.
std::vector<std::string> own_environment();

}  // namespace ttscope::cli
