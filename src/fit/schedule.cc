#include "fit/schedule.h"

#include <algorithm>

namespace ttscope::fit {
namespace {

constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};
constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

Direction usual_direction(Memory memory) {
  return memory == Memory::kDram || memory == Memory::kTrace ? Direction::kBottomUp : Direction::kTopDown;
}

std::uint64_t not_negative(std::int64_t size_bytes) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(size_bytes, 0));
}

/// Follows what has to be there at once, beyond the bank too, where the allocator cannot follow.
class NeedMeter {
 public:
  explicit NeedMeter(const Device& device) : alignment_(device.alignment_bytes) {}

  void add(const Demand& demand, const ScheduleEvent& event, PlacedMemory& out) {
    std::int64_t& now = needed_[index_of(demand.memory)];
    if (demand.kind != DemandKind::kBuffer) return;
    now = std::min(now + rounded(demand), kMostBytes);
    if (now <= out.peak_bytes_per_bank) return;
    out.peak_bytes_per_bank = now;
    out.peak_tick = event.tick;
    out.peak_demand = event.demand;
  }
  void remove(const Demand& demand) {
    if (demand.kind == DemandKind::kBuffer) needed_[index_of(demand.memory)] -= rounded(demand);
  }

 private:
  std::int64_t rounded(const Demand& demand) const {
    const std::uint64_t wanted = std::max<std::uint64_t>(not_negative(demand.bytes_per_bank), alignment_);
    return static_cast<std::int64_t>(std::min(round_up(wanted, alignment_), not_negative(kMostBytes)));
  }

  std::uint64_t alignment_;
  std::array<std::int64_t, kMemoryCount> needed_{};
};

void note_room(const FreeList& list, PlacedMemory& out) {
  const auto largest = static_cast<std::int64_t>(list.largest_free_bytes());
  const std::uint64_t free = list.bank_bytes() - list.allocated_bytes();
  out.smallest_largest_free_bytes = std::min(out.smallest_largest_free_bytes, largest);
  if (free == 0) return;
  const double fragmented = 1.0 - static_cast<double>(largest) / static_cast<double>(free);
  out.worst_fragmentation = std::max(out.worst_fragmentation, fragmented);
}

}  // namespace

Placer::Placer(const Device& device, Policy policy) : policy_(policy) {
  for (const Memory memory : kMemories) {
    FreeList::Options options;
    options.bank_bytes = not_negative(device.region(memory).bytes_per_bank);
    options.alignment_bytes = device.alignment_bytes;
    memories_.emplace_back(options);
  }
}

bool Placer::place(std::size_t demand, const Demand& what) {
  FreeList& list = memories_[index_of(what.memory)];
  const std::uint64_t size = not_negative(what.bytes_per_bank);
  if (what.kind == DemandKind::kRoomAtBottom) return list.room_at_bottom_bytes() >= size;
  const auto address = list.allocate(size, what.direction.value_or(usual_direction(what.memory)), policy_);
  if (!address) return false;
  if (demand >= addresses_.size()) addresses_.resize(demand + 1, kNoAddress);
  addresses_[demand] = *address;
  return true;
}

void Placer::release(std::size_t demand, const Demand& what) {
  if (demand >= addresses_.size() || addresses_[demand] == kNoAddress) return;
  memories_[index_of(what.memory)].free(addresses_[demand]);
  addresses_[demand] = kNoAddress;
}

std::vector<ScheduleEvent> events_of(const std::vector<Demand>& demands) {
  std::vector<ScheduleEvent> events;
  events.reserve(2 * demands.size());
  for (std::uint32_t d = 0; d < demands.size(); ++d) {
    if (demands[d].died <= demands[d].born) continue;
    events.push_back({demands[d].born, d, true});
    if (demands[d].died != kNever) events.push_back({demands[d].died, d, false});
  }
  std::sort(events.begin(), events.end(), [](const ScheduleEvent& a, const ScheduleEvent& b) {
    if (a.tick != b.tick) return a.tick < b.tick;
    return a.is_birth != b.is_birth ? !a.is_birth : a.demand < b.demand;
  });
  return events;
}

Placing place_all(const std::vector<Demand>& demands, const Device& device, Policy policy) {
  return place_all(demands, events_of(demands), device, policy);
}

Placing place_all(const std::vector<Demand>& demands, const std::vector<ScheduleEvent>& events,
                  const Device& device, Policy policy) {
  Placing placing;
  Placer placer(device, policy);
  NeedMeter need(device);
  for (const Memory memory : kMemories) {
    placing.memories[index_of(memory)].smallest_largest_free_bytes =
        std::max<std::int64_t>(device.region(memory).bytes_per_bank, 0);
  }
  std::size_t holes = 0;  // that are kept: how much is free is told when none is
  for (const ScheduleEvent& event : events) {
    const Demand& demand = demands[event.demand];
    PlacedMemory& memory = placing.memories[index_of(demand.memory)];
    const bool is_hole = demand.kind == DemandKind::kHole;
    if (!event.is_birth) {
      need.remove(demand);
      if (placing.failure) continue;
      placer.release(event.demand, demand);
      if (is_hole && --holes == 0) note_room(placer.memory(demand.memory), memory);
      continue;
    }
    need.add(demand, event, memory);
    if (placing.failure) continue;  // what the rest would need is still counted
    if (is_hole) {
      ++holes;
      placer.place(event.demand, demand);
      continue;
    }
    if (!placer.place(event.demand, demand)) {
      placing.failure = Unplaced{event.demand, event.tick, placer.memory(demand.memory).stats()};
      continue;
    }
    if (holes == 0) note_room(placer.memory(demand.memory), memory);
  }
  return placing;
}

}  // namespace ttscope::fit
