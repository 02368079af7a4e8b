#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fit/memory.h"

namespace ttscope::mem {

using fit::index_of;
using fit::kMemories;
using fit::kMemoryCount;
using fit::Memory;
using fit::name_of;

/// The memories that hold tensors; only these have a live set.
inline constexpr std::size_t kTensorMemoryCount = 2;
inline constexpr std::array<Memory, kTensorMemoryCount> kTensorMemories = {Memory::kDram, Memory::kL1};

/// A figure for each tensor memory, in bytes per bank.
using PerTensorMemory = std::array<std::int64_t, kTensorMemoryCount>;

/// Memory lines print MiB with three decimals; we keep that integer and convert late.
using MilliMib = std::uint32_t;
constexpr std::int64_t bytes_of(MilliMib value) {
  return (static_cast<std::int64_t>(value) * 1048576 + 500) / 1000;
}
/// The difference of two printed figures; equal differences give equal bytes.
constexpr std::int64_t bytes_between(MilliMib from, MilliMib to) {
  return to >= from ? bytes_of(to - from) : -bytes_of(from - to);
}
/// Resolution of a printed figure: 0.001 MiB, rounded up to whole bytes.
inline constexpr std::int64_t kLogResolutionBytes = 1049;
/// Whether a difference of measured bytes per bank is no more than the log's rounding.
constexpr bool is_rounding(std::int64_t difference_bytes) {
  return -kLogResolutionBytes <= difference_bytes && difference_bytes <= kLogResolutionBytes;
}
/// What two changes may differ by and still be the same one: each is the difference of two printed figures.
inline constexpr std::int64_t kRoundingBytes = 2 * kLogResolutionBytes;

}  // namespace ttscope::mem
