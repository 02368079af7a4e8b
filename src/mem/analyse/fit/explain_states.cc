#include "mem/analyse/fit/explain_states.h"

#include <algorithm>
#include <array>

#include "mem/analyse/effects.h"
#include "mem/analyse/fit/printed_bytes.h"

namespace ttscope::mem {
namespace {

/// How often a life is looked for that ends earlier than the op lines say; a log that needs more is not one
/// that this explains.
constexpr int kMostEndings = 500;

std::int64_t up_to(std::int64_t value, std::int64_t step) {
  const std::int64_t down = value / step * step;
  return down < value ? down + step : down;
}
std::int64_t down_to(std::int64_t value, std::int64_t step) {
  const std::int64_t down = value / step * step;
  return down > value ? down - step : down;
}

/// Buffers are whole pages: of all values in a range the one with the largest power of two is the likeliest.
std::int64_t roundest_in(const ByteRange& range, std::int64_t alignment) {
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
  MemoryExplainer(const RankTrace& rank, const std::vector<StatePoint>& points, std::int64_t alignment,
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
  std::int64_t modelled_at(const StatePoint& point) {
    for (; next_moment_ <= moment_of_tick(point.tick); ++next_moment_)
      modelled_ = saturating_add(modelled_, changes_[next_moment_]);
    return modelled_;
  }

  /// What is not explained at a point, as far as the rounding tells; alignment makes it exact to a block.
  ByteRange unexplained_at(const StatePoint& point) {
    const MemoryBlock& block = rank_.blocks[point.block];
    const ByteRange range = range_of(block.allocated[index_of(memory_)]).shifted(-modelled_at(point));
    return {up_to(range.low, alignment_), down_to(range.high, alignment_)};
  }

  /// Points from `first` on with one and the same difference; returns the first behind them.
  std::size_t explain_stretch(std::size_t first) {
    while (first < points_.size() && !rank_.blocks[points_[first].block].has(memory_)) ++first;
    if (first == points_.size()) return first;
    ByteRange range = unexplained_at(points_[first]);
    if (range.high < 0 && end_a_life(points_[first], range)) range = unexplained_at(points_[first]);
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
        range.has(0) || range.high < 0 ? 0 : roundest_in(range.shifted(-held_), alignment_) + held_;
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
  bool end_a_life(const StatePoint& point, const ByteRange& range) {
    if (endings_ == kMostEndings) return false;
    ++endings_;
    const ByteRange missing{-range.high, -range.low};
    return end_one_of(point, missing.shifted(held_)) || (held_ > 0 && end_one_of(point, missing));
  }

  bool end_one_of(const StatePoint& point, const ByteRange& wanted) {
    for (std::size_t i = lives_.lives.size(); i-- > 0;) {
      Life& life = lives_.lives[i];
      const bool there = life.born < point.tick && point.tick < life.died;
      if (!there || life.memory != memory_ || life.source != LifeSource::kTensor) continue;
      if (!wanted.has(life.bytes_per_bank)) continue;
      if (life.died != fit::kNever) change_at(moment_of_tick(life.died), life.bytes_per_bank);
      modelled_ = saturating_add(modelled_, -life.bytes_per_bank);
      life.died = point.tick;
      ++out_.corrections;
      return true;
    }
    return false;
  }

  const RankTrace& rank_;
  const std::vector<StatePoint>& points_;
  std::int64_t alignment_;
  Memory memory_;
  RankLives& lives_;
  std::vector<std::int64_t> changes_;  ///< by moment
  Moment next_moment_ = 0;
  std::int64_t modelled_ = 0;
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
  for (const std::int64_t size : fit::usual_bank_sizes(memory)) {
    if (possible.has(size)) return size;
  }
  return -1;
}

}  // namespace

std::vector<StatePoint> state_points(const RankTrace& rank) {
  std::vector<StatePoint> points;
  points.reserve(rank.blocks.size());
  for (const MeasurePoint& point : measure_points(rank))
    points.push_back({state_tick(point.moment), point.block});
  return points;
}

Explanation explain_states(const RankTrace& rank, const std::vector<StatePoint>& points,
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

void find_bank_sizes(const RankTrace& rank, const std::vector<StatePoint>& points, const RankLives& lives,
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

}  // namespace ttscope::mem
