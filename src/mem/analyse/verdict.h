#pragma once

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// Thresholds above which a peak is a finding, as parts of the capacity.
inline constexpr double kDramWarning = 0.80;
inline constexpr double kDramCritical = 0.90;
inline constexpr double kL1Warning = 0.90;
inline constexpr double kL1Critical = 0.95;
/// Padding at the peak as a part of the logical bytes.
inline constexpr double kPaddingWarning = 0.50;

/// Fills verdict, findings, missing and notes.
void judge(const RuntimeTrace& trace, MemoryProfile& profile);

}  // namespace ttscope::mem
