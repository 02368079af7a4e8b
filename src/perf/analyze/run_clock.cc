#include "perf/analyze/run_clock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

namespace ttscope::perf {
namespace {

/// Along which axis of `clock.mesh` ops of a kind meet; kNone: all devices do.
std::uint32_t mesh_axis_of(const ClockInput& input, const RunClock& clock, std::uint32_t kind);

using GroupOfLane = std::vector<std::uint32_t>;

/// Collectives that meet along one axis, with the ends and durations of some of them on all lanes.
struct AxisTimes {
  MeshAxis axis;
  double devices = 0;  ///< that meet
  std::vector<std::vector<double>> ends_ns;
  std::vector<std::vector<double>> took_ns;
};

/// How far apart two lanes leave the collectives of an axis: the median, and the mean distance from it; none
/// of those that have no collective in common.
struct LaneSkew {
  double offset_ns = kNoNumber;
  double scatter_ns = kNoNumber;
  bool is_known() const { return has_number(offset_ns); }
};

/// Who could meet along an axis, and what of its times contradicts that.
struct AxisGrouping {
  GroupOfLane group_of;
  double contradiction_ns = 0;
};

LaneSkew lane_skew(const AxisTimes& times, std::size_t a, std::size_t b) {
  std::vector<double> apart;
  apart.reserve(times.ends_ns.size());
  for (const std::vector<double>& ends : times.ends_ns)
    if (has_number(ends[a] - ends[b])) apart.push_back(ends[a] - ends[b]);
  if (apart.empty()) return {};
  const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
  std::nth_element(apart.begin(), middle, apart.end());
  LaneSkew parting{*middle, 0};
  for (const double one : apart) parting.scatter_ns += std::abs(one - parting.offset_ns);
  parting.scatter_ns /= static_cast<double>(apart.size());
  return parting;
}

/// What can be said of one axis without the others.
class AxisDivider {
 public:
  AxisDivider(const AxisTimes& times, std::size_t lanes)
      : times_(times),
        lanes_(lanes),
        size_(static_cast<std::size_t>(times.devices)),
        lane_skews_(lanes * lanes) {
    for (std::size_t a = 0; a < lanes; ++a)
      for (std::size_t b = 0; b < a; ++b) lane_skews_[a * lanes + b] = lane_skew(times, a, b);
  }

  /// The likeliest first: all together, rows and columns of devices in the order of their numbers, by times.
  std::vector<AxisGrouping> divisions() const {
    GroupOfLane all(lanes_);
    GroupOfLane blocks(lanes_);
    GroupOfLane strides(lanes_);
    for (std::size_t i = 0; i < lanes_; ++i) {
      blocks[i] = static_cast<std::uint32_t>(i / size_);
      strides[i] = static_cast<std::uint32_t>(i % (lanes_ / size_));
    }
    if (times_.axis.cluster_axis == 0) std::swap(blocks, strides);
    std::vector<AxisGrouping> found;
    for (GroupOfLane& groups : std::vector<GroupOfLane>{all, blocks, strides, by_times()})
      if (!groups.empty()) found.push_back({std::move(groups), 0});
    for (AxisGrouping& one : found)
      one.contradiction_ns = scatter_in(one.group_of) + last_arrival_excess_ns(one.group_of);
    return found;
  }

  /// When lane `a` leaves, on the clock of lane `b`, if they meet; none where nobody knows.
  double offset_ns(std::size_t a, std::size_t b) const {
    return a > b ? lane_skews_[a * lanes_ + b].offset_ns : -lane_skews_[b * lanes_ + a].offset_ns;
  }

