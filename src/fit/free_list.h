#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "fit/hole_list.h"

namespace ttscope::fit {

/// What a bank holds, in bytes of one bank. `allocated` counts rounded sizes.
struct FreeListStats {
  std::uint64_t total_bytes = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t free_bytes = 0;
  std::uint64_t largest_free_bytes = 0;
  std::optional<std::uint64_t> lowest_occupied_address;
};

/// The free list of one memory: address-ordered first fit. All banks are allocated in lock step, so one list
/// stands for all of them. Not thread safe.
class FreeList {
 public:
  struct Options {
    std::uint64_t bank_bytes = 0;
    std::uint64_t first_address = 0;
    std::uint64_t alignment_bytes = 32;  ///< also the smallest block
  };
  explicit FreeList(const Options& options);

  /// Address of a block of at least `size_bytes`: the start of the lowest block that is large enough, or the
  /// end of the highest one. Nothing when there is none.
  std::optional<std::uint64_t> allocate(std::uint64_t size_bytes, Direction direction,
                                        Policy policy = Policy::kFirstFit);
  /// False, and nothing happens, when no block starts at this address.
  bool free(std::uint64_t address);

  FreeListStats stats() const;
  std::uint64_t allocated_bytes() const { return allocated_bytes_; }
  std::uint64_t largest_free_bytes() const { return holes_.largest_bytes(); }
  std::uint64_t bank_bytes() const { return options_.bank_bytes; }
  std::uint64_t alignment_bytes() const { return options_.alignment_bytes; }
  /// Room below the lowest block that is in use: what circular buffers may grow into in L1.
  std::uint64_t room_at_bottom_bytes() const { return holes_.room_at_bottom_bytes(); }
  /// What a request really takes.
  std::uint64_t rounded(std::uint64_t size_bytes) const;

  /// Ordered by address; no two of them touch.
  std::vector<Block> free_blocks() const { return holes_.holes(); }

 private:
  Options options_;
  HoleList holes_;
  std::unordered_map<std::uint64_t, std::uint64_t> sizes_;  ///< of the allocated blocks, by address
  std::uint64_t allocated_bytes_ = 0;
};

/// The smallest multiple of `step` that is not below `value`; saturates instead of wrapping.
std::uint64_t round_up(std::uint64_t value, std::uint64_t step);

}  // namespace ttscope::fit
