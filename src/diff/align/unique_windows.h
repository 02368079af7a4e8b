#pragma once

#include <cstdint>
#include <vector>

#include "diff/align/edit_script.h"

namespace ttscope::diff {

/// Places where the same stretch of keys begins that either sequence has only once, in ascending order on
/// both sides: of stretches that cross each other, as many as can stand. What long runs are held together by:
/// the search for a common sequence, cut short in long ones, would pair what is near before what belongs
/// together.
Matches unique_windows(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after);

}  // namespace ttscope::diff
