#include "mem/analyse/fit/own_replay.h"

#include <algorithm>

#include "mem/analyse/fit/explain_states.h"
#include "mem/analyse/fit/printed_bytes.h"

namespace ttscope::mem {
namespace {

fit::Demand demand_of(const Life& life) {
  fit::Demand demand{life.born, life.died, life.bytes_per_bank, life.memory, fit::DemandKind::kBuffer, {}};
  if (life.top_down) demand.direction = fit::Direction::kTopDown;
  return demand;
}

class StateComparison {
 public:
  StateComparison(const RankTrace& rank, OwnReplay& replay)
      : rank_(rank), replay_(replay), points_(state_points(rank)), placer_(replay.device) {}

  void compare() {
    for (const Life& life : replay_.lives.lives) {
      fit::Demand demand = demand_of(life);
      const bool placed = life.source == LifeSource::kTensor || life.source == LifeSource::kUnexplained;
      if (!placed) demand.died = demand.born;  // a request that failed was never there
      demands_.push_back(demand);
    }
    const std::vector<fit::ScheduleEvent> events = fit::events_of(demands_);
    std::size_t next = 0;
    for (const StatePoint& point : points_) {
      for (; next < events.size() && events[next].tick <= point.tick; ++next) run(events[next], point);
      check(point);
    }
  }

 private:
  void run(const fit::ScheduleEvent& event, const StatePoint& next_state) {
    fit::Demand& demand = demands_[event.demand];
    if (!event.is_birth) return placer_.release(event.demand, demand);
    placer_.place(event.demand, demand);
    const bool may_be_elsewhere = replay_.lives.lives[event.demand].source == LifeSource::kUnexplained &&
                                  demand.memory == Memory::kDram && event.tick == next_state.tick;
    if (may_be_elsewhere && !has_printed_room(next_state)) try_from_top(event, next_state);
  }

  bool has_printed_room(const StatePoint& state) const {
    const std::uint64_t largest = placer_.memory(Memory::kDram).largest_free_bytes();
    return printed_as(static_cast<std::int64_t>(largest)) ==
           rank_.blocks[state.block].largest_free[index_of(Memory::kDram)];
  }

  /// Binaries of kernels lie at the top of DRAM; the printed room tells whether this block does.
  void try_from_top(const fit::ScheduleEvent& event, const StatePoint& state) {
    fit::Demand& demand = demands_[event.demand];
    placer_.release(event.demand, demand);
    demand.direction = fit::Direction::kTopDown;
    placer_.place(event.demand, demand);
    if (has_printed_room(state)) {
      replay_.lives.lives[event.demand].top_down = true;
      return;
    }
    placer_.release(event.demand, demand);
    demand.direction.reset();
    placer_.place(event.demand, demand);
  }

  void check(const StatePoint& point) {
    const MemoryBlock& block = rank_.blocks[point.block];
    bool allocated_equal = true;
    bool largest_equal = true;
    for (const Memory memory : kMemories) {
      if (!block.has(memory)) continue;
      const fit::FreeList& list = placer_.memory(memory);
      const std::size_t m = index_of(memory);
      const auto allocated = static_cast<std::int64_t>(list.allocated_bytes());
      const auto largest = static_cast<std::int64_t>(list.largest_free_bytes());
      if (printed_as(allocated) != block.allocated[m]) {
        allocated_equal = false;
        note_miss({rank_.number, block.view_line[m], memory, false, bytes_of(block.allocated[m]), allocated});
      }
      if (printed_as(largest) != block.largest_free[m]) {
        largest_equal = false;
        note_miss({rank_.number, block.view_line[m], memory, true, bytes_of(block.largest_free[m]), largest});
      }
    }
    fit::Agreement& agreement = replay_.agreement;
    ++agreement.states;
    agreement.allocated_equal += allocated_equal ? 1 : 0;
    agreement.largest_free_equal += largest_equal ? 1 : 0;
  }

  void note_miss(const fit::ReplayMiss& miss) {
    fit::Agreement& agreement = replay_.agreement;
    ++agreement.misses;
    if (agreement.first_misses.size() < fit::kMostMisses) agreement.first_misses.push_back(miss);
  }

  const RankTrace& rank_;
  OwnReplay& replay_;
  std::vector<StatePoint> points_;
  fit::Placer placer_;
  std::vector<fit::Demand> demands_;
};

/// The replay has to fail where the run did. Where too little is known of what was there, a block stands for
/// it: as much as the message says was held, and what was free in pieces that were too small.
void explain_failure(const OutOfMemory& failure, OwnReplay& replay) {
  if (replay.lives.failed_life == kNone || failure.kind != FailureKind::kAllocation) return;
  const Life asked = replay.lives.lives[replay.lives.failed_life];
  std::vector<fit::Demand> demands;
  for (const Life& life : replay.lives.lives) demands.push_back(demand_of(life));
  const fit::Placing placing = fit::place_all(demands, replay.device, fit::Policy::kFirstFit);
  if (placing.failure) return;
  fit::Placer placer(replay.device);
  for (const fit::ScheduleEvent& event : fit::events_of(demands)) {
    if (event.tick > asked.born || (event.is_birth && event.demand >= replay.lives.failed_life)) break;
    if (event.is_birth) placer.place(event.demand, demands[event.demand]);
    if (!event.is_birth) placer.release(event.demand, demands[event.demand]);
  }
  const fit::FreeListStats now = placer.memory(asked.memory).stats();
  const auto room = static_cast<std::int64_t>(now.largest_free_bytes);
  std::int64_t held = room - asked.bytes_per_bank + replay.device.alignment_bytes;
  if (failure.largest_free_bytes >= 0) held = std::max(held, room - failure.largest_free_bytes);
  Life block;
  block.born = asked.born == 0 ? 0 : asked.born - 1;
  block.bytes_per_bank = std::min(held, room);
  block.memory = asked.memory;
  block.source = LifeSource::kUnexplained;
  replay.lives.lives.push_back(block);
  ++replay.agreement.corrections;
  if (asked.memory == Memory::kDram)
    replay.agreement.unexplained_bytes_per_bank =
        std::max(replay.agreement.unexplained_bytes_per_bank, block.bytes_per_bank);
}

}  // namespace

OwnReplay replay_rank(const RuntimeTrace& trace, std::uint32_t rank, const RankProfile& profile) {
  const RankTrace& ops = trace.ranks[rank];
  OwnReplay replay;
  replay.device = own_device(ops, profile, replay.device_is_assumed);
  replay.lives = lives_of(trace, rank, profile, replay.device);
  const std::vector<StatePoint> points = state_points(ops);
  if (!points.empty()) {
    const Explanation explained = explain_states(ops, points, replay.device.alignment_bytes, replay.lives);
    replay.agreement.corrections = explained.corrections;
    replay.agreement.unexplained_bytes_per_bank = explained.unexplained_dram_bytes_per_bank;
    find_bank_sizes(ops, points, replay.lives, replay.device);
    StateComparison(ops, replay).compare();
  }
  if (const OutOfMemory* failure = ending_failure(ops)) explain_failure(*failure, replay);
  std::vector<fit::Demand> demands;
  for (const Life& life : replay.lives.lives) demands.push_back(demand_of(life));
  replay.events = fit::events_of(demands);
  return replay;
}

}  // namespace ttscope::mem
