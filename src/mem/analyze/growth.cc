#include "mem/analyze/growth.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/ids.h"
#include "mem/analyze/bank_states.h"
#include "mem/analyze/replay.h"
#include "mem/analyze/tensor_origins.h"

namespace ttscope::mem {
namespace {

Moment moment_of(const ProgramEvent& event) {
  if (event.is_start) return before_op(event.before_op);
  return event.before_op == 0 ? 0 : after_op(event.before_op - 1);
}

/// Rounding alone: the difference of two printed figures is off by up to two roundings.
bool within_rounding(std::int64_t measured, std::int64_t modeled) {
  return std::abs(saturating_add(measured, -modeled)) <= kRoundingBytes;
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
  Attribution(const RuntimeLog& log, std::uint32_t rank, const ModeledChanges& model, RankProfile& profile)
      : rank_(log.ranks[rank]), model_(model), profile_(profile), points_(measure_points(rank_)) {}

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
    std::int64_t modeled_rest = 0;
    for (std::size_t e = interval.first_event; e < interval.end_event; ++e) {
      modeled_rest = saturating_add(modeled_rest, model_.by_event[e][m]);
    }
    if (within_rounding(rest, modeled_rest)) rest = modeled_rest;
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

  /// What the ops' own modeled changes leave: inputs moved in before a program, temporaries freed at its
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
    for (auto i = first_op; i < rank_.ops.size(); ++i) credit(i, m, model_.by_op[i][m], Confidence::kModeled);
    for (; next_event_ < rank_.events.size(); ++next_event_) {
      const ProgramEvent& event = rank_.events[next_event_];
      const ProgramInstance& program = rank_.programs[event.instance];
      const std::int64_t bytes = model_.by_event[next_event_][m];
      if (bytes == 0) continue;
      if (program.caller_op != kNone) {
        credit(program.caller_op, m, bytes, Confidence::kModeled);
      } else {
        const auto cause =
            event.is_start ? BoundaryChange::Cause::kProgramStart : BoundaryChange::Cause::kProgramEnd;
        add_change({cause, event.before_op, event.instance, {}}, m, bytes);
      }
    }
  }

  const RankLog& rank_;
  const ModeledChanges& model_;
  RankProfile& profile_;
  std::vector<MeasurePoint> points_;
  std::size_t next_event_ = 0;
};

}  // namespace

std::vector<MeasurePoint> measure_points(const RankLog& rank) {
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

void attribute_changes(const RuntimeLog& log, std::uint32_t rank, const ModeledChanges& model,
                       RankProfile& profile) {
  Attribution(log, rank, model, profile).run();
}

namespace {

constexpr std::uint8_t kTensorViews = (1u << kTensorMemoryCount) - 1;

}  // namespace

MeasuredCurve::MeasuredCurve(const RankLog& rank)
    : rank_(rank), boundary_before_(rank.ops.size() + 1, false) {
  for (const ProgramEvent& event : rank.events) boundary_before_[event.before_op] = true;
  for (const MemoryBlock& block : rank.blocks) {
    views_seen_ = static_cast<std::uint8_t>(views_seen_ | (block.present & kTensorViews));
    if (block.moment != MemoryBlock::Moment::kBeforeOp) boundary_before_[block.before_op] = true;
  }
}

std::optional<PerTensorMemory> MeasuredCurve::before(std::uint32_t op) const {
  if (op >= rank_.ops.size() || rank_.ops[op].block == kNone) return std::nullopt;
  const MemoryBlock& block = rank_.blocks[rank_.ops[op].block];
  if ((block.present & views_seen_) != views_seen_) return std::nullopt;
  PerTensorMemory state{};
  for (const Memory memory : kTensorMemories)
    state[index_of(memory)] = bytes_of(block.allocated[index_of(memory)]);
  return state;
}

std::optional<PerTensorMemory> MeasuredCurve::change_by(std::uint32_t op) const {
  if (op + 1 >= rank_.ops.size() || boundary_before_[op + 1]) return std::nullopt;
  const auto now = before(op);
  const auto next = before(op + 1);
  if (!now || !next) return std::nullopt;
  PerTensorMemory change{};
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) change[m] = (*next)[m] - (*now)[m];
  return change;
}

