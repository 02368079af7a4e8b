#pragma once

#include <cstdint>
#include <string_view>

#include "mem/model/failure_message.h"

namespace ttscope::mem {

/// Whether a line can be a frame that says what was being done; cheap, for every line that nothing else is.
bool is_told_frame(std::string_view line);

/// Adds what a frame says. Frames come from the innermost outwards: the first that names an op counts.
void add_frame(std::string_view text, std::uint32_t line, Backtrace& backtrace);

}  // namespace ttscope::mem
