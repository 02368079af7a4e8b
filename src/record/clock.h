#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "record/file_format.h"

namespace ttscope::record {

/// Whether the CPU's counter runs at one rate whatever the CPU does and may be read by programs;
/// TTSCOPE_RECORD_CLOCK=system says no.
bool is_counter_usable();

inline std::int64_t clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  constexpr std::int64_t kNsPerS = 1'000'000'000;
  return std::int64_t{time.tv_sec} * kNsPerS + time.tv_nsec;
}

/// The time in ticks: of the counter, or nanoseconds where it cannot be used.
inline std::uint64_t ticks_of(bool is_counter) {
#if defined(__x86_64__)
  if (is_counter) [[likely]]
    return __rdtsc();
#elif defined(__aarch64__)
  if (is_counter) [[likely]] {
    std::uint64_t ticks = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#else
  static_cast<void>(is_counter);
#endif
  return static_cast<std::uint64_t>(clock_ns(CLOCK_MONOTONIC));
}

/// One moment on both clocks.
struct ClockPair {
  std::uint64_t ticks = 0;
  std::int64_t mono_ns = 0;
};
/// Of several tries the one that was interrupted least.
ClockPair read_clock_pair(bool is_counter);

/// Ticks per second between an earlier pair and now; waits until they are a millisecond apart.
double measured_rate(const ClockPair& earlier, bool is_counter);

}  // namespace ttscope::record
