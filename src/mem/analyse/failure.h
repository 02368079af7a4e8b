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

/// One bank when the allocation failed, in bytes; -1 where nothing tells.
struct FailedBank {
  std::int64_t size_bytes = -1;
  std::int64_t allocated_bytes = -1;
  std::int64_t free_bytes = -1;
  std::int64_t largest_free_bytes = -1;
  bool from_message = true;  ///< else from the block before the failing op: older messages do not say it
  FailureCause cause = FailureCause::kUnknown;
};

FailedBank examine_failure(const RuntimeTrace& trace, const RankTrace& rank, const OutOfMemory& failure);

}  // namespace ttscope::mem
