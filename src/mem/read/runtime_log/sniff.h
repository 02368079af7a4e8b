#pragma once

#include <string_view>

namespace ttscope::mem {

/// Whether a part of a log holds an op line or a memory line of the runtime. They may come late: what a
/// program prints before its first op can be long.
bool has_runtime_lines(std::string_view text);
/// Whether it holds what else tells such a log: a module dump or an out-of-memory failure.
bool has_compiler_lines(std::string_view text);

}  // namespace ttscope::mem