 private:
  /// Lanes that leave together the most steadily; empty: not all find a group.
  GroupOfLane by_times() const {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < lanes_; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (lane_skews_[a * lanes_ + b].is_known()) pairs.emplace_back(a, b);
    const auto scatter = [&](const auto& pair) {
      return lane_skews_[pair.first * lanes_ + pair.second].scatter_ns;
    };
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto& a, const auto& b) { return scatter(a) < scatter(b); });
    GroupOfLane group_of(lanes_);
    std::iota(group_of.begin(), group_of.end(), 0);
    std::vector<std::size_t> sizes(lanes_, 1);
    for (const auto& [a, b] : pairs) {
      const std::uint32_t from = group_of[a];
      const std::uint32_t to = group_of[b];
      if (from == to || sizes[from] + sizes[to] > size_) continue;
      sizes[to] += sizes[from];
      std::replace(group_of.begin(), group_of.end(), from, to);
    }
    const bool is_whole = std::all_of(group_of.begin(), group_of.end(),
                                      [&](std::uint32_t group) { return sizes[group] == size_; });
    return is_whole ? group_of : GroupOfLane();
  }
  /// Those who meet leave together: how unsteadily they do.
  double scatter_in(const GroupOfLane& group_of) const {
    double sum = 0;
    double pairs = 0;
    for (std::size_t a = 0; a < lanes_; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (group_of[a] != group_of[b] || !lane_skews_[a * lanes_ + b].is_known()) continue;
        sum += lane_skews_[a * lanes_ + b].scatter_ns;
        ++pairs;
      }
    }
    return pairs > 0 ? sum / pairs : 0;
  }
  /// The last one to come waits for nobody: how long even the shortest of a group takes over the shortest of
  /// all. Of a group with a lane that has no times the last one is not known.
  double last_arrival_excess_ns(const GroupOfLane& group_of) const {
    double sum = 0;
    double groups = 0;
    for (const std::vector<double>& took : times_.took_ns) {
      std::map<std::uint32_t, double> shortest;
      double least = HUGE_VAL;
      for (std::size_t i = 0; i < lanes_; ++i) {
        const double own = has_number(took[i]) ? took[i] : -HUGE_VAL;
        const auto [found, is_new] = shortest.try_emplace(group_of[i], own);
        if (!is_new) found->second = std::min(found->second, own);
        if (has_number(took[i])) least = std::min(least, took[i]);
      }
      for (const auto& [group, one] : shortest) {
        if (one == -HUGE_VAL) continue;
        sum += one - least;
        ++groups;
      }
    }
    return groups > 0 ? sum / groups : 0;
  }

  const AxisTimes& times_;
  std::size_t lanes_;
  std::size_t size_;
  std::vector<LaneSkew> lane_skews_;  ///< of lane a and a lower b at a * lanes + b
};

/// Looks at all axes together, since they have one clock.
class MeshFinder {
 public:
  MeshFinder(std::vector<AxisTimes> axes, std::size_t lanes) : axes_(std::move(axes)), lanes_(lanes) {
    for (const AxisTimes& axis : axes_) {
      dividers_.emplace_back(axis, lanes);
      divisions_.push_back(dividers_.back().divisions());
    }
  }

  /// The likeliest divisions that the times contradict hardly more than the best. Nothing, if they fit one
  /// meeting of all devices; if they do not, the axes whose times fit both are divided as well.
  std::vector<MeshAxis> find() {
    constexpr double kTolerance = 1.25;
    constexpr double kToleranceNs = 500;
    const std::vector<Choice> choices = all_choices();
    std::vector<double> contradictions;
    contradictions.reserve(choices.size());
    for (const Choice& choice : choices) contradictions.push_back(contradiction_of(choice));
    const double most =
        *std::min_element(contradictions.begin(), contradictions.end()) * kTolerance + kToleranceNs;
    if (contradictions.front() <= most) return {};
    std::size_t best = 0;
    for (std::size_t i = 1; i < choices.size(); ++i) {
      const auto divided = [&](std::size_t at) {
        return choices[at].size() -
               static_cast<std::size_t>(std::count(choices[at].begin(), choices[at].end(), 0));
      };
      if (contradictions[i] <= most && divided(i) > divided(best)) best = i;
    }
    return axes_of(choices[best]);
  }

 private:
  using Choice = std::vector<std::size_t>;  ///< by axis: which of its divisions