namespace {

class PeakFinder {
 public:
  PeakFinder(const RuntimeLog& log, std::uint32_t rank, RankProfile& profile)
      : log_(log), rank_(log.ranks[rank]), profile_(profile), points_(measure_points(rank_)) {
    for (std::size_t c = 0; c < profile.changes.size(); ++c)
      changes_by_op_.push_back(profile.changes[c].before_op);
  }

  void find() {
    if (points_.empty()) {
      for (const Memory memory : kTensorMemories) find_modeled(memory);
    } else {
      for (const Memory memory : kMemories) find_measured(memory);
    }
    for (const OutOfMemory& failure : rank_.failures) take_failure(failure);
    for (const Memory memory : kTensorMemories) {
      const Peak& peak = profile_.peaks[index_of(memory)];
      const bool measured = peak.block != kNone || peak.message_line != 0;
      if (peak.bytes_per_bank == 0) continue;
      LiveSet& live = profile_.live_at_peak[index_of(memory)];
      live = live_set_at(log_, profile_, {memory, peak.moment, measured ? peak.bytes_per_bank : -1});
      for (const OutOfMemory& failure : rank_.failures) {
        if (failure.line == peak.message_line && failure.memory == memory)
          claim_failing_results(failing_results(log_, rank_, profile_.device, failure), profile_.device,
                                live);
      }
    }
  }

 private:
  void find_measured(Memory memory) {
    const std::size_t m = index_of(memory);
    const MeasurePoint* highest = nullptr;
    std::uint32_t shown_before = 0;  // op of the block before the highest that shows this memory
    std::uint32_t last_op = 0;
    MilliMib value = 0;
    for (const MeasurePoint& point : points_) {
      const MemoryBlock& block = rank_.blocks[point.block];
      if (!block.has(memory)) continue;
      note_fragmentation(memory, point.block, block);
      if (block.allocated[m] > value) {
        value = block.allocated[m];
        highest = &point;
        shown_before = last_op;
      }
      last_op = point.before_op;
    }
    Peak& peak = profile_.peaks[m];
    peak.confidence = Confidence::kMeasured;
    if (highest == nullptr) return;
    peak.bytes_per_bank = bytes_of(value);
    peak.block = highest->block;
    peak.moment = highest->moment;
    find_maker(memory, shown_before, highest->before_op, peak);
  }

  /// What the message of a failed allocation says is allocated is a measurement too.
  void take_failure(const OutOfMemory& failure) {
    Peak& peak = profile_.peaks[index_of(failure.memory)];
    const bool is_same = is_rounding(failure.allocated_bytes - peak.bytes_per_bank);
    if (is_same || failure.allocated_bytes < peak.bytes_per_bank) return;
    peak = {};
    peak.bytes_per_bank = failure.allocated_bytes;
    peak.confidence = Confidence::kMeasured;
    peak.message_line = failure.line;
    peak.op = failure.last_op;
    peak.moment = moment_of(failure);
  }

  void note_fragmentation(Memory memory, std::uint32_t index, const MemoryBlock& block) {
    const std::size_t m = index_of(memory);
    if (block.free[m] == 0) return;
    const double fraction = fragmentation_of(block, memory);
    FragmentationMoment& worst = profile_.worst_fragmentation[m];
    if (worst.block == kNone || fraction > worst.fraction) worst = {fraction, index};
  }

