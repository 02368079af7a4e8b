#include "mem/analyse/effects.h"

#include <algorithm>
#include <tuple>

namespace ttscope::mem {
namespace {

Moment moment_of(const ProgramEvent& event) {
  if (event.is_start) return before_op(event.before_op);
  return event.before_op == 0 ? 0 : after_op(event.before_op - 1);
}

/// Rounding alone: the difference of two printed figures is off by up to two roundings.
bool within_rounding(std::int64_t measured, std::int64_t modelled) {
  return std::abs(saturating_add(measured, -modelled)) <= kRoundingBytes;
}

/// What lies between two blocks that show a memory.
struct Interval {
  std::uint32_t first_op = 0;  ///< ops [first_op, end_op)
  std::uint32_t end_op = 0;
  std::size_t first_event = 0;  ///< events [first_event, end_event)
  std::size_t end_event = 0;
  std::int64_t change = 0;  ///< bytes per bank
};

/// Splits the changes of one memory at a time: a block may lack the view of one and have the other's.
class Attribution {
 public:
  Attribution(const RuntimeTrace& trace, std::uint32_t rank, const ModelledChanges& model,
              RankProfile& profile)
      : rank_(trace.ranks[rank]), model_(model), profile_(profile), points_(measure_points(rank_)) {}

  void run() {
    profile_.effects.resize(rank_.ops.size());
    for (std::size_t m = 0; m < kTensorMemoryCount; ++m) run(m);
    merge_changes();
  }

 private:
  void run(std::size_t m) {
    next_event_ = 0;
    MilliMib state = 0;
    std::uint32_t next_op = 0;
    for (const MeasurePoint& point : points_) {
      const MemoryBlock& block = rank_.blocks[point.block];
      if (!block.has(kTensorMemories[m])) continue;
      Interval interval;
      interval.first_op = next_op;
      interval.end_op = std::max(next_op, point.before_op);
      take_events_until(point.moment, interval);
      interval.change = bytes_between(state, block.allocated[m]);
      state = block.allocated[m];
      settle(interval, m);
      next_op = interval.end_op;
    }
    settle_unmeasured(next_op, m);
  }

  void take_events_until(Moment moment, Interval& interval) {
    interval.first_event = next_event_;
    while (next_event_ < rank_.events.size() && moment_of(rank_.events[next_event_]) <= moment) ++next_event_;
    interval.end_event = next_event_;
  }

  void settle(const Interval& interval, std::size_t m) {
    if (interval.end_op == interval.first_op + 1 && interval.first_event == interval.end_event) {
      return set_alone(interval.first_op, m, interval.change);
    }
    std::int64_t rest = interval.change;
    for (std::uint32_t i = interval.first_op; i < interval.end_op; ++i) {
      credit(i, m, model_.by_op[i][m], Confidence::kDerived);
      rest = saturating_add(rest, -model_.by_op[i][m]);
    }
    std::int64_t modelled_rest = 0;
    for (std::size_t e = interval.first_event; e < interval.end_event; ++e) {
      modelled_rest = saturating_add(modelled_rest, model_.by_event[e][m]);
    }
    if (within_rounding(rest, modelled_rest)) rest = modelled_rest;
    if (rest != 0) credit_rest(interval, m, rest);
  }

  /// The change is this op's and nobody else's; the layout's exact bytes replace the rounded figure they
  /// agree with.
  void set_alone(std::uint32_t i, std::size_t m, std::int64_t change) {
    const bool confirmed =
        model_.known[i] && model_.by_op[i][m] != 0 && within_rounding(change, model_.by_op[i][m]);
    if (confirmed) {
      credit(i, m, model_.by_op[i][m], Confidence::kDerived);
    } else {
      const bool only_rounding =
          model_.known[i] && std::abs(change) <= kLogResolutionBytes && model_.by_op[i][m] == 0;
      credit(i, m, only_rounding ? 0 : change, Confidence::kMeasured);
    }
  }

  void credit(std::uint32_t i, std::size_t m, std::int64_t bytes, Confidence confidence) {
    OpEffect& effect = profile_.effects[i];
    effect.own_growth[m] = saturating_add(effect.own_growth[m], bytes);
    effect.confidence[m] = confidence;
  }

