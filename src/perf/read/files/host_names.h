#pragma once

#include <string>
#include <vector>

namespace ttscope::perf {

/// What captures or reports are called when there are several: the names of their folders, made distinct; of
/// files that are all in one folder their own names.
std::vector<std::string> host_names(const std::vector<std::string>& paths);

}  // namespace ttscope::perf
