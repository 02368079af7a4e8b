#pragma once

#include <vector>

#include "io/format.h"

namespace ttscope::phases {

/// What read_phase_logs() reads.
const std::vector<io::Format>& formats();

}  // namespace ttscope::phases
