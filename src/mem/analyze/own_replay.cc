#include "mem/analyze/own_replay.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/chips.h"
#include "mem/analyze/growth.h"
#include "mem/analyze/tensor_origins.h"

namespace ttscope::mem {
namespace {

/// A printed memory block in its place in the schedule.
struct StatePoint {
  fit::Tick tick = 0;
  std::uint32_t block = 0;  ///< in RankLog::blocks
};

/// Makes the lives add up to what the states print: adds unexplained lives where a state has more, ends a
/// life of the right size earlier where it has less. As few as possible: a difference stays as long as the
/// rounding of the figures allows it.
struct Explanation {
  std::uint64_t corrections = 0;
  std::int64_t unexplained_dram_bytes_per_bank = 0;  ///< the most at once
};

/// More holes than this are not told apart by one that is smaller.
constexpr std::int64_t kMaxHoles = 100000;

fit::FreeListStats known_state(const OwnReplay& replay, const Life& asked) {
  const std::vector<fit::Demand> demands = demands_of(replay.lives);
  fit::Placer placer(replay.device);
  for (const fit::ScheduleEvent& event : fit::events_of(demands)) {
    if (event.tick > asked.born || (event.is_birth && event.demand >= replay.lives.failed_life)) break;
    if (event.is_birth) placer.place(event.demand, demands[event.demand]);
    if (!event.is_birth) placer.release(event.demand, demands[event.demand]);
  }
  return placer.memory(asked.memory).stats();
}

Life block_before(const Life& asked, LifeSource source, std::int64_t bytes) {
  Life block;
  block.born = asked.born == 0 ? 0 : asked.born - 1;
  if (source == LifeSource::kHole) block.died = asked.born;
  block.bytes_per_bank = bytes;
  block.memory = asked.memory;
  block.source = source;
  return block;
}

/// What the message says was held beyond what is known, cut by holes of the largest free block. The last one,
/// at the end of the bank, is what remains.
std::vector<Life> blocks_of_message(const OutOfMemory& failure, const Life& asked,
                                    const fit::FreeListStats& known, std::int64_t alignment) {
  const auto room = static_cast<std::int64_t>(known.largest_free_bytes);
  const std::int64_t other_holes = static_cast<std::int64_t>(known.free_bytes) - room;
  const std::int64_t free = failure.free_bytes - other_holes;
  const std::int64_t held = room - free;
  const std::int64_t largest = failure.largest_free_bytes;
  if (largest <= 0 || free < largest || held <= 0) return {};
  const std::int64_t holes = (free - 1) / largest + 1;
  const std::int64_t piece = held / holes / alignment * alignment;
  if (holes > kMaxHoles || piece == 0) return {};
  std::vector<Life> blocks;
  for (std::int64_t i = 0; i < holes; ++i) {
    const bool is_last = i + 1 == holes;
    const std::int64_t size = is_last ? held - piece * (holes - 1) : piece;
    blocks.push_back(block_before(asked, LifeSource::kFromFailureMessage, size));
    if (!is_last) blocks.push_back(block_before(asked, LifeSource::kHole, largest));
  }
  return blocks;
}

/// Whether the request fails as the message says, to the byte.
bool fails_as_reported(const OwnReplay& replay, const OutOfMemory& failure) {
  const fit::PlacementResult placing =
      fit::place_all(demands_of(replay.lives), replay.device, fit::Policy::kFirstFit);
  return placing.failure && placing.failure->demand == replay.lives.failed_life &&
         static_cast<std::int64_t>(placing.failure->stats.free_bytes) == failure.free_bytes &&
         static_cast<std::int64_t>(placing.failure->stats.largest_free_bytes) == failure.largest_free_bytes;
}

/// One block that leaves too little room.
Life one_block(const OutOfMemory& failure, const Life& asked, const fit::FreeListStats& known,
               std::int64_t alignment) {
  const auto room = static_cast<std::int64_t>(known.largest_free_bytes);
  std::int64_t held = room - asked.bytes_per_bank + alignment;
  if (failure.largest_free_bytes >= 0) held = std::max(held, room - failure.largest_free_bytes);
  return block_before(asked, LifeSource::kAssumedHeld, std::min(held, room));
}

void count(const std::vector<Life>& blocks, fit::Agreement& agreement) {
  std::int64_t held = 0;
  for (const Life& block : blocks) {
    if (block.source == LifeSource::kHole) continue;
    ++agreement.corrections;
    if (block.memory == Memory::kDram) held = saturating_add(held, block.bytes_per_bank);
  }
  agreement.unexplained_bytes_per_bank = std::max(agreement.unexplained_bytes_per_bank, held);
}

/// The replay has to fail where the run did. Where too little is known of what was there, blocks stand for
/// it: what the message says was held, with holes that leave the largest free block that it names.
void explain_failure(const OutOfMemory& failure, OwnReplay& replay) {
  if (replay.lives.failed_life == kNone || failure.kind != FailureKind::kAllocation) return;
  const Life asked = replay.lives.lives[replay.lives.failed_life];
  if (fit::place_all(demands_of(replay.lives), replay.device, fit::Policy::kFirstFit).failure) return;
  const fit::FreeListStats known = known_state(replay, asked);
  const std::int64_t alignment = replay.device.alignment_bytes;
  std::vector<Life>& lives = replay.lives.lives;
  const std::size_t before = lives.size();
  std::vector<Life> blocks = blocks_of_message(failure, asked, known, alignment);
  lives.insert(lives.end(), blocks.begin(), blocks.end());
  if (blocks.empty() || !fails_as_reported(replay, failure)) {
    lives.resize(before);
    blocks = {one_block(failure, asked, known, alignment)};
    lives.push_back(blocks.front());
  }
  count(blocks, replay.agreement);
}

/// How often a life is looked for that ends earlier than the op lines say; a log that needs more is not one
/// that this explains.
constexpr int kMaxEndings = 500;

std::int64_t up_to(std::int64_t value, std::int64_t step) {
  const std::int64_t down = value / step * step;
  return down < value ? down + step : down;
}

std::int64_t down_to(std::int64_t value, std::int64_t step) {
  const std::int64_t down = value / step * step;
  return down > value ? down - step : down;
}

/// Buffers are whole pages: of all values in a range the one with the largest power of two is the likeliest.
std::int64_t most_aligned_in(const ByteRange& range, std::int64_t alignment) {
  std::int64_t best = up_to(range.low, alignment);
  for (std::int64_t step = alignment; step > 0 && step < (std::int64_t{1} << 40); step *= 2) {
    const std::int64_t value = up_to(range.low, step);
    if (value > range.high) break;
    best = value;
  }
  return best;
}

/// One memory of a rank.
class MemoryExplainer {
 public:
  MemoryExplainer(const RankLog& rank, const std::vector<StatePoint>& points, std::int64_t alignment,
                  Memory memory, RankLives& lives)
      : rank_(rank), points_(points), alignment_(alignment), memory_(memory), lives_(lives) {}