  std::vector<Choice> all_choices() const {
    std::vector<Choice> choices = {{}};
    for (const std::vector<AxisGrouping>& divisions : divisions_) {
      std::vector<Choice> longer;
      for (const Choice& choice : choices) {
        for (std::size_t i = 0; i < divisions.size(); ++i) {
          longer.push_back(choice);
          longer.back().push_back(i);
        }
      }
      choices = std::move(longer);
    }
    return choices;
  }
  double contradiction_of(const Choice& choice) const {
    double sum = clocks_apart_ns(choice);
    for (std::size_t axis = 0; axis < choice.size(); ++axis)
      sum += divisions_[axis][choice[axis]].contradiction_ns;
    return sum;
  }
  /// What the clocks of lanes are by the meetings that led to them, and how much further meetings differ.
  struct AlignedClocks {
    std::vector<double> ns;
    std::vector<std::size_t> lanes;  ///< in the order in which they were reached
    double apart_ns = 0;
    double meetings = 0;

    void add(std::size_t lane, double here_ns) {
      if (!has_number(here_ns)) return;
      if (ns[lane] == HUGE_VAL) {
        ns[lane] = here_ns;
        lanes.push_back(lane);
      }
      apart_ns += std::abs(ns[lane] - here_ns);
      ++meetings;
    }
  };
  void add_partners_of(std::size_t from, const Choice& choice, AlignedClocks& clocks) const {
    for (std::size_t axis = 0; axis < choice.size(); ++axis) {
      const GroupOfLane& group_of = divisions_[axis][choice[axis]].group_of;
      for (std::size_t to = 0; to < lanes_; ++to) {
        if (to == from || group_of[to] != group_of[from]) continue;
        clocks.add(to, clocks.ns[from] + dividers_[axis].offset_ns(to, from));
      }
    }
  }
  /// Each meeting says how far the clocks of its lanes are apart: how much meetings differ in that.
  double clocks_apart_ns(const Choice& choice) const {
    AlignedClocks clocks;
    clocks.ns.assign(lanes_, HUGE_VAL);
    for (std::size_t first = 0; first < lanes_; ++first) {
      if (clocks.ns[first] != HUGE_VAL) continue;
      clocks.ns[first] = 0;
      clocks.lanes.assign(1, first);
      for (std::size_t next = 0; next < clocks.lanes.size(); ++next)
        add_partners_of(clocks.lanes[next], choice, clocks);
    }
    return clocks.meetings > 0 ? clocks.apart_ns / clocks.meetings : 0;
  }
  std::vector<MeshAxis> axes_of(const Choice& choice) {
    std::vector<MeshAxis> found;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      if (choice[i] == 0) continue;
      axes_[i].axis.group_of_lane = std::move(divisions_[i][choice[i]].group_of);
      found.push_back(std::move(axes_[i].axis));
    }
    return found;
  }

  std::vector<AxisTimes> axes_;
  std::size_t lanes_;
  std::vector<AxisDivider> dividers_;
  std::vector<std::vector<AxisGrouping>> divisions_;  ///< by axis, the first all together
};

using AxisKey = std::pair<std::int64_t, std::uint32_t>;

AxisKey key_of(const ClockInput& input, std::uint32_t kind) {
  const std::int64_t axis = input.reaches[kind].cluster_axis;
  return {axis, axis >= 0 ? 0 : input.table.kinds[kind].op_code};
}

/// Which lacks the fewest ops.
const DeviceLane& longest_lane(const RunClock& clock) {
  return *std::max_element(
      clock.lanes.begin(), clock.lanes.end(),
      [](const DeviceLane& a, const DeviceLane& b) { return a.ops.size() < b.ops.size(); });
}

/// The axes along which fewer meet than there are lanes, by what shapes and attributes say.
std::map<AxisKey, double> axes_of_parts(const ClockInput& input, const RunClock& clock) {
  std::map<AxisKey, double> devices;
  for (const TimedOp& op : longest_lane(clock).ops) {
    const std::uint32_t kind = input.table.rows[op.row].kind;
    if (op.collective == kNone) continue;
    double& most = devices[key_of(input, kind)];
    most = std::max(most, input.reaches[kind].devices);
  }
  const auto lanes = static_cast<double>(clock.lanes.size());
  for (auto at = devices.begin(); at != devices.end();) {
    const bool is_part = at->second > 1 && at->second < lanes && std::fmod(lanes, at->second) == 0;
    at = is_part ? std::next(at) : devices.erase(at);
  }
  return devices;
}

