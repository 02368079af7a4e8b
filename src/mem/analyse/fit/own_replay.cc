#include "mem/analyse/fit/own_replay.h"

#include <algorithm>

#include "mem/analyse/fit/explain_failure.h"
#include "mem/analyse/fit/explain_states.h"
#include "mem/analyse/fit/printed_bytes.h"

namespace ttscope::mem {
namespace {

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
  replay.device_by_message = is_told_by_message(ops, profile, replay.device_is_assumed);
  replay.events = fit::events_of(demands_of(replay.lives));
  return replay;
}

}  // namespace ttscope::mem