  Explanation explain() {
    sum_changes();
    std::size_t first = 0;
    while (first < points_.size()) first = explain_stretch(first);
    return out_;
  }

 private:
  void sum_changes() {
    const std::size_t moments = points_.empty() ? 0 : moment_of_tick(points_.back().tick) + 1;
    changes_.assign(moments + 1, 0);
    for (const Life& life : lives_.lives) {
      if (life.memory != memory_ || life.source != LifeSource::kTensor || life.died <= life.born) continue;
      change_at(moment_of_tick(life.born), life.bytes_per_bank);
      if (life.died != fit::kNever) change_at(moment_of_tick(life.died), -life.bytes_per_bank);
    }
  }

  void change_at(Moment moment, std::int64_t bytes) {
    if (moment < changes_.size()) changes_[moment] = saturating_add(changes_[moment], bytes);
  }

  /// What the lives add up to at a point, which may not be before the last one asked for.
  std::int64_t modeled_at(const StatePoint& point) {
    for (; next_moment_ <= moment_of_tick(point.tick); ++next_moment_)
      modeled_ = saturating_add(modeled_, changes_[next_moment_]);
    return modeled_;
  }

  /// What is not explained at a point, as far as the rounding tells; alignment makes it exact to a block.
  ByteRange unexplained_at(const StatePoint& point) {
    const MemoryBlock& block = rank_.blocks[point.block];
    const ByteRange range = range_of(block.allocated[index_of(memory_)]).shifted(-modeled_at(point));
    return {up_to(range.low, alignment_), down_to(range.high, alignment_)};
  }

