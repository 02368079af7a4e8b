#pragma once

#include <string>
#include <vector>

namespace ttscope::io {

/// What inputs are called when there are several: the names of their folders, made distinct; of
/// files that are all in one folder their own names.
std::vector<std::string> input_names(const std::vector<std::string>& paths);

}  // namespace ttscope::io