  /// What the ops' own modelled changes leave: inputs moved in before a program, temporaries freed at its
  /// end, effects that the texts do not tell.
  void credit_rest(const Interval& interval, std::size_t m, std::int64_t bytes) {
    std::uint32_t outermost_start = kNone;
    std::uint32_t outermost_end = kNone;
    std::uint32_t calling_op = kNone;
    for (std::size_t e = interval.first_event; e < interval.end_event; ++e) {
      const ProgramEvent& event = rank_.events[e];
      const ProgramInstance& program = rank_.programs[event.instance];
      if (event.is_start && program.parent == kNone) outermost_start = event.instance;
      if (!event.is_start && program.parent == kNone) outermost_end = event.instance;
      if (!event.is_start && program.caller_op != kNone) calling_op = program.caller_op;
    }
    const std::uint32_t unknown = unknown_op_in(interval);
    if (outermost_start != kNone || interval.first_op == interval.end_op) {
      add_change({BoundaryChange::Cause::kProgramStart, interval.end_op, outermost_start, {}}, m, bytes);
    } else if (unknown != kNone) {
      credit(unknown, m, bytes, Confidence::kMeasured);
    } else if (calling_op != kNone) {
      credit(calling_op, m, bytes, Confidence::kDerived);
    } else if (outermost_end != kNone) {
      add_change({BoundaryChange::Cause::kProgramEnd, interval.end_op, outermost_end, {}}, m, bytes);
    } else {
      add_change({BoundaryChange::Cause::kUnattributed, interval.end_op, kNone, {}}, m, bytes);
    }
  }

  std::uint32_t unknown_op_in(const Interval& interval) const {
    for (std::uint32_t i = interval.end_op; i-- > interval.first_op;) {
      if (!model_.known[i]) return i;
    }
    return kNone;
  }

  void add_change(BoundaryChange change, std::size_t m, std::int64_t bytes) {
    change.delta[m] = bytes;
    profile_.changes.push_back(change);
  }

  /// The memories were looked at one after the other: put their parts of a change together, in log order.
  void merge_changes() {
    std::vector<BoundaryChange>& changes = profile_.changes;
    const auto key = [](const BoundaryChange& c) {
      return std::make_tuple(c.before_op, c.cause, c.instance);
    };
    std::stable_sort(changes.begin(), changes.end(),
                     [&](const BoundaryChange& a, const BoundaryChange& b) { return key(a) < key(b); });
    std::size_t kept = 0;
    for (std::size_t c = 0; c < changes.size(); ++c) {
      if (kept > 0 && key(changes[kept - 1]) == key(changes[c])) {
        PerTensorMemory& sum = changes[kept - 1].delta;
        for (std::size_t m = 0; m < kTensorMemoryCount; ++m)
          sum[m] = saturating_add(sum[m], changes[c].delta[m]);
      } else {
        changes[kept++] = changes[c];
      }
    }
    changes.resize(kept);
  }

  /// Ops after the last block: nothing shows what they did, the model alone tells.
  void settle_unmeasured(std::uint32_t first_op, std::size_t m) {
    for (auto i = first_op; i < rank_.ops.size(); ++i)
      credit(i, m, model_.by_op[i][m], Confidence::kModelled);
    for (; next_event_ < rank_.events.size(); ++next_event_) {
      const ProgramEvent& event = rank_.events[next_event_];
      const ProgramInstance& program = rank_.programs[event.instance];
      const std::int64_t bytes = model_.by_event[next_event_][m];
      if (bytes == 0) continue;
      if (program.caller_op != kNone) {
        credit(program.caller_op, m, bytes, Confidence::kModelled);
      } else {
        const auto cause =
            event.is_start ? BoundaryChange::Cause::kProgramStart : BoundaryChange::Cause::kProgramEnd;
        add_change({cause, event.before_op, event.instance, {}}, m, bytes);
      }
    }
  }

  const RankTrace& rank_;
  const ModelledChanges& model_;
  RankProfile& profile_;
  std::vector<MeasurePoint> points_;
  std::size_t next_event_ = 0;
};

}  // namespace

std::vector<MeasurePoint> measure_points(const RankTrace& rank) {
  std::vector<MeasurePoint> points;
  points.reserve(rank.blocks.size());
  for (std::uint32_t b = 0; b < rank.blocks.size(); ++b) {
    const MemoryBlock& block = rank.blocks[b];
    const bool after = block.moment == MemoryBlock::Moment::kAfterSubmit && block.before_op > 0;
    points.push_back(
        {after ? after_op(block.before_op - 1) : before_op(block.before_op), block.before_op, b});
  }
  const auto earlier = [](const MeasurePoint& a, const MeasurePoint& b) { return a.moment < b.moment; };
  if (!std::is_sorted(points.begin(), points.end(), earlier))
    std::stable_sort(points.begin(), points.end(), earlier);
  return points;
}

void attribute_changes(const RuntimeTrace& trace, std::uint32_t rank, const ModelledChanges& model,
                       RankProfile& profile) {
  Attribution(trace, rank, model, profile).run();
}

}  // namespace ttscope::mem
