#include "perf/analyse/clock/absent_ops.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "perf/analyse/clock/mesh_groups.h"

namespace ttscope::perf {
namespace {

/// What ran on the devices that have rows of it, by medians.
struct SeenOp {
  std::uint32_t group = kNone;
  TimedOp op;
  double took_ns() const { return op.end_ns - op.start_ns; }
};

double middle_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class AbsentOpFinder {
 public:
  AbsentOpFinder(const ClockInput& input, RunClock& clock) : in_(input), clock_(clock) {}

  void find() {
    std::uint32_t groups = 0;
    for (const std::uint32_t group : in_.groups)
      if (group != kNone) groups = std::max(groups, group + 1);
    places_.resize(groups);
    for (std::uint32_t lane = 0; lane < clock_.lanes.size(); ++lane) {
      const std::vector<TimedOp>& ops = clock_.lanes[lane].ops;
      for (std::uint32_t i = 0; i < ops.size(); ++i) {
        const std::uint32_t group = in_.groups[ops[i].row];
        if (group != kNone) places_[group].push_back({lane, i});
      }
    }
    find_lacking_lanes();
    for (std::uint32_t lane = 0; lane < clock_.lanes.size(); ++lane)
      if (lacked_.count(lane) > 0) place_in(lane);
  }

 private:
  struct Place {
    std::uint32_t lane = 0;
    std::uint32_t index = 0;
  };
  using Lanes = std::vector<std::uint32_t>;  ///< in order

  const TimedOp& op_at(const Place& place) const { return clock_.lanes[place.lane].ops[place.index]; }
  const OpRow& row_of(std::uint32_t group) const { return in_.table.rows[op_at(places_[group].front()).row]; }
  Lanes lanes_of(std::uint32_t group) const {
    Lanes lanes;
    for (const Place& place : places_[group]) lanes.push_back(place.lane);
    return lanes;
  }

  /// Which devices lack which ops: those that ran an op of that name together with all that have this one.
  void find_lacking_lanes() {
    constexpr std::size_t kMostSets = 64;
    std::map<std::uint32_t, std::set<Lanes>> sets;  // by name
    for (std::uint32_t group = 0; group < places_.size(); ++group) {
      if (places_[group].empty() || !may_lack(group)) continue;
      std::set<Lanes>& own = sets[in_.table.kind_of(row_of(group)).op_code];
      if (own.size() < kMostSets) own.insert(lanes_of(group));
    }
    std::map<std::pair<std::uint32_t, Lanes>, Lanes> known;
    for (std::uint32_t group = 0; group < places_.size(); ++group) {
      if (places_[group].empty() || !may_lack(group)) continue;
      if (places_[group].size() == clock_.lanes.size()) continue;
      const std::uint32_t name = in_.table.kind_of(row_of(group)).op_code;
      const auto [found, is_new] = known.try_emplace({name, lanes_of(group)});
      if (is_new) found->second = lacking(sets[name], found->first.second);
      for (const std::uint32_t lane : found->second) lacked_[lane].insert(group);
    }
  }
  bool may_lack(std::uint32_t group) const {
    return in_.groups_are_programs || in_.is_collective[row_of(group).kind];
  }
  static Lanes lacking(const std::set<Lanes>& sets, const Lanes& own) {
    Lanes all;
    for (const Lanes& set : sets) {
      if (set.size() <= own.size() || !std::includes(set.begin(), set.end(), own.begin(), own.end()))
        continue;
      Lanes more;
      std::set_union(all.begin(), all.end(), set.begin(), set.end(), std::back_inserter(more));
      all = std::move(more);
    }
    Lanes lanes;
    std::set_difference(all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(lanes));
    return lanes;
  }

  /// Whether a lane meets that of `place` in this op.
  bool meets(const Place& place, std::uint32_t lane) const {
    const std::uint32_t axis = mesh_axis_of(in_, clock_, in_.table.rows[op_at(place).row].kind);
    if (axis == kNone) return true;
    const std::vector<std::uint32_t>& group_of = clock_.mesh[axis].group_of_lane;
    return group_of[place.lane] == group_of[lane];
  }
  SeenOp seen(std::uint32_t group, std::uint32_t lane) {
    std::vector<Place> places;
    for (const Place& place : places_[group])
      if (meets(place, lane)) places.push_back(place);
    // Others of the mesh ran it alike.
    const bool is_alone = places.empty();
    if (is_alone) places = places_[group];
    std::vector<double> starts;
    std::vector<double> ends;
    for (const Place& place : places) {
      starts.push_back(op_at(place).start_ns);
      ends.push_back(op_at(place).end_ns);
    }
    SeenOp found;
    found.group = group;
    found.op = op_at(places.front());
    if (is_alone) found.op.collective = kNone;
    if (!is_alone && in_.is_collective[row_of(group).kind] && found.op.collective == kNone)
      found.op.collective = meet(places);
    found.op.start_ns = middle_of(starts);
    found.op.end_ns = std::max(middle_of(ends), found.op.start_ns);
    return found;
  }
  /// A collective that one device alone has rows of met others all the same.
  std::uint32_t meet(const std::vector<Place>& places) {
    for (const Place& place : places)
      clock_.lanes[place.lane].ops[place.index].collective = clock_.collectives;
    return clock_.collectives++;
  }

  /// Before which op of its own a device ran what it lacks: the next one that it has of another's sequence.
  void place_in(std::uint32_t lane) {
    std::set<std::uint32_t>& left = lacked_[lane];
    std::vector<std::uint32_t> own_place(places_.size(), kNone);
    for (std::uint32_t group = 0; group < places_.size(); ++group) {
      for (const Place& place : places_[group])
        if (place.lane == lane) own_place[group] = place.index;
    }
    std::map<std::uint32_t, std::vector<SeenOp>> holes;  // by op behind
    for (const std::uint32_t other : longest_first()) {
      std::uint32_t next = kNone;
      const std::vector<TimedOp>& ops = clock_.lanes[other].ops;
      for (std::size_t i = ops.size(); i-- > 0 && !left.empty();) {
        const std::uint32_t group = in_.groups[ops[i].row];
        if (group == kNone) continue;
        if (own_place[group] != kNone) {
          next = own_place[group];
        } else if (left.erase(group) == 0) {
          continue;
        } else if (next != kNone) {
          holes[next].push_back(seen(group, lane));
        } else {
          clock_.lanes[lane].lacks_at_end.push_back(ops[i].row);
        }
      }
    }
    double frontier_ns = clock_.lanes[lane].ops.front().start_ns;
    std::uint32_t done = 0;
    for (auto& [before, ops] : holes) {
      for (; done < before; ++done) frontier_ns = std::max(frontier_ns, clock_.lanes[lane].ops[done].end_ns);
      fill(clock_.lanes[lane], {before, frontier_ns}, ops);
    }
  }
  Lanes longest_first() const {
    Lanes lanes(clock_.lanes.size());
    std::iota(lanes.begin(), lanes.end(), 0);
    std::stable_sort(lanes.begin(), lanes.end(), [&](std::uint32_t a, std::uint32_t b) {
      return clock_.lanes[a].ops.size() > clock_.lanes[b].ops.size();
    });
    return lanes;
  }

  struct Hole {
    std::uint32_t before = 0;
    double from_ns = 0;
  };
  static void fill(DeviceLane& lane, const Hole& hole, std::vector<SeenOp>& ops) {
    std::stable_sort(ops.begin(), ops.end(),
                     [](const SeenOp& a, const SeenOp& b) { return a.op.start_ns < b.op.start_ns; });
    const double until_ns = lane.ops[hole.before].start_ns;
    double at_ns = hole.before == 0 ? std::min(until_ns, ops.front().op.start_ns) : hole.from_ns;
    double needed_ns = 0;
    for (const SeenOp& one : ops) needed_ns += one.op.collective == kNone ? one.took_ns() : 0;
    const bool has_room = needed_ns <= until_ns - at_ns;
    for (const SeenOp& one : ops) {
      const bool is_collective = one.op.collective != kNone;
      if (!has_room && !is_collective) continue;
      TimedOp op = one.op;
      op.is_absent = true;
      // Nobody knows when it came to a collective: not before it was done with what stands before it.
      op.start_ns = is_collective ? at_ns : std::min(std::max(at_ns, one.op.start_ns), until_ns);
      op.end_ns = is_collective ? one.op.end_ns : op.start_ns + one.took_ns();
      op.end_ns = std::max(op.start_ns, std::min(op.end_ns, until_ns));
      at_ns = std::max(at_ns, op.end_ns);
      lane.absent.push_back({hole.before, op});
    }
  }

  const ClockInput& in_;
  RunClock& clock_;
  std::vector<std::vector<Place>> places_;                   ///< by group
  std::map<std::uint32_t, std::set<std::uint32_t>> lacked_;  ///< by lane: groups
};

}  // namespace

void find_absent_ops(const ClockInput& input, RunClock& clock) {
  if (!input.groups.empty()) AbsentOpFinder(input, clock).find();
}

}  // namespace ttscope::perf