  /// Points from `first` on with one and the same difference; returns the first behind them.
  std::size_t explain_stretch(std::size_t first) {
    while (first < points_.size() && !rank_.blocks[points_[first].block].has(memory_)) ++first;
    if (first == points_.size()) return first;
    ByteRange range = unexplained_at(points_[first]);
    if (range.high < 0 && end_life(points_[first], range)) range = unexplained_at(points_[first]);
    std::size_t next = first + 1;
    for (; next < points_.size(); ++next) {
      if (!rank_.blocks[points_[next].block].has(memory_)) continue;
      const ByteRange both = range.with(unexplained_at(points_[next]));
      if (both.empty()) break;
      range = both;
    }
    settle(points_[first], first == 0, range);
    return next;
  }

  void settle(const StatePoint& point, bool is_first, const ByteRange& range) {
    if (range.has(held_)) return;
    const std::int64_t wanted =
        range.has(0) || range.high < 0 ? 0 : most_aligned_in(range.shifted(-held_), alignment_) + held_;
    const fit::Tick now = is_first ? 0 : point.tick;
    while (held_ > wanted) {
      Life& last = lives_.lives[open_.back()];
      last.died = now;
      held_ -= last.bytes_per_bank;
      open_.pop_back();
      ++out_.corrections;
    }
    if (held_ < wanted) add(now, wanted - held_);
  }

  void add(fit::Tick now, std::int64_t bytes) {
    Life life;
    life.born = now;
    life.bytes_per_bank = bytes;
    life.memory = memory_;
    life.source = LifeSource::kUnexplained;
    const Moment moment = moment_of_tick(now);
    if (now != 0 && moment > 0) life.op = (moment - 1) / 2;
    open_.push_back(static_cast<std::uint32_t>(lives_.lives.size()));
    lives_.lives.push_back(life);
    held_ += bytes;
    ++out_.corrections;
    if (memory_ == Memory::kDram)
      out_.unexplained_dram_bytes_per_bank = std::max(out_.unexplained_dram_bytes_per_bank, held_);
  }

  /// Less is there than the op lines say: the youngest life of that size has ended without a line. What is
  /// held beside it stays if that explains the state, too.
  bool end_life(const StatePoint& point, const ByteRange& range) {
    if (endings_ == kMaxEndings) return false;
    ++endings_;
    const ByteRange missing{-range.high, -range.low};
    return end_life_in_range(point, missing.shifted(held_)) ||
           (held_ > 0 && end_life_in_range(point, missing));
  }

  bool end_life_in_range(const StatePoint& point, const ByteRange& wanted) {
    for (std::size_t i = lives_.lives.size(); i-- > 0;) {
      Life& life = lives_.lives[i];
      const bool there = life.born < point.tick && point.tick < life.died;
      if (!there || life.memory != memory_ || life.source != LifeSource::kTensor) continue;
      if (!wanted.has(life.bytes_per_bank)) continue;
      if (life.died != fit::kNever) change_at(moment_of_tick(life.died), life.bytes_per_bank);
      modeled_ = saturating_add(modeled_, -life.bytes_per_bank);
      life.died = point.tick;
      ++out_.corrections;
      return true;
    }
    return false;
  }

