#include "fit/allocator.h"

#include <algorithm>
#include <limits>

namespace ttscope::fit {

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  if (step == 0) return value;
  const std::uint64_t remainder = value % step;
  if (remainder == 0) return value;
  const std::uint64_t missing = step - remainder;
  const std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  return value > limit - missing ? limit : value + missing;
}

FreeList::FreeList(const Options& options)
    : options_(options), holes_({options.first_address, options.bank_bytes}) {}

std::uint64_t FreeList::rounded(std::uint64_t size_bytes) const {
  return round_up(std::max(size_bytes, options_.alignment_bytes), options_.alignment_bytes);
}

std::optional<std::uint64_t> FreeList::allocate(std::uint64_t size_bytes, Direction direction,
                                                Policy policy) {
  const std::uint64_t wanted = rounded(size_bytes);
  const std::optional<std::uint64_t> address = holes_.take(wanted, direction, policy);
  if (!address) return std::nullopt;
  sizes_.emplace(*address, wanted);
  allocated_bytes_ += wanted;
  return address;
}

bool FreeList::free(std::uint64_t address) {
  const auto allocated = sizes_.find(address);
  if (allocated == sizes_.end()) return false;
  holes_.give({address, allocated->second});
  allocated_bytes_ -= allocated->second;
  sizes_.erase(allocated);
  return true;
}

FreeListStats FreeList::stats() const {
  FreeListStats stats;
  stats.total_bytes = options_.bank_bytes;
  stats.allocated_bytes = allocated_bytes_;
  stats.free_bytes = options_.bank_bytes - allocated_bytes_;
  stats.largest_free_bytes = holes_.largest_bytes();
  if (!sizes_.empty()) stats.lowest_occupied_address = options_.first_address + holes_.room_at_bottom_bytes();
  return stats;
}

namespace {

constexpr std::size_t kMaxHolesInRun = 64;

bool ends_at(const Block& block, std::uint64_t address) {
  return block.address + block.size_bytes == address;
}

}  // namespace

HoleList::HoleList(Block whole) : first_address_(whole.address) {
  if (whole.size_bytes > 0) runs_.push_back({{whole}, whole.size_bytes});
}

void HoleList::changed(Run& run) {
  run.largest_bytes = 0;
  for (const Block& hole : run.holes) run.largest_bytes = std::max(run.largest_bytes, hole.size_bytes);
}

std::optional<HoleList::Place> HoleList::find_first(std::uint64_t size_bytes, Direction direction) const {
  const auto has_room = [size_bytes](const Run& run) { return run.largest_bytes >= size_bytes; };
  const auto fits = [size_bytes](const Block& hole) { return hole.size_bytes >= size_bytes; };
  if (direction == Direction::kBottomUp) {
    const auto run = std::find_if(runs_.begin(), runs_.end(), has_room);
    if (run == runs_.end()) return std::nullopt;
    const auto hole = std::find_if(run->holes.begin(), run->holes.end(), fits);
    return Place{static_cast<std::size_t>(run - runs_.begin()),
                 static_cast<std::size_t>(hole - run->holes.begin())};
  }
  const auto run = std::find_if(runs_.rbegin(), runs_.rend(), has_room);
  if (run == runs_.rend()) return std::nullopt;
  const auto hole = std::find_if(run->holes.rbegin(), run->holes.rend(), fits);
  return Place{static_cast<std::size_t>(runs_.rend() - run) - 1,
               static_cast<std::size_t>(run->holes.rend() - hole) - 1};
}

std::optional<HoleList::Place> HoleList::find_best(std::uint64_t size_bytes, Direction direction) const {
  std::optional<Place> best;
  std::uint64_t best_bytes = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (runs_[r].largest_bytes < size_bytes) continue;
    for (std::size_t h = 0; h < runs_[r].holes.size(); ++h) {
      const std::uint64_t found = runs_[r].holes[h].size_bytes;
      if (found < size_bytes) continue;
      const bool wins =
          !best || found < best_bytes || (found == best_bytes && direction == Direction::kTopDown);
      if (!wins) continue;
      best = Place{r, h};
      best_bytes = found;
    }
  }
  return best;
}

std::optional<std::uint64_t> HoleList::take(std::uint64_t size_bytes, Direction direction, Policy policy) {
  const std::optional<Place> place =
      policy == Policy::kFirstFit ? find_first(size_bytes, direction) : find_best(size_bytes, direction);
  if (!place) return std::nullopt;
  Run& run = runs_[place->run];
  Block& hole = run.holes[place->hole];
  const bool bottom_up = direction == Direction::kBottomUp;
  const std::uint64_t address = bottom_up ? hole.address : hole.address + hole.size_bytes - size_bytes;
  const bool was_largest = hole.size_bytes == run.largest_bytes;
  if (bottom_up) hole.address += size_bytes;
  hole.size_bytes -= size_bytes;
  if (hole.size_bytes == 0) {
    erase(*place);
  } else if (was_largest) {
    changed(run);
  }
  return address;
}

HoleList::Place HoleList::hole_after(std::uint64_t address) const {
  const auto run = std::partition_point(runs_.begin(), runs_.end(),
                                        [&](const Run& r) { return r.holes.back().address < address; });
  if (run == runs_.end()) return {runs_.size(), 0};
  const auto hole = std::partition_point(run->holes.begin(), run->holes.end(),
                                         [&](const Block& h) { return h.address < address; });
  return {static_cast<std::size_t>(run - runs_.begin()), static_cast<std::size_t>(hole - run->holes.begin())};
}