/// Ends and durations of collectives, of long runs some of them. Those that not all lanes have count where
/// there are few others.
class TimesCollector {
 public:
  TimesCollector(const ClockInput& input, const RunClock& clock) : in_(input), clock_(clock) {}

  std::vector<AxisTimes> collect() {
    constexpr std::size_t kMaxAxes = 3;
    const std::map<AxisKey, double> devices = axes_of_parts(in_, clock_);
    std::vector<AxisTimes> axes;
    for (const auto& [key, count] : devices) {
      if (axes.size() == kMaxAxes) break;
      AxisTimes times = times_of(key);
      times.axis.cluster_axis = key.first;
      times.axis.op_code = key.second;
      times.devices = count;
      if (times.ends_ns.size() > 1) axes.push_back(std::move(times));
    }
    return axes;
  }

 private:
  AxisTimes times_of(const AxisKey& key) const {
    constexpr std::size_t kMaxMeetings = 512;
    const auto is_of_axis = [&](const TimedOp& op) {
      return op.collective != kNone && key_of(in_, in_.table.rows[op.row].kind) == key;
    };
    std::vector<std::uint32_t> meetings;
    for (const TimedOp& op : longest_lane(clock_).ops)
      if (is_of_axis(op)) meetings.push_back(op.collective);
    const std::size_t step = meetings.size() / kMaxMeetings + 1;
    std::vector<std::uint32_t> place_of(clock_.collectives, kNone);
    std::uint32_t places = 0;
    for (std::size_t i = 0; i < meetings.size(); i += step) place_of[meetings[i]] = places++;
    AxisTimes times;
    times.ends_ns.assign(places, std::vector<double>(clock_.lanes.size(), kNoNumber));
    times.took_ns = times.ends_ns;
    for (std::size_t lane = 0; lane < clock_.lanes.size(); ++lane) {
      for (const TimedOp& op : clock_.lanes[lane].ops) {
        if (op.collective == kNone || place_of[op.collective] == kNone) continue;
        times.ends_ns[place_of[op.collective]][lane] = op.end_ns;
        times.took_ns[place_of[op.collective]][lane] = op.end_ns - op.start_ns;
      }
    }
    drop_partial(times);
    return times;
  }
  static void drop_partial(AxisTimes& times) {
    constexpr std::ptrdiff_t kEnough = 16;
    const auto lacks_some = [](const std::vector<double>& lanes) {
      return std::any_of(lanes.begin(), lanes.end(), [](double ns) { return !has_number(ns); });
    };
    const auto partial = std::count_if(times.ends_ns.begin(), times.ends_ns.end(), lacks_some);
    if (static_cast<std::ptrdiff_t>(times.ends_ns.size()) - partial < kEnough) return;
    std::erase_if(times.ends_ns, lacks_some);
    std::erase_if(times.took_ns, lacks_some);
  }

  const ClockInput& in_;
  const RunClock& clock_;
};

/// Each group of a divided collective has a number of its own; who is alone in one waits for nobody.
void renumber_collectives(const ClockInput& input, RunClock& clock) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<TimedOp*>> parts;
  for (std::uint32_t lane = 0; lane < clock.lanes.size(); ++lane) {
    for (TimedOp& op : clock.lanes[lane].ops) {
      if (op.collective == kNone) continue;
      const std::uint32_t axis = mesh_axis_of(input, clock, input.table.rows[op.row].kind);
      const std::uint32_t group = axis == kNone ? 0 : clock.mesh[axis].group_of_lane[lane];
      parts[{op.collective, group}].push_back(&op);
    }
  }
  clock.collectives = 0;
  for (auto& [key, ops] : parts) {
    const std::uint32_t number = ops.size() > 1 ? clock.collectives++ : kNone;
    for (TimedOp* op : ops) op->collective = number;
  }
}