  const RankLog& rank_;
  const std::vector<StatePoint>& points_;
  std::int64_t alignment_;
  Memory memory_;
  RankLives& lives_;
  std::vector<std::int64_t> changes_;  ///< by moment
  Moment next_moment_ = 0;
  std::int64_t modeled_ = 0;
  std::int64_t held_ = 0;            ///< by unexplained lives
  std::vector<std::uint32_t> open_;  ///< these, in lives
  int endings_ = 0;
  Explanation out_;
};

/// What is allocated at each point by all lives of a memory.
std::vector<std::int64_t> allocated_at(const std::vector<StatePoint>& points, const RankLives& lives,
                                       Memory memory) {
  std::vector<std::pair<fit::Tick, std::int64_t>> changes;
  for (const Life& life : lives.lives) {
    const bool placed = life.source == LifeSource::kTensor || life.source == LifeSource::kUnexplained;
    if (life.memory != memory || !placed || life.died <= life.born) continue;
    changes.emplace_back(life.born, life.bytes_per_bank);
    if (life.died != fit::kNever) changes.emplace_back(life.died, -life.bytes_per_bank);
  }
  std::sort(changes.begin(), changes.end());
  std::vector<std::int64_t> sums;
  std::size_t next = 0;
  std::int64_t sum = 0;
  for (const StatePoint& point : points) {
    for (; next < changes.size() && changes[next].first <= point.tick; ++next)
      sum = saturating_add(sum, changes[next].second);
    sums.push_back(sum);
  }
  return sums;
}

std::int64_t usual_size(Memory memory, const ByteRange& possible) {
  for (const std::int64_t size : fit::common_bank_sizes(memory)) {
    if (possible.has(size)) return size;
  }
  return -1;
}

std::vector<StatePoint> state_points(const RankLog& rank) {
  std::vector<StatePoint> points;
  points.reserve(rank.blocks.size());
  for (const MeasurePoint& point : measure_points(rank))
    points.push_back({state_tick(point.moment), point.block});
  return points;
}

Explanation explain_states(const RankLog& rank, const std::vector<StatePoint>& points,
                           std::uint32_t alignment, RankLives& lives) {
  Explanation all;
  for (const Memory memory : kMemories) {
    const Explanation one = MemoryExplainer(rank, points, alignment, memory, lives).explain();
    all.corrections += one.corrections;
    all.unexplained_dram_bytes_per_bank =
        std::max(all.unexplained_dram_bytes_per_bank, one.unexplained_dram_bytes_per_bank);
  }
  return all;
}

/// Exact sizes of the banks, which the states print rounded: as a failure's message says, else a usual size
/// that prints the same, else what the states leave possible.
void find_bank_sizes(const RankLog& rank, const std::vector<StatePoint>& points, const RankLives& lives,
                     fit::Device& device) {
  for (const Memory memory : kMemories) {
    const std::size_t m = index_of(memory);
    std::int64_t& size = device.regions[m].bytes_per_bank;
    ByteRange possible = range_of(printed_as(size));
    if (size == 0 || points.empty()) continue;
    std::int64_t exact = -1;
    for (const OutOfMemory& failure : rank.failures) {
      if (failure.memory == memory && possible.has(failure.bank_size_bytes)) exact = failure.bank_size_bytes;
    }
    if (exact < 0) exact = usual_size(memory, possible);
    if (exact < 0) {
      const std::vector<std::int64_t> allocated = allocated_at(points, lives, memory);
      for (std::size_t p = 0; p < points.size(); ++p) {
        const MemoryBlock& block = rank.blocks[points[p].block];
        if (!block.has(memory)) continue;
        const ByteRange both = possible.with(range_of(block.free[m]).shifted(allocated[p]));
        if (!both.empty()) possible = both;
      }
      exact = down_to((possible.low + possible.high) / 2, device.alignment_bytes);
      if (!possible.has(exact)) exact = up_to(possible.low, device.alignment_bytes);
    }
    size = exact;
  }
}

class StateComparison {
 public:
  StateComparison(const RankLog& rank, OwnReplay& replay)
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
    if (agreement.first_misses.size() < fit::kMaxMisses) agreement.first_misses.push_back(miss);
  }

  const RankLog& rank_;
  OwnReplay& replay_;
  std::vector<StatePoint> points_;
  fit::Placer placer_;
  std::vector<fit::Demand> demands_;
};

}  // namespace

