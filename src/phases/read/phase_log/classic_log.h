#pragma once

#include <string_view>

#include "phases/model/classic_phase_log.h"

namespace ttscope::phases {

/// Reads a log exactly as analyze_memory.py does, with all that it overlooks: what its users compare with.
/// `text` has `\n` line ends.
ClassicLog read_classic_log(std::string_view text);

}  // namespace ttscope::phases
