#pragma once

#include <cstdint>
#include <string_view>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// Why an allocation failed.
enum class FailureCause : std::uint8_t {
  kUnknown,       ///< nothing tells how much was free, or there was room before the op
  kNeverFits,     ///< more than a whole bank
  kExhausted,     ///< more than is free
  kFragmented,    ///< enough is free, but not in one piece
  kRegionAbsent,  ///< the memory has size 0 (L1_SMALL or TRACE not set up)
};
std::string_view name_of(FailureCause cause);

/// Which failure it is, of all that the messages tell.
enum class FailureVerdict : std::uint8_t {
  kLargerThanDevice,  ///< more than all banks together
  kLargerThanBank,    ///< a bank's part is more than a whole bank
  kExhausted,
  kFragmented,
  kUndecided,      ///< the figures that would tell are not there
  kRegionMissing,  ///< L1_SMALL or TRACE: not set up, or too small for it
  kBuffersExceedL1,
  kBuffersClash,  ///< circular buffers reach into tensors
  kProgramTooLarge,
  kHostMemory,
  kCrashed,  ///< no failure of memory
};
std::string_view name_of(FailureVerdict verdict);

/// One bank when the allocation failed, in bytes; -1 where nothing tells.
struct FailedBank {
  std::int64_t size_bytes = -1;
  std::int64_t allocated_bytes = -1;
  std::int64_t free_bytes = -1;
  std::int64_t largest_free_bytes = -1;
  bool from_message = true;  ///< else from the block before the failing op: older messages do not say it
  FailureCause cause = FailureCause::kUnknown;
  FailureVerdict verdict = FailureVerdict::kUndecided;
  std::int64_t needed_bytes = -1;   ///< asked of this bank; an even share where the message is cut
  std::uint32_t block_line = 0;     ///< of that block
  std::int64_t reached_bytes = -1;  ///< as in OutOfMemory, for what is no allocation
  std::int64_t limit_bytes = -1;
};

FailedBank examine_failure(const RuntimeTrace& trace, const RankTrace& rank, const OutOfMemory& failure);

/// The same failure has the same number in every log: of what was asked for, not of where and when.
std::uint64_t fingerprint_of(const OutOfMemory& failure);

}  // namespace ttscope::mem