OwnReplay replay_rank(const RuntimeLog& log, std::uint32_t rank, const RankProfile& profile) {
  const RankLog& ops = log.ranks[rank];
  OwnReplay replay;
  replay.device = own_device(ops, profile, replay.device_is_assumed);
  replay.lives = lives_of(log, rank, profile, replay.device);
  const std::vector<StatePoint> points = state_points(ops);
  if (!points.empty()) {
    const Explanation explained = explain_states(ops, points, replay.device.alignment_bytes, replay.lives);
    replay.agreement.corrections = explained.corrections;
    replay.agreement.unexplained_bytes_per_bank = explained.unexplained_dram_bytes_per_bank;
    find_bank_sizes(ops, points, replay.lives, replay.device);
    StateComparison(ops, replay).compare();
  }
  if (const OutOfMemory* failure = ending_failure(ops)) explain_failure(*failure, replay);
  replay.device_by_message = is_size_from_message(ops, profile, replay.device_is_assumed);
  replay.events = fit::events_of(demands_of(replay.lives));
  return replay;
}

namespace {

/// All of a core's L1, as addresses count it.
std::int64_t l1_bytes_of_core(const fit::Device& device) {
  return wormhole_or_blackhole(device.arch).l1_bytes;
}

class LifeCollector {
 public:
  LifeCollector(const RuntimeLog& log, std::uint32_t rank, const RankProfile& profile,
                const fit::Device& device)
      : log_(log), ops_(log.ranks[rank]), profile_(profile), device_(device) {}

  RankLives collect() {
    out_.life_of_buffer.resize(profile_.buffers.size(), kNone);
    out_.lives.reserve(profile_.buffers.size() + 8);
    for (std::uint32_t b = 0; b < profile_.buffers.size(); ++b) add_record(b);
    if (const OutOfMemory* failure = ending_failure(ops_)) add_failed(*failure);
    if (const OutOfMemory* failure = deciding_failure(ops_)) out_.failed_tick = tick_of(*failure);
    return std::move(out_);
  }

 private:
  void add_record(std::uint32_t b) {
    const Buffer& buffer = profile_.buffers[b];
    const bool is_followed = buffer.renamed_from < b && out_.life_of_buffer[buffer.renamed_from] != kNone;
    if (is_followed) return extend(out_.life_of_buffer[buffer.renamed_from], b);
    Life life;
    life.born = birth_tick(buffer.born);
    life.bytes_per_bank = buffer.bytes_per_bank;
    life.type = buffer.type;
    life.op = buffer.producer_op;
    life.memory = kTensorMemories[buffer.memory];
    out_.lives.push_back(life);
    extend(static_cast<std::uint32_t>(out_.lives.size() - 1), b);
  }

  /// What was a weight once stays one, whoever takes it later.
  void extend(std::uint32_t index, std::uint32_t b) {
    const Buffer& buffer = profile_.buffers[b];
    Life& life = out_.lives[index];
    out_.life_of_buffer[b] = index;
    life.buffer = b;
    life.died = death_tick(buffer.died);
    const bool is_weight = life.kind == TensorKind::kWeight || life.kind == TensorKind::kConstEval;
    if (!is_weight) life.kind = buffer.kind;
    if (buffer.first_used != kForever)
      life.first_used = std::min(life.first_used, birth_tick(buffer.first_used));
    if (buffer.last_used != 0) life.last_used = std::max(life.last_used, birth_tick(buffer.last_used));
  }

  fit::Tick tick_of(const OutOfMemory& failure) const {
    if (failure.last_op < ops_.ops.size()) return birth_tick(after_op(failure.last_op));
    return state_tick(failure.before_op == 0 ? 0 : after_op(failure.before_op - 1));
  }

  Life failed_life(const OutOfMemory& failure) const {
    Life life;
    life.born = tick_of(failure);
    life.memory = failure.memory;
    life.op = failure.last_op;
    life.kind = kind_of_request(profile_, failure);
    return life;
  }