  /// The op (or program start) between the block before and the one that shows the peak which added to it
  /// last.
  void find_maker(Memory memory, std::uint32_t begin, std::uint32_t end, Peak& peak) const {
    const std::size_t m = index_of(memory);
    begin = std::min(begin, end);
    if (m < kTensorMemoryCount) {
      if (start_grew(end, m)) return made_at_start(end, peak);
      for (std::uint32_t i = end; i-- > begin;) {
        if (profile_.effects[i].own_growth[m] > 0) {
          peak.op = i;
          return;
        }
      }
    }
    if (end > begin) {
      peak.op = end - 1;
    } else {
      made_at_start(end, peak);
    }
  }

  bool start_grew(std::uint32_t op, std::size_t m) const {
    const auto range = std::equal_range(changes_by_op_.begin(), changes_by_op_.end(), op);
    for (auto it = range.first; it != range.second; ++it) {
      const BoundaryChange& change = profile_.changes[static_cast<std::size_t>(it - changes_by_op_.begin())];
      if (change.cause == BoundaryChange::Cause::kProgramStart && change.delta[m] > 0) return true;
    }
    return false;
  }

  void made_at_start(std::uint32_t op, Peak& peak) const {
    peak.at_program_start = true;
    peak.op = rank_.ops.empty()
                  ? kNone
                  : std::min<std::uint32_t>(op, static_cast<std::uint32_t>(rank_.ops.size() - 1));
  }

  void find_modeled(Memory memory) {
    const std::size_t m = index_of(memory);
    Peak& peak = profile_.peaks[m];
    peak.confidence = Confidence::kModeled;
    for (std::uint32_t i = 0; i < rank_.ops.size(); ++i) {
      const std::int64_t before = profile_.accounted[i][m];
      if (before > peak.bytes_per_bank) {  // grew between programs: growth by an op was seen right after it
        peak.bytes_per_bank = before;
        peak.moment = before_op(i);
        peak.at_program_start = true;
        peak.op = i;
      }
      const std::int64_t after = saturating_add(before, profile_.effects[i].own_growth[m]);
      if (after > peak.bytes_per_bank) {
        peak.bytes_per_bank = after;
        peak.moment = after_op(i);
        peak.at_program_start = false;
        peak.op = i;
      }
    }
  }

  const RuntimeLog& log_;
  const RankLog& rank_;
  RankProfile& profile_;
  std::vector<MeasurePoint> points_;
  std::vector<std::uint32_t> changes_by_op_;  ///< before_op of RankProfile::changes, which are in order
};

}  // namespace

void find_peaks(const RuntimeLog& log, std::uint32_t rank, RankProfile& profile) {
  PeakFinder(log, rank, profile).find();
}

namespace {

class PassFinder {
 public:
  PassFinder(const Profile& profile, std::uint32_t rank, Memory memory)
      : profile_(profile),
        ops_(profile.log.ranks[rank]),
        rank_(profile.memory.ranks[rank]),
        memory_(memory),
        highest_(rank_.peaks[index_of(memory)]) {}

  std::vector<PeakPass> find() {
    if (highest_.message_line != 0 || highest_.bytes_per_bank <= 0) return {};
    if (rank_.measured) {
      for (const MeasurePoint& point : measure_points(ops_)) look_at(point);
    } else {
      for (std::uint32_t i = 0; i < ops_.ops.size(); ++i) look_at_modeled(i);
    }
    return std::move(passes_);
  }

 private:
  void look_at(const MeasurePoint& point) {
    const MemoryBlock& block = ops_.blocks[point.block];
    if (!block.has(memory_) || point.before_op == 0) return;
    if (!is_peak(bytes_of(block.allocated[index_of(memory_)]))) return;
    Peak peak = highest_;
    peak.block = point.block;
    peak.moment = point.moment;
    peak.at_program_start = false;
    peak.op = point.before_op - 1;
    add(peak);
  }

  void look_at_modeled(std::uint32_t op) {
    const std::size_t m = index_of(memory_);
    if (!is_peak(rank_.accounted[op][m] + rank_.effects[op].own_growth[m])) return;
    Peak peak = highest_;
    peak.moment = after_op(op);
    peak.at_program_start = false;
    peak.op = op;
    add(peak);
  }

