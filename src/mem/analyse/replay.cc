#include "mem/analyse/replay.h"

#include <algorithm>

#include "mem/analyse/effects.h"
#include "mem/analyse/measured_curve.h"

namespace ttscope::mem {

Replay::Replay(const RuntimeTrace& trace, std::uint32_t rank, const RankProfile& profile, Memory memory) {
  const RankTrace& ops = trace.ranks[rank];
  if (ops.blocks.empty()) {
    if (index_of(memory) < kTensorMemoryCount) add_modelled(profile, memory);
  } else {
    add_measured(ops, memory);
  }
  for (const OutOfMemory& failure : ops.failures) {
    if (failure.memory != memory || failure.allocated_bytes < 0) continue;
    add_point(moment_of(failure), failure.allocated_bytes);
  }
  steps_.resize(2 * ops.ops.size() + 2);
}

/// The state before an op is also that after the op before it, where nothing is between them: what was freed
/// there had still been live when that op had its result.
void Replay::add_measured(const RankTrace& rank, Memory memory) {
  const MeasuredCurve curve(rank);
  const std::vector<MeasurePoint> measured = measure_points(rank);
  points_.reserve(2 * measured.size());
  for (const MeasurePoint& point : measured) {
    const MemoryBlock& block = rank.blocks[point.block];
    if (!block.has(memory)) continue;
    const std::int64_t allocated = bytes_of(block.allocated[index_of(memory)]);
    const std::uint32_t op = point.before_op;
    if (op > 0 && point.moment == before_op(op) && curve.change_by(op - 1))
      points_.push_back({after_op(op - 1), allocated});
    points_.push_back({point.moment, allocated});
  }
}

void Replay::add_modelled(const RankProfile& profile, Memory memory) {
  const std::size_t m = index_of(memory);
  const std::size_t ops = std::min(profile.accounted.size(), profile.effects.size());
  points_.reserve(2 * ops);
  for (std::uint32_t i = 0; i < ops; ++i) {
    const std::int64_t before = profile.accounted[i][m];
    points_.push_back({before_op(i), before});
    points_.push_back({after_op(i), saturating_add(before, profile.effects[i].own_growth[m])});
  }
}

void Replay::add_point(Moment moment, std::int64_t bytes_per_bank) {
  const auto later = std::upper_bound(points_.begin(), points_.end(), moment,
                                      [](Moment value, const Point& point) { return value < point.moment; });
  points_.insert(later, {moment, bytes_per_bank});
}

std::int64_t Replay::peak() const {
  std::int64_t peak = 0;
  for (const Point& point : points_) peak = std::max(peak, point.bytes_per_bank);
  return peak;
}

std::int64_t Replay::peak_with(const std::vector<SmallerFor>& changes) {
  const auto end = static_cast<Moment>(steps_.size() - 1);
  for (const SmallerFor& change : changes) {
    if (change.from >= change.until) continue;
    std::int64_t& begins = steps_[std::min(change.from, end)];
    std::int64_t& ends = steps_[std::min(change.until, end)];
    begins = saturating_add(begins, change.bytes_per_bank);
    ends = saturating_add(ends, -change.bytes_per_bank);
  }
  std::int64_t peak = 0;
  std::int64_t less = 0;
  Moment next = 0;
  for (const Point& point : points_) {
    for (; next <= std::min(point.moment, end); ++next) less = saturating_add(less, steps_[next]);
    peak = std::max(peak, saturating_add(point.bytes_per_bank, -less));
  }
  std::fill(steps_.begin(), steps_.end(), 0);
  return peak;
}

}  // namespace ttscope::mem
