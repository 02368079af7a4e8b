#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ttscope::diff {

/// Which places of two sequences are the same, in ascending order on both sides.
using Matches = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Keys of both sequences up to which the longest common subsequence is found in the time that reading takes.
inline constexpr std::size_t kExactItems = 20'000;

/// How many differences a search may cross at once so that it takes no longer than reading.
std::uint32_t affordable_edits(std::size_t items);

/// The longest common subsequence of two sequences of keys, in linear space (Myers). Where they differ in
/// more than about `most_edits` places, a good one instead of the longest, so that the time stays near length
/// * most_edits.
Matches common_subsequence(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
                           std::uint32_t most_edits);

}  // namespace ttscope::diff