void HoleList::give(Block block) {
  if (block.size_bytes == 0) return;
  const Place next = hole_after(block.address);
  const bool has_next = next.run < runs_.size();
  const bool at_start = next.hole == 0;
  const bool has_previous = !at_start || next.run > 0;
  const Place previous = at_start
                             ? Place{next.run - 1, has_previous ? runs_[next.run - 1].holes.size() - 1 : 0}
                             : Place{next.run, next.hole - 1};
  const bool joins_next = has_next && ends_at(block, runs_[next.run].holes[next.hole].address);
  const bool joins_previous =
      has_previous && ends_at(runs_[previous.run].holes[previous.hole], block.address);
  if (joins_previous) {
    Block& joined = runs_[previous.run].holes[previous.hole];
    joined.size_bytes += block.size_bytes;
    if (joins_next) joined.size_bytes += runs_[next.run].holes[next.hole].size_bytes;
    runs_[previous.run].largest_bytes = std::max(runs_[previous.run].largest_bytes, joined.size_bytes);
    if (joins_next) erase(next);
  } else if (joins_next) {
    Block& joined = runs_[next.run].holes[next.hole];
    joined = {block.address, block.size_bytes + joined.size_bytes};
    runs_[next.run].largest_bytes = std::max(runs_[next.run].largest_bytes, joined.size_bytes);
  } else {
    insert(next, block);
  }
}

void HoleList::insert(Place place, Block hole) {
  if (runs_.empty()) {
    runs_.push_back({{hole}, hole.size_bytes});
    return;
  }
  if (place.run == runs_.size()) place = {runs_.size() - 1, runs_.back().holes.size()};
  Run& run = runs_[place.run];
  run.holes.insert(run.holes.begin() + static_cast<std::ptrdiff_t>(place.hole), hole);
  run.largest_bytes = std::max(run.largest_bytes, hole.size_bytes);
  if (run.holes.size() <= kMaxHolesInRun) return;
  const auto middle = run.holes.begin() + static_cast<std::ptrdiff_t>(run.holes.size() / 2);
  Run upper{{middle, run.holes.end()}, 0};
  run.holes.erase(middle, run.holes.end());
  changed(run);
  changed(upper);
  runs_.insert(runs_.begin() + static_cast<std::ptrdiff_t>(place.run) + 1, std::move(upper));
}

/// A run that has become short is joined with the next, so that many frees do not leave a run for each hole.
void HoleList::erase(Place place) {
  Run& run = runs_[place.run];
  run.holes.erase(run.holes.begin() + static_cast<std::ptrdiff_t>(place.hole));
  const bool has_next = place.run + 1 < runs_.size();
  const auto next = runs_.begin() + static_cast<std::ptrdiff_t>(place.run) + 1;
  if (run.holes.empty()) {
    runs_.erase(next - 1);
  } else if (has_next && run.holes.size() + next->holes.size() <= kMaxHolesInRun / 2) {
    run.holes.insert(run.holes.end(), next->holes.begin(), next->holes.end());
    runs_.erase(next);
    changed(runs_[place.run]);
  } else {
    changed(run);
  }
}

std::uint64_t HoleList::largest_bytes() const {
  std::uint64_t largest = 0;
  for (const Run& run : runs_) largest = std::max(largest, run.largest_bytes);
  return largest;
}

std::uint64_t HoleList::room_at_bottom_bytes() const {
  if (runs_.empty() || runs_.front().holes.front().address != first_address_) return 0;
  return runs_.front().holes.front().size_bytes;
}

std::vector<Block> HoleList::holes() const {
  std::vector<Block> all;
  for (const Run& run : runs_) all.insert(all.end(), run.holes.begin(), run.holes.end());
  return all;
}

namespace {

constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 62;

Direction default_direction(Memory memory) {
  return memory == Memory::kDram || memory == Memory::kTrace ? Direction::kBottomUp : Direction::kTopDown;
}

std::uint64_t not_negative(std::int64_t size_bytes) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(size_bytes, 0));
}

/// Follows what has to be there at once, beyond the bank too, where the allocator cannot follow.
class DemandTracker {
 public:
  explicit DemandTracker(const Device& device) : alignment_(device.alignment_bytes) {}

  void add(const Demand& demand, const ScheduleEvent& event, PlacedMemory& out) {
    std::int64_t& now = needed_[index_of(demand.memory)];
    if (demand.kind != DemandKind::kBuffer) return;
    now = std::min(now + rounded(demand), kMaxBytes);
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
    return static_cast<std::int64_t>(std::min(round_up(wanted, alignment_), not_negative(kMaxBytes)));
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
  const auto address = list.allocate(size, what.direction.value_or(default_direction(what.memory)), policy_);
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

PlacementResult place_all(const std::vector<Demand>& demands, const Device& device, Policy policy) {
  return place_all(demands, events_of(demands), device, policy);
}

PlacementResult place_all(const std::vector<Demand>& demands, const std::vector<ScheduleEvent>& events,
                          const Device& device, Policy policy) {
  PlacementResult placing;
  Placer placer(device, policy);
  DemandTracker need(device);
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