/// Divides the collectives of `clock` where not all devices take part in one: on a mesh those of a row meet
/// along one axis, those of a column along the other. Nothing in a report names them. How many meet is told
/// by shapes or attributes; who they are by times: those who meet leave together each time, one of them
/// waited for nobody, and both axes have one clock. Derived. Where the times fit one meeting of all devices
/// as well, that is what they get.
void divide_collectives(const ClockInput& input, RunClock& clock) {
  constexpr std::size_t kMaxLanes = 64;
  if (clock.lanes.size() < 4 || clock.lanes.size() > kMaxLanes || input.reaches.empty()) return;
  clock.mesh = MeshFinder(TimesCollector(input, clock).collect(), clock.lanes.size()).find();
  if (!clock.mesh.empty()) renumber_collectives(input, clock);
}

std::uint32_t mesh_axis_of(const ClockInput& input, const RunClock& clock, std::uint32_t kind) {
  if (clock.mesh.empty()) return kNone;
  const AxisKey key = key_of(input, kind);
  for (std::uint32_t i = 0; i < clock.mesh.size(); ++i)
    if (AxisKey{clock.mesh[i].cluster_axis, clock.mesh[i].op_code} == key) return i;
  return kNone;
}

/// What ran on the devices that have rows of it, by medians.
struct ObservedOp {
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
    find_lanes_without_op();
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
  void find_lanes_without_op() {
    constexpr std::size_t kMaxSets = 64;
    std::map<std::uint32_t, std::set<Lanes>> sets;  // by name
    for (std::uint32_t group = 0; group < places_.size(); ++group) {
      if (places_[group].empty() || !may_be_missing(group)) continue;
      std::set<Lanes>& own = sets[in_.table.kind_of(row_of(group)).op_code];
      if (own.size() < kMaxSets) own.insert(lanes_of(group));
    }
    std::map<std::pair<std::uint32_t, Lanes>, Lanes> known;
    for (std::uint32_t group = 0; group < places_.size(); ++group) {
      if (places_[group].empty() || !may_be_missing(group)) continue;
      if (places_[group].size() == clock_.lanes.size()) continue;
      const std::uint32_t name = in_.table.kind_of(row_of(group)).op_code;
      const auto [found, is_new] = known.try_emplace({name, lanes_of(group)});
      if (is_new) found->second = lacking(sets[name], found->first.second);
      for (const std::uint32_t lane : found->second) lacked_[lane].insert(group);
    }
  }
  bool may_be_missing(std::uint32_t group) const {
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
  ObservedOp seen(std::uint32_t group, std::uint32_t lane) {
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
    ObservedOp found;
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
    std::map<std::uint32_t, std::vector<ObservedOp>> holes;  // by op behind
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
          clock_.lanes[lane].missing_at_end.push_back(ops[i].row);
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
  static void fill(DeviceLane& lane, const Hole& hole, std::vector<ObservedOp>& ops) {
    std::stable_sort(ops.begin(), ops.end(),
                     [](const ObservedOp& a, const ObservedOp& b) { return a.op.start_ns < b.op.start_ns; });
    const double until_ns = lane.ops[hole.before].start_ns;
    double at_ns = hole.before == 0 ? std::min(until_ns, ops.front().op.start_ns) : hole.from_ns;
    double needed_ns = 0;
    for (const ObservedOp& one : ops) needed_ns += one.op.collective == kNone ? one.took_ns() : 0;
    const bool has_room = needed_ns <= until_ns - at_ns;
    for (const ObservedOp& one : ops) {
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

/// Finds the ops that a device ran like the others, but that the report has no row of: lost markers, or a
/// recording that began late. Each stands where the devices that have it ran it, between the ops around it.
/// Derived; an op that never ran on all of these devices together is no loss but another program. Compute
/// ops only where `groups` are programs and there is room for them.
void find_absent_ops(const ClockInput& input, RunClock& clock) {
  if (!input.groups.empty()) AbsentOpFinder(input, clock).find();
}

double median_of_offsets(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void shift(DeviceLane& lane, double by_ns) {
  for (TimedOp& op : lane.ops) {
    op.start_ns += by_ns;
    op.end_ns += by_ns;
  }
}

/// Brings lanes to the clock of those that are already on it.
class LaneAligner {
 public:
  LaneAligner(const ClockInput& input, RunClock& clock) : in_(input), clock_(clock) {
    is_aligned_.resize(clock.lanes.size());
  }

  void align() {
    if (!align_by_sync()) is_aligned_[longest_lane()] = true;
    for (std::size_t i = 0; i < clock_.lanes.size(); ++i)
      if (is_aligned_[i]) learn(clock_.lanes[i]);
    // Whoever meets a lane that has just been aligned goes by that: rows of a mesh that never meet are
    // brought together by one device each.
    while (join(ClockBasis::kCollectives) || join(ClockBasis::kSharedOps) || join_by_host()) {
    }
    double first = clock_.lanes.front().ops.front().start_ns;
    for (const DeviceLane& lane : clock_.lanes) first = std::min(first, lane.ops.front().start_ns);
    for (DeviceLane& lane : clock_.lanes) shift(lane, -first);
  }

 private:
  /// Clocks that were synchronized with the host's need nothing else. False: not even two were.
  bool align_by_sync() {
    std::vector<std::size_t> known;
    for (std::size_t i = 0; i < clock_.lanes.size(); ++i) {
      const std::int32_t device = clock_.lanes[i].device;
      if (device >= 0 && in_.table.sync.contains(static_cast<std::uint32_t>(device))) known.push_back(i);
    }
    if (known.size() < 2) return false;
    for (const std::size_t i : known) {
      DeviceLane& lane = clock_.lanes[i];
      const DeviceClockLine& line = in_.table.sync.at(static_cast<std::uint32_t>(lane.device));
      lane.cycles_per_ns = line.cycles_per_ns;
      for (TimedOp& op : lane.ops) {
        op.start_ns = line.ns_at(in_.table.rows[op.row].fw_start_cycle);
        op.end_ns = line.ns_at(in_.table.rows[op.row].fw_end_cycle);
      }
      measure_lane(lane);
      is_aligned_[i] = true;
    }
    clock_.basis = ClockBasis::kSync;
    return true;
  }

  std::size_t longest_lane() const {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < clock_.lanes.size(); ++i) {
      if (clock_.lanes[i].ops.size() > clock_.lanes[longest].ops.size()) longest = i;
    }
    return longest;
  }

  /// What both lanes have in common, and when: the end of a collective, or the start of an op.
  std::uint32_t key_of_op(const TimedOp& op, ClockBasis basis) const {
    if (basis == ClockBasis::kCollectives) return op.collective;
    return in_.groups.empty() || op.collective != kNone ? kNone : in_.groups[op.row];
  }
  static double time_of(const TimedOp& op, ClockBasis basis) {
    return basis == ClockBasis::kCollectives ? op.end_ns : op.start_ns;
  }

  void learn(const DeviceLane& lane) {
    for (const ClockBasis basis : {ClockBasis::kCollectives, ClockBasis::kSharedOps}) {
      for (const TimedOp& op : lane.ops) {
        const std::uint32_t key = key_of_op(op, basis);
        if (key != kNone) known_of(basis).try_emplace(key, time_of(op, basis));
      }
    }
  }
  std::unordered_map<std::uint32_t, double>& known_of(ClockBasis basis) {
    return basis == ClockBasis::kCollectives ? known_ends_ns_ : known_starts_ns_;
  }
  void add(std::size_t lane, double offset_ns, ClockBasis basis) {
    shift(clock_.lanes[lane], offset_ns);
    is_aligned_[lane] = true;
    if (clock_.basis == ClockBasis::kNone) clock_.basis = basis;
    learn(clock_.lanes[lane]);
  }

  /// Adds the first lane that has something in common with those that are aligned.
  bool join(ClockBasis basis) {
    for (std::size_t i = 0; i < clock_.lanes.size(); ++i) {
      if (is_aligned_[i]) continue;
      std::vector<double> offsets;
      for (const TimedOp& op : clock_.lanes[i].ops) {
        const auto found = known_of(basis).find(key_of_op(op, basis));
        if (found != known_of(basis).end()) offsets.push_back(found->second - time_of(op, basis));
      }
      if (offsets.empty()) continue;
      add(i, median_of_offsets(offsets), basis);
      return true;
    }
    return false;
  }

  /// The earliest that the host allows: no op begins before it was sent. Replayed ops carry the time of their
  /// capture and tell nothing.
  double host_offset(const DeviceLane& lane) const {
    double offset = kNoNumber;
    for (const TimedOp& op : lane.ops) {
      const OpRow& row = in_.table.rows[op.row];
      if (!has_number(row.host_start_ns) || has_number(static_cast<double>(row.replay_session))) continue;
      const double least = row.host_start_ns - op.start_ns;
      if (!has_number(offset) || least > offset) offset = least;
    }
    return offset;
  }

  bool join_by_host() {
    double base = kNoNumber;
    for (std::size_t i = 0; i < clock_.lanes.size() && !has_number(base); ++i) {
      if (is_aligned_[i]) base = host_offset(clock_.lanes[i]);
    }
    for (std::size_t i = 0; i < clock_.lanes.size(); ++i) {
      if (is_aligned_[i]) continue;
      const double offset = host_offset(clock_.lanes[i]) - base;
      if (!has_number(offset)) continue;
      add(i, offset, ClockBasis::kHost);
      return true;
    }
    return false;
  }

  const ClockInput& in_;
  RunClock& clock_;
  std::vector<bool> is_aligned_;
  std::unordered_map<std::uint32_t, double> known_ends_ns_;    ///< of collectives, on the clock of the run
  std::unordered_map<std::uint32_t, double> known_starts_ns_;  ///< of groups
};

/// Moves the ops of each device so that all are on one clock, and the first begins at 0.
void align_lanes(const ClockInput& input, RunClock& clock) { LaneAligner(input, clock).align(); }

/// A clock in cycles per ns from the firmware's cycles and durations of its rows; 0: unknown. Durations are
/// whole nanoseconds, so that a clock within a thousandth of the report's is the report's.
double clock_of_rows(const OpsReport& table, const std::vector<std::uint32_t>& rows) {
  constexpr std::size_t kEnough = 4096;
  constexpr double kRounding = 1e-3;
  std::vector<double> ratios;
  for (const std::uint32_t index : rows) {
    const OpRow& row = table.rows[index];
    const double cycles = row.fw_end_cycle - row.fw_start_cycle;
    if (cycles > 0 && row.fw_duration_ns > 0) ratios.push_back(cycles / row.fw_duration_ns);
    if (ratios.size() == kEnough) break;
  }
  const double usual = table.clock_mhz / 1000;
  if (ratios.empty()) return usual;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  const bool is_usual = usual > 0 && std::abs(*middle - usual) < usual * kRounding;
  return is_usual ? usual : *middle;
}

DeviceLane make_lane(const OpsReport& table, std::int32_t device, const std::vector<std::uint32_t>& rows) {
  DeviceLane lane;
  lane.device = device;
  lane.cycles_per_ns = clock_of_rows(table, rows);
  if (!(lane.cycles_per_ns > 0)) return lane;
  double first = kNoNumber;
  for (const std::uint32_t row : rows) {
    const double cycle = table.rows[row].fw_start_cycle;
    if (!has_number(first) || cycle < first) first = cycle;
  }
  lane.ops.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const OpRow& op = table.rows[row];
    lane.ops.push_back({row, kNone, (op.fw_start_cycle - first) / lane.cycles_per_ns,
                        (op.fw_end_cycle - first) / lane.cycles_per_ns, false});
  }
  std::stable_sort(lane.ops.begin(), lane.ops.end(),
                   [](const TimedOp& a, const TimedOp& b) { return a.start_ns < b.start_ns; });
  return lane;
}

/// Collectives are the same op of all devices: by its group, or else the next one of that name on each
/// device.
class CollectiveFinder {
 public:
  CollectiveFinder(const ClockInput& input, RunClock& clock) : in_(input), clock_(clock) {}

  void find() {
    std::vector<std::uint32_t> sizes;
    for (DeviceLane& lane : clock_.lanes) {
      std::map<std::uint32_t, std::uint32_t> seen_of_name;
      for (TimedOp& op : lane.ops) {
        const std::uint32_t kind = in_.table.rows[op.row].kind;
        if (!in_.is_collective[kind]) continue;
        const std::uint32_t name = in_.table.kinds[kind].op_code;
        const std::uint32_t ordinal = seen_of_name[name]++;
        const std::uint32_t group = in_.groups.empty() ? kNone : in_.groups[op.row];
        op.collective = number_of(group != kNone ? Key{0, group, 0} : Key{1, name, ordinal});
        if (op.collective >= sizes.size()) sizes.resize(op.collective + 1);
        ++sizes[op.collective];
      }
    }
    drop_single(sizes);
  }

 private:
  using Key = std::array<std::uint32_t, 3>;
  std::uint32_t number_of(const Key& key) {
    return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  /// What one device has of a collective waits for nobody.
  void drop_single(const std::vector<std::uint32_t>& sizes) {
    std::vector<std::uint32_t> renumbered(sizes.size(), kNone);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] > 1) renumbered[i] = clock_.collectives++;
    }
    for (DeviceLane& lane : clock_.lanes) {
      for (TimedOp& op : lane.ops) {
        if (op.collective != kNone) op.collective = renumbered[op.collective];
      }
    }
  }

  const ClockInput& in_;
  RunClock& clock_;
  std::map<Key, std::uint32_t> numbers_;
};

}  // namespace

std::string_view key_of(ClockBasis basis) {
  constexpr std::array<std::string_view, 5> kKeys = {"none", "collectives", "shared_ops", "host", "sync"};
  return kKeys[static_cast<std::size_t>(basis)];
}

void measure_lane(DeviceLane& lane) {
  lane.wall_ns = lane.busy_ns = 0;
  if (lane.ops.empty()) return;
  double frontier = lane.ops.front().start_ns;
  for (const TimedOp& op : lane.ops) {
    lane.busy_ns += std::max(0.0, op.end_ns - std::max(op.start_ns, frontier));
    frontier = std::max(frontier, op.end_ns);
  }
  lane.wall_ns = frontier - lane.ops.front().start_ns;
}

std::vector<std::vector<std::int32_t>> groups_of_devices(const RunClock& clock, const MeshAxis& axis) {
  std::map<std::uint32_t, std::vector<std::int32_t>> by_number;
  for (std::size_t i = 0; i < clock.lanes.size(); ++i)
    by_number[axis.group_of_lane[i]].push_back(clock.lanes[i].device);
  std::vector<std::vector<std::int32_t>> groups;
  groups.reserve(by_number.size());
  for (auto& [number, devices] : by_number) groups.push_back(std::move(devices));
  return groups;
}

RunClock read_clock(const ClockInput& input) {
  RunClock clock;
  std::map<std::int32_t, std::vector<std::uint32_t>> by_device;
  for (const std::uint32_t row : input.rows) {
    const OpRow& op = input.table.rows[row];
    if (has_cycles(op)) {
      by_device[op.device].push_back(row);
    } else {
      ++clock.without_times;
    }
  }
  for (const auto& [device, rows] : by_device) {
    DeviceLane lane = make_lane(input.table, device, rows);
    if (lane.ops.empty()) {
      clock.without_times += rows.size();
      continue;
    }
    measure_lane(lane);
    clock.lanes.push_back(std::move(lane));
  }
  if (clock.lanes.size() > 1) {
    CollectiveFinder(input, clock).find();
    divide_collectives(input, clock);
    align_lanes(input, clock);
    find_absent_ops(input, clock);
  }
  return clock;
}

}  // namespace ttscope::perf
