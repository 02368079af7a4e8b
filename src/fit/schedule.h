#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fit/device.h"
#include "fit/free_list.h"

namespace ttscope::fit {

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

struct Placing {
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
Placing place_all(const std::vector<Demand>& demands, const Device& device, Policy policy);
/// The same where their events are known: demands of other sizes with the same ticks share them.
Placing place_all(const std::vector<Demand>& demands, const std::vector<ScheduleEvent>& events,
                  const Device& device, Policy policy);

}  // namespace ttscope::fit
