#pragma once

#include <cstdint>
#include <vector>

#include "mem/analyse/fit/lives.h"

namespace ttscope::mem {

/// A printed memory block in its place in the schedule.
struct StatePoint {
  fit::Tick tick = 0;
  std::uint32_t block = 0;  ///< in RankTrace::blocks
};
std::vector<StatePoint> state_points(const RankTrace& rank);

/// Makes the lives add up to what the states print: adds unexplained lives where a state has more, ends a
/// life of the right size earlier where it has less. As few as possible: a difference stays as long as the
/// rounding of the figures allows it.
struct Explanation {
  std::uint64_t corrections = 0;
  std::int64_t unexplained_dram_bytes_per_bank = 0;  ///< the most at once
};
Explanation explain_states(const RankTrace& rank, const std::vector<StatePoint>& points,
                           std::uint32_t alignment, RankLives& lives);

/// Exact sizes of the banks, which the states print rounded: as a failure's message says, else a usual size
/// that prints the same, else what the states leave possible.
void find_bank_sizes(const RankTrace& rank, const std::vector<StatePoint>& points, const RankLives& lives,
                     fit::Device& device);

}  // namespace ttscope::mem