  bool is_peak(std::int64_t bytes_per_bank) const {
    return is_rounding(bytes_per_bank - highest_.bytes_per_bank);
  }

  /// The first of each run of an outermost program.
  void add(Peak peak) {
    std::uint32_t instance = ops_.ops[peak.op].instance;
    if (instance >= ops_.programs.size()) return;
    while (ops_.programs[instance].parent != kNone) instance = ops_.programs[instance].parent;
    if (instance == last_instance_) return;
    last_instance_ = instance;
    const ProgramSummary& program = rank_.programs[instance];
    if (program.graph == kNone) return;
    // The peak itself is told with the op that made it.
    if (peak.moment == highest_.moment) peak = highest_;
    const auto& graphs = profile_.memory.graphs;
    const std::uint32_t name = graphs[program.graph].name;
    const auto number =
        static_cast<std::uint32_t>(std::count_if(graphs.begin(), graphs.begin() + program.graph,
                                                 [&](const Graph& graph) { return graph.name == name; }));
    passes_.push_back({{std::string(profile_.log.names[name]), number, program.run}, peak});
  }

  const Profile& profile_;
  const RankLog& ops_;
  const RankProfile& rank_;
  Memory memory_;
  const Peak& highest_;
  std::uint32_t last_instance_ = kNone;
  std::vector<PeakPass> passes_;
};

}  // namespace

std::vector<PeakPass> peak_passes(const Profile& profile, std::uint32_t rank, Memory memory) {
  return PassFinder(profile, rank, memory).find();
}

namespace {

struct Key {
  std::uint64_t what = 0;  ///< text and location; op type and bytes when there is no text
  std::uint64_t detail = 0;
  std::uint8_t memory = 0;
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    return ((key.what * kOdd ^ key.detail) * kOdd ^ key.memory) * kOdd >> 7;
  }
};

using Groups = std::unordered_map<Key, GrowthGroup, KeyHash>;

Key key_of(const ExecutedOp& op, std::uint8_t memory, std::int64_t growth) {
  if (op.text == kNone) return {op.op_type, static_cast<std::uint64_t>(growth), memory};
  return {std::uint64_t{op.text} + 1, op.loc, memory};
}

/// The ops of a rank that take from one memory.
struct RankMemory {
  std::uint32_t rank = 0;
  std::uint8_t memory = 0;
};

void collect(const RuntimeLog& log, const MemoryProfile& profile, RankMemory rank_memory, Groups& groups) {
  const auto [rank, memory] = rank_memory;
  const RankLog& rank_log = log.ranks[rank];
  const auto& effects = profile.ranks[rank].effects;
  const std::size_t count = std::min(effects.size(), rank_log.ops.size());
  for (std::size_t op = 0; op < count; ++op) {
    const std::int64_t growth = effects[op].own_growth[memory];
    if (growth <= 0) continue;
    GrowthGroup& group = groups[key_of(rank_log.ops[op], memory, growth)];
    ++group.times;
    if (growth <= group.bytes_per_bank) continue;
    const std::uint64_t times = group.times;
    group = {rank, static_cast<std::uint32_t>(op), memory, growth, times, effects[op].confidence[memory]};
  }
}

std::vector<GrowthGroup> largest(const Groups& groups, std::size_t limit) {
  std::vector<GrowthGroup> sorted;
  sorted.reserve(groups.size());
  for (const auto& [key, group] : groups) sorted.push_back(group);
  const auto order = [](const GrowthGroup& group) {
    return std::make_tuple(-group.bytes_per_bank, group.rank, group.op, group.memory);
  };
  const std::size_t kept = std::min(limit, sorted.size());
  std::partial_sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(kept), sorted.end(),
                    [&](const GrowthGroup& a, const GrowthGroup& b) { return order(a) < order(b); });
  sorted.resize(kept);
  return sorted;
}

}  // namespace

