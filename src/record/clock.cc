#include "record/clock.h"

#include <cstdlib>
#include <cstring>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ttscope::record {

bool is_counter_usable() {
  const char* wished = std::getenv("TTSCOPE_RECORD_CLOCK");
  if (wished != nullptr && std::strcmp(wished, "system") == 0) return false;
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned kPowerLeaf = 0x80000007;
  constexpr unsigned kIsInvariant = 1u << 8;
  return __get_cpuid(kPowerLeaf, &eax, &ebx, &ecx, &edx) != 0 && (edx & kIsInvariant) != 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

ClockPair read_clock_pair(bool is_counter) {
  ClockPair best;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t before = ticks_of(is_counter);
    const std::int64_t mono_ns = clock_ns(CLOCK_MONOTONIC);
    const std::uint64_t took = ticks_of(is_counter) - before;
    if (took >= least) continue;
    least = took;
    best = {before + took / 2, mono_ns};
  }
  return best;
}

double measured_rate(const ClockPair& earlier, bool is_counter) {
  constexpr double kNsPerS = 1e9;
  if (!is_counter) return kNsPerS;
  constexpr std::int64_t kLeastNs = 1'000'000;
  ClockPair now = read_clock_pair(is_counter);
  while (now.mono_ns - earlier.mono_ns < kLeastNs) now = read_clock_pair(is_counter);
  return static_cast<double>(now.ticks - earlier.ticks) * kNsPerS /
         static_cast<double>(now.mono_ns - earlier.mono_ns);
}

}  // namespace ttscope::record
