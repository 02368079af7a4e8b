#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::capture {

/// Bits of TT_METAL_PROFILE_PERF_COUNTERS that are banks of L1; a run counts one of them.
inline constexpr std::uint32_t kL1CounterGroups = 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 8;

/// What `--profiler-capture-perf-counters` asks for.
struct CounterGroups {
  std::uint32_t mask = 0;
  std::vector<std::string> notes;  ///< how words were understood
};

/// Reads `fpu,pack,l1_0`. `l1` is l1_0, as older guides call it; `all` are those that one run can count.
/// Unknown words and banks that the chip (`arch`, as in ARCH_NAME; empty: not known) does not have are
/// errors.
Result<CounterGroups> read_counter_groups(std::string_view words, std::string_view arch);

/// All bits that stand for a group.
std::uint32_t known_counter_groups();

/// `fpu, l1_0` of a mask.
std::string counter_group_names(std::uint32_t mask);

}  // namespace ttscope::capture