std::vector<GrowthGroup> top_growth(const RuntimeLog& log, const MemoryProfile& profile, Memory memory,
                                    std::size_t limit) {
  Groups groups;
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    collect(log, profile, {rank, static_cast<std::uint8_t>(memory)}, groups);
  }
  return largest(groups, limit);
}

namespace {

std::uint32_t name_id(const RuntimeLog& log, const ExecutedOp& op) {
  const std::uint32_t written = op.text == kNone ? kNone : log.op_texts[op.text].name;
  return written == kNone ? op.op_type : written;
}

class OpKinds {
 public:
  OpKinds(const RuntimeLog& log, const MemoryProfile& profile) : log_(log), profile_(profile) {
    for (std::uint32_t rank = 0; rank < log.ranks.size(); ++rank) add_rank(rank);
  }

  std::vector<OpKind> by_count() && {
    std::stable_sort(kinds_.begin(), kinds_.end(),
                     [](const OpKind& a, const OpKind& b) { return a.count > b.count; });
    return std::move(kinds_);
  }

 private:
  void add_rank(std::uint32_t rank) {
    const auto& ops = log_.ranks[rank].ops;
    const RankProfile& profile = profile_.ranks[rank];
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      OpKind& kind = kind_of(rank, i);
      ++kind.count;
      if (i < profile.is_weight_op.size() && profile.is_weight_op[i]) ++kind.weight_ops;
      if (i >= profile.effects.size()) continue;
      for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
        kind.growth[m] += std::max<std::int64_t>(profile.effects[i].own_growth[m], 0);
      }
    }
  }

  OpKind& kind_of(std::uint32_t rank, std::uint32_t op) {
    const std::uint32_t name = name_id(log_, log_.ranks[rank].ops[op]);
    const std::uint32_t key = name == kNone ? log_.names.size() : name;
    if (const std::uint32_t* known = places_.find(key)) return kinds_[*known];
    places_.set(key, static_cast<std::uint32_t>(kinds_.size()));
    return kinds_.emplace_back(OpKind{rank, op, 0, 0, {}});
  }

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  FlatMap<std::uint32_t> places_;  ///< in kinds_, by name id
  std::vector<OpKind> kinds_;
};

std::string_view last_part(std::string_view op_name) {
  const std::size_t dot = op_name.rfind('.');
  return dot == std::string_view::npos ? op_name : op_name.substr(dot + 1);
}

class NameCounter {
 public:
  void add(std::string_view name, std::uint64_t times) {
    const auto [place, is_new] = place_of_.try_emplace(name, counts_.size());
    if (is_new) counts_.push_back({name, 0});
    counts_[place->second].times += times;
  }
  std::vector<OpNameCount> by_count() && {
    std::stable_sort(counts_.begin(), counts_.end(),
                     [](const OpNameCount& a, const OpNameCount& b) { return a.times > b.times; });
    return std::move(counts_);
  }

 private:
  std::vector<OpNameCount> counts_;
  std::unordered_map<std::string_view, std::size_t> place_of_;
};

}  // namespace

std::vector<OpKind> op_kinds(const RuntimeLog& log, const MemoryProfile& profile) {
  return OpKinds(log, profile).by_count();
}

std::vector<OpNameCount> counted_names(const RuntimeLog& log) {
  std::vector<std::uint64_t> by_text(log.op_texts.size());
  NameCounter names;
  for (const RankLog& rank : log.ranks) {
    for (const ExecutedOp& op : rank.ops) {
      if (!is_counted(log, op)) continue;
      if (op.text == kNone) {
        names.add(log.name_of(op), 1);
      } else {
        ++by_text[op.text];
      }
    }
  }
  for (std::size_t i = 0; i < by_text.size(); ++i) {
    const std::uint32_t name = log.op_texts[i].name;
    if (by_text[i] > 0) names.add(name == kNone ? "unreadable" : last_part(log.names[name]), by_text[i]);
  }
  return std::move(names).by_count();
}

}  // namespace ttscope::mem
