#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "mem/analyze/memory_profile.h"

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
void add_findings(const RuntimeLog& log, MemoryProfile& profile, const RunFacts& facts = {});

/// A bound on the peak of a memory: a share of the bank or bytes per bank.
struct PeakLimit {
  Memory memory = Memory::kDram;
  double fraction = -1;  ///< of the bank; < 0: bytes are given
  std::int64_t bytes_per_bank = 0;
};

/// The peak that is over a limit; of all ranks the highest.
struct PeakOverLimit {
  Memory memory = Memory::kDram;
  std::uint32_t rank = 0;  ///< in MemoryProfile::ranks
  std::int64_t allowed_bytes_per_bank = 0;
  std::int64_t capacity_bytes_per_bank = 0;  ///< 0: unknown
  Peak peak;
  bool failed = false;  ///< the run itself failed, which is over any limit, whatever its peak
};

/// Nothing where no peak is over the limit and the run did not fail. Fails when a share is asked of a bank of
/// unknown size.
Result<std::optional<PeakOverLimit>> check_limit(const Profile& profile, const PeakLimit& limit);

}  // namespace ttscope::mem
