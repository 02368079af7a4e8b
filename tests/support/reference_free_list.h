#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "fit/allocator.h"

namespace ttscope::testing {

/// First fit in the most obvious way: a sorted list of what is allocated, from which the gaps are found anew
/// each time.
class ReferenceFreeList {
 public:
  explicit ReferenceFreeList(const fit::FreeList::Options& options) : options_(options) {}

  std::optional<std::uint64_t> allocate(std::uint64_t size, fit::Direction direction,
                                        fit::Policy policy = fit::Policy::kFirstFit) {
    std::uint64_t wanted = options_.alignment_bytes;
    while (wanted < size) wanted += options_.alignment_bytes;
    std::uint64_t allowed = ~std::uint64_t{0};  // best fit: no gap may be larger than the smallest that fits
    for (const Range& gap : gaps()) {
      if (policy == fit::Policy::kBestFit && gap.end - gap.begin >= wanted)
        allowed = std::min(allowed, gap.end - gap.begin);
    }
    std::optional<std::uint64_t> place;
    for (const Range& gap : gaps()) {
      if (gap.end - gap.begin < wanted || gap.end - gap.begin > allowed) continue;
      if (direction == fit::Direction::kTopDown) place = gap.end - wanted;
      if (direction == fit::Direction::kBottomUp && !place) place = gap.begin;
    }
    if (place) used_.push_back({*place, *place + wanted});
    std::sort(used_.begin(), used_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    return place;
  }

  void free(std::uint64_t address) {
    used_.erase(std::remove_if(used_.begin(), used_.end(),
                               [&](const Range& range) { return range.begin == address; }),
                used_.end());
  }

  fit::FreeListStats stats() const {
    fit::FreeListStats stats;
    stats.total_bytes = options_.bank_bytes;
    for (const Range& range : used_) stats.allocated_bytes += range.end - range.begin;
    for (const Range& gap : gaps()) {
      stats.free_bytes += gap.end - gap.begin;
      stats.largest_free_bytes = std::max(stats.largest_free_bytes, gap.end - gap.begin);
    }
    if (!used_.empty()) stats.lowest_occupied_address = used_.front().begin;
    return stats;
  }

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<Range> gaps() const {
    std::vector<Range> gaps;
    std::uint64_t at = options_.first_address;
    for (const Range& range : used_) {
      if (range.begin > at) gaps.push_back({at, range.begin});
      at = range.end;
    }
    const std::uint64_t end = options_.first_address + options_.bank_bytes;
    if (end > at) gaps.push_back({at, end});
    return gaps;
  }

  fit::FreeList::Options options_;
  std::vector<Range> used_;
};

}  // namespace ttscope::testing
