#pragma once

#include <cstddef>
#include <string_view>

#include "mem/model/failure_message.h"

namespace ttscope::mem {

/// A message is at most so long. People reflow it, so its text reaches over the end of its line, and one at
/// the end of a chunk goes on in the next.
inline constexpr std::size_t kFailureTextBytes = 1200;

/// Reads the message that begins at a mark of failure_marks.h: its kind and figures. False when it is none.
bool parse_failure(std::string_view text, OutOfMemory& failure);

}  // namespace ttscope::mem
