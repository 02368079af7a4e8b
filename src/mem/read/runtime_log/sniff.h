#pragma once

#include <string_view>

namespace ttscope::mem {

/// Whether a part of a log holds an op line or a memory line of the runtime. They may come late: what a
/// program prints before its first op can be long.
bool has_runtime_lines(std::string_view text);
/// Whether it holds what else tells such a log: a module dump.
bool has_compiler_lines(std::string_view text);
/// Whether a failure of the device's memory stands in it: a log that lost all else, a bug report, a commit
/// message. One of the host's memory may stand in any text, and tells nothing of what it is.
bool has_failure(std::string_view text);

}  // namespace ttscope::mem
