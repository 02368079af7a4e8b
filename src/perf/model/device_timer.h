#pragma once

#include <cstdint>

namespace ttscope::perf {

/// The timer of a device has so many bits and begins again from zero.
inline constexpr unsigned kTimerBits = 44;
inline constexpr std::uint64_t kTimerSpan = std::uint64_t{1} << kTimerBits;

/// How far `time` is ahead of `from` on the timer: at most half a turn, either way.
inline std::int64_t timer_step(std::uint64_t from, std::uint64_t time) {
  constexpr unsigned kSpareBits = 64 - kTimerBits;
  return static_cast<std::int64_t>((time - from) << kSpareBits) >> kSpareBits;
}

}  // namespace ttscope::perf
