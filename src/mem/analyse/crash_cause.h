#pragma once

#include <cstdint>
#include <vector>

#include "mem/model/crash.h"

namespace ttscope::mem {

/// Which of the lines [begin, end) of one end tells its cause: the first that is more than somebody's report
/// of it; else the first exception of Python by its own line, not by the traceback above it.
std::uint32_t cause_among(const std::vector<Crash>& crashes, std::uint32_t begin, std::uint32_t end);

/// Behind the last line of the end that crashes[begin] tells of: no op started in between.
std::uint32_t end_of_crash(const std::vector<Crash>& crashes, std::uint32_t begin);

}  // namespace ttscope::mem