  void add_failed(const OutOfMemory& failure) {
    if (failure.kind == FailureKind::kBuffersBeyondL1 || failure.kind == FailureKind::kBuffersClash)
      return add_circular_buffers(failure);
    const OpText* op = failure.last_op < ops_.ops.size() ? log_.text_of(ops_.ops[failure.last_op]) : nullptr;
    std::vector<Life> results;
    std::uint32_t asked = kNone;
    for (const std::uint32_t type :
         op == nullptr ? std::span<const std::uint32_t>{} : log_.ids(op->result_types)) {
      const TensorType& tensor = log_.types[type];
      const bool placed = tensor.buffer == BufferType::kDram || tensor.buffer == BufferType::kL1;
      if (!placed || op->role != OpRole::kCompute) continue;
      Life life = failed_life(failure);
      life.source = LifeSource::kFailedTensor;
      life.memory = tensor.buffer == BufferType::kDram ? Memory::kDram : Memory::kL1;
      life.type = type;
      life.bytes_per_bank = bytes_per_bank(tensor, profile_.device);
      if (asked == kNone && matches_requested_bytes(tensor, profile_, failure))
        asked = static_cast<std::uint32_t>(results.size());
      results.push_back(life);
    }
    if (asked == kNone) add_request(failure);
    if (asked != kNone) out_.failed_life = static_cast<std::uint32_t>(out_.lives.size()) + asked;
    out_.lives.insert(out_.lives.end(), results.begin(), results.end());
  }

  /// A buffer inside of the op, gone before its results come.
  void add_request(const OutOfMemory& failure) {
    if (failure.per_bank_bytes <= 0) return;
    Life life = failed_life(failure);
    life.source = LifeSource::kFailedRequest;
    life.bytes_per_bank = failure.per_bank_bytes;
    life.died = life.born + 1;
    out_.failed_life = static_cast<std::uint32_t>(out_.lives.size());
    out_.lives.push_back(life);
  }

  /// Their message has addresses: the room that they need begins where L1 for tensors does, which the lowest
  /// tensor's address tells once the tensors are placed. Without one the end of L1 does.
  void add_circular_buffers(const OutOfMemory& failure) {
    const std::int64_t bank = device_.region(Memory::kL1).bytes_per_bank;
    if (failure.reached_bytes < 0 || failure.limit_bytes < 0) return;
    Life life = failed_life(failure);
    life.source = LifeSource::kCircularBuffers;
    life.memory = Memory::kL1;
    std::int64_t held = 0;
    for (const Life& other : out_.lives) {
      if (other.memory == Memory::kL1 && other.born <= life.born && life.born < other.died)
        held = saturating_add(held, other.bytes_per_bank);
    }
    const bool clash = failure.kind == FailureKind::kBuffersClash;
    if (clash && held == 0) held = add_tensors_of_message(failure, life.born);
    const std::int64_t room = clash ? std::max<std::int64_t>(bank - held, 0) : bank;
    life.bytes_per_bank = saturating_add(room, failure.reached_bytes - failure.limit_bytes);
    life.died = life.born + 1;
    out_.failed_life = static_cast<std::uint32_t>(out_.lives.size());
    out_.lives.push_back(life);
  }

  /// Where nothing else tells what lies in L1, the message does: tensors, from the address that it names up.
  std::int64_t add_tensors_of_message(const OutOfMemory& failure, fit::Tick clash) {
    const std::int64_t small = device_.region(Memory::kL1Small).bytes_per_bank;
    const std::int64_t top = l1_bytes_of_core(device_) - small;
    const std::int64_t bank = device_.region(Memory::kL1).bytes_per_bank;
    const std::int64_t bytes = top - failure.limit_bytes;
    if (bytes <= 0 || bytes > bank) return 0;
    Life tensors;
    tensors.born = clash == 0 ? 0 : clash - 1;
    tensors.bytes_per_bank = bytes;
    tensors.memory = Memory::kL1;
    tensors.source = LifeSource::kFromFailureMessage;
    out_.lives.push_back(tensors);
    return bytes;
  }

