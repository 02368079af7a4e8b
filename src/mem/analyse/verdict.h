#pragma once

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// Thresholds above which a peak is a finding, as parts of the capacity.
inline constexpr double kDramWarning = 0.80;
inline constexpr double kDramCritical = 0.90;
inline constexpr double kL1Warning = 0.90;
inline constexpr double kL1Critical = 0.95;
/// Padding at the peak: as a part of the logical bytes, and as a part of what a bank holds. Padding of
/// tensors that are small beside the device is no alarm.
inline constexpr double kPaddingWarning = 0.50;
inline constexpr double kPaddingOfCapacity = 0.05;

/// Fills verdict, severity, findings, missing and notes.
void judge(const RuntimeTrace& trace, MemoryProfile& profile, const RunFacts& facts = {});

}  // namespace ttscope::mem
