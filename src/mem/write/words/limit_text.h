#pragma once

#include <string>
#include <string_view>

#include "mem/analyse/limit.h"

namespace ttscope::mem {

/// `limit exceeded: DRAM peak of 950 MB per bank (93.1%) is over --max-dram 90%, made by ttnn.add at line 7`;
/// `asked` is the limit as the user gave it.
std::string limit_text(const Profile& profile, const PeakOverLimit& over, std::string_view asked);

}  // namespace ttscope::mem
