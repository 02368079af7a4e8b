#pragma once

#include <string>

namespace ttscope::app {

/// What a log is called in file names: its file name without extension and `_profile`, with `-` for `_`.
/// Never empty, never a path. `my_model_profile.log.gz` gives `my-model`.
std::string report_name(const std::string& log_path);

/// Whether a name given by the user can begin a file name.
bool is_plain_name(const std::string& name);

}  // namespace ttscope::app
