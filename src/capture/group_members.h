#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace ttscope::capture {

/// The living processes of a process group, or of the session with its number: `python3 (4711)`, by number.
std::vector<std::string> group_members(pid_t group);

}  // namespace ttscope::capture
