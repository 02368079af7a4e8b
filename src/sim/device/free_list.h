#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ttscope::sim {

/// What a bank holds, in bytes of one bank. `allocated` counts rounded sizes.
struct FreeListStats {
  std::uint64_t total_bytes = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t free_bytes = 0;
  std::uint64_t largest_free_bytes = 0;
  std::optional<std::uint64_t> lowest_occupied_address;
};

enum class Direction : std::uint8_t { kBottomUp, kTopDown };

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
  std::optional<std::uint64_t> allocate(std::uint64_t size_bytes, Direction direction);
  /// False, and nothing happens, when no block starts at this address.
  bool free(std::uint64_t address);

  FreeListStats stats() const;
  std::uint64_t allocated_bytes() const { return allocated_bytes_; }
  std::uint64_t alignment_bytes() const { return options_.alignment_bytes; }

  struct Block {
    std::uint64_t address = 0;
    std::uint64_t size_bytes = 0;
    bool operator==(const Block&) const = default;
  };
  /// Ordered by address; no two of them touch.
  const std::vector<Block>& free_blocks() const { return holes_; }

 private:
  std::optional<std::size_t> find_hole(std::uint64_t size_bytes, Direction direction) const;

  Options options_;
  std::vector<Block> holes_;
  std::map<std::uint64_t, std::uint64_t> sizes_;  ///< of the allocated blocks, by address
  std::uint64_t allocated_bytes_ = 0;
};

/// The smallest multiple of `step` that is not below `value`; saturates instead of wrapping.
std::uint64_t round_up(std::uint64_t value, std::uint64_t step);

}  // namespace ttscope::sim