  const RuntimeLog& log_;
  const RankLog& ops_;
  const RankProfile& profile_;
  const fit::Device& device_;
  RankLives out_;
};

/// The compiler's description of a device has one L1, of which the runtime takes L1_SMALL.
void reserve_l1_small(fit::Device& device) {
  fit::Region& l1 = device.regions[index_of(Memory::kL1)];
  if (l1.bytes_per_bank <= kDefaultL1SmallBytes || device.region(Memory::kL1Small).bytes_per_bank > 0) return;
  l1.bytes_per_bank -= kDefaultL1SmallBytes;
}

/// Where no state is printed, the message of a failure may tell the size of its bank.
void take_sizes_of_failures(const RankLog& rank, fit::Device& device) {
  for (const OutOfMemory& failure : rank.failures) {
    if (failure.kind != FailureKind::kAllocation || failure.bank_size_bytes <= 0) continue;
    fit::Region& region = device.regions[index_of(failure.memory)];
    region.bytes_per_bank = failure.bank_size_bytes;
    const bool interleaved = failure.memory == Memory::kDram && failure.banks > 0 && failure.banks <= 64;
    if (!interleaved || !rank.ops.empty()) continue;
    region.banks = static_cast<std::uint32_t>(failure.banks);
    const Architecture& architecture = is_bank_of_blackhole(failure.bank_size_bytes) ? kBlackhole : kWormhole;
    device.arch = architecture.name;
    device.alignment_bytes = architecture.dram_alignment_bytes;
  }
}

}  // namespace

RankLives lives_of(const RuntimeLog& log, std::uint32_t rank, const RankProfile& profile,
                   const fit::Device& device) {
  return LifeCollector(log, rank, profile, device).collect();
}

fit::Device own_device(const RankLog& rank, const RankProfile& profile, bool& assumed) {
  fit::Device device;
  const DeviceFacts& facts = profile.device;
  device.arch = facts.arch;
  device.chips = facts.chips;
  device.alignment_bytes = facts.dram_alignment_bytes;
  device.l1_alignment_bytes = facts.l1_alignment_bytes;
  device.is_own = true;
  for (const Memory memory : kMemories) {
    const std::size_t m = index_of(memory);
    device.regions[m] = {facts.banks[m], facts.capacity_bytes_per_bank[m]};
  }
  if (!rank.blocks.empty()) return device;
  reserve_l1_small(device);
  take_sizes_of_failures(rank, device);
  assumed = device.region(Memory::kDram).bytes_per_bank == 0;
  const fit::Device usual = fit::device_of(usual_product(wormhole_or_blackhole(device.arch)));
  for (const Memory memory : kMemories) {
    fit::Region& region = device.regions[index_of(memory)];
    if (region.bytes_per_bank == 0) region.bytes_per_bank = usual.region(memory).bytes_per_bank;
  }
  return device;
}

bool is_size_from_message(const RankLog& rank, const RankProfile& profile, bool assumed) {
  return rank.blocks.empty() && profile.device.source == FactSource::kFailureMessage && !assumed;
}

fit::Demand demand_of(const Life& life) {
  fit::Demand demand{life.born, life.died, life.bytes_per_bank, life.memory, fit::DemandKind::kBuffer, {}};
  if (life.source == LifeSource::kHole) demand.kind = fit::DemandKind::kHole;
  if (life.top_down) demand.direction = fit::Direction::kTopDown;
  return demand;
}

std::vector<fit::Demand> demands_of(const RankLives& lives) {
  std::vector<fit::Demand> demands;
  demands.reserve(lives.lives.size());
  for (const Life& life : lives.lives) demands.push_back(demand_of(life));
  return demands;
}

const OutOfMemory* ending_failure(const RankLog& rank) {
  for (const OutOfMemory& failure : rank.failures) {
    const std::uint32_t op = failure.last_op;
    const bool is_followed = op < rank.ops.size() && op + 1 < rank.ops.size() &&
                             rank.ops[op + 1].instance == rank.ops[op].instance;
    const bool of_device =
        failure.kind == FailureKind::kAllocation || failure.kind == FailureKind::kBuffersBeyondL1 ||
        failure.kind == FailureKind::kBuffersClash || failure.kind == FailureKind::kTraceRegion;
    if (of_device && !is_followed) return &failure;
  }
  return nullptr;
}

const OutOfMemory* deciding_failure(const RankLog& rank) {
  if (const OutOfMemory* ending = ending_failure(rank)) return ending;
  const auto found = std::find_if(rank.failures.begin(), rank.failures.end(), [](const OutOfMemory& failure) {
    return failure.kind != FailureKind::kHostMemory;
  });
  return found == rank.failures.end() ? nullptr : &*found;
}

}  // namespace ttscope::mem
