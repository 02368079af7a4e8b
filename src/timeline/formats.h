#pragma once

#include <vector>

#include "io/format.h"

namespace ttscope::timeline {

/// What load() reads.
const std::vector<io::Format>& formats();

}  // namespace ttscope::timeline
