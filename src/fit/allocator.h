#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "fit/device.h"

namespace ttscope::fit {

enum class Direction : std::uint8_t { kBottomUp, kTopDown };

/// First fit by address is what tt-metal does; best fit takes the smallest hole that is large enough.
enum class Policy : std::uint8_t { kFirstFit, kBestFit };

/// A stretch of a bank.
struct Block {
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  bool operator==(const Block&) const = default;
};

/// What is free of a bank. Holes lie in short runs that know their largest one, so that a bank in thousands
/// of pieces is searched in steps of runs. Sizes are taken as they are: whoever allocates rounds them. Not
/// thread safe.
class HoleList {
 public:
  explicit HoleList(Block whole);

  /// Bottom up: the start of the lowest hole that is large enough; top down: the end of the highest. Of holes
  /// that fit equally well the lowest (highest) is taken. Nothing when there is none.
  std::optional<std::uint64_t> take(std::uint64_t size_bytes, Direction direction,
                                    Policy policy = Policy::kFirstFit);
  /// Gives back what take() gave, or a part of it; joins it with its neighbors.
  void give(Block block);

  std::uint64_t largest_bytes() const;
  /// Room below the lowest block that is in use; the whole bank when none is.
  std::uint64_t room_at_bottom_bytes() const;
  /// By address; no two of them touch.
  std::vector<Block> holes() const;

 private:
  struct Run {
    std::vector<Block> holes;  ///< never empty
    std::uint64_t largest_bytes = 0;
  };
  struct Place {
    std::size_t run = 0;
    std::size_t hole = 0;
  };
  std::optional<Place> find_first(std::uint64_t size_bytes, Direction direction) const;
  std::optional<Place> find_best(std::uint64_t size_bytes, Direction direction) const;
  /// The first hole behind an address; behind the last run when there is none.
  Place hole_after(std::uint64_t address) const;
  void insert(Place place, Block hole);
  void erase(Place place);
  void changed(Run& run);

  std::vector<Run> runs_;
  std::uint64_t first_address_ = 0;
};

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

/// A point in the order of a run. At one tick whatever dies is freed before anything is allocated.
using Tick = std::uint32_t;

inline constexpr Tick kNever = 0xffffffff;

enum class DemandKind : std::uint8_t {
  kBuffer,
  kRoomAtBottom,  ///< takes nothing, but needs that much below the lowest buffer: circular buffers in L1
  kHole,          ///< keeps room free of what is placed while it is there; it counts as nothing
};

/// One buffer of a run, in bytes of each bank.
struct Demand {
  Tick born = 0;
  Tick died = kNever;
  std::int64_t bytes_per_bank = 0;
  Memory memory = Memory::kDram;
  DemandKind kind = DemandKind::kBuffer;
  std::optional<Direction> direction{};  ///< unset: DRAM and traces bottom up, L1 top down
};

/// What one memory went through.
struct PlacedMemory {
  std::int64_t peak_bytes_per_bank = 0;  ///< what has to be there at once, whether it fits or not
  Tick peak_tick = 0;
  std::size_t peak_demand = SIZE_MAX;  ///< the demand that made it
  std::int64_t smallest_largest_free_bytes = 0;
  double worst_fragmentation = 0;
};

/// The state of a memory when a demand found no room.
struct Unplaced {
  std::size_t demand = 0;
  Tick tick = 0;
  FreeListStats stats;
};

struct PlacementResult {
  std::array<PlacedMemory, kMemoryCount> memories;
  std::optional<Unplaced> failure;  ///< the first; nothing is placed after it
};

/// The memories of a device while a run is placed in it. Demands are named by their index.
class Placer {
 public:
  explicit Placer(const Device& device, Policy policy = Policy::kFirstFit);

  bool place(std::size_t demand, const Demand& what);
  /// Nothing happens when it has no place.
  void release(std::size_t demand, const Demand& what);

  const FreeList& memory(Memory memory) const { return memories_[index_of(memory)]; }

 private:
  std::vector<FreeList> memories_;
  std::vector<std::uint64_t> addresses_;  ///< by demand
  Policy policy_;
};

/// What happens in a schedule, in order: births and deaths by tick, deaths first.
struct ScheduleEvent {
  Tick tick = 0;
  std::uint32_t demand = 0;
  bool is_birth = true;
};

std::vector<ScheduleEvent> events_of(const std::vector<Demand>& demands);

/// Places all demands in the order of their ticks, those of one tick in the order given.
PlacementResult place_all(const std::vector<Demand>& demands, const Device& device, Policy policy);
/// The same where their events are known: demands of other sizes with the same ticks share them.
PlacementResult place_all(const std::vector<Demand>& demands, const std::vector<ScheduleEvent>& events,
                          const Device& device, Policy policy);

}  // namespace ttscope::fit
