#include "perf/analyse/clock/mesh_groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace ttscope::perf {
namespace {

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
struct Parting {
  double offset_ns = kNoNumber;
  double scatter_ns = kNoNumber;
  bool is_known() const { return has_number(offset_ns); }
};

/// Who could meet along an axis, and what of its times contradicts that.
struct Division {
  GroupOfLane group_of;
  double contradiction_ns = 0;
};

Parting parting_of(const AxisTimes& times, std::size_t a, std::size_t b) {
  std::vector<double> apart;
  apart.reserve(times.ends_ns.size());
  for (const std::vector<double>& ends : times.ends_ns)
    if (has_number(ends[a] - ends[b])) apart.push_back(ends[a] - ends[b]);
  if (apart.empty()) return {};
  const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
  std::nth_element(apart.begin(), middle, apart.end());
  Parting parting{*middle, 0};
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
        partings_(lanes * lanes) {
    for (std::size_t a = 0; a < lanes; ++a)
      for (std::size_t b = 0; b < a; ++b) partings_[a * lanes + b] = parting_of(times, a, b);
  }

  /// The likeliest first: all together, rows and columns of devices in the order of their numbers, by times.
  std::vector<Division> divisions() const {
    GroupOfLane all(lanes_);
    GroupOfLane blocks(lanes_);
    GroupOfLane strides(lanes_);
    for (std::size_t i = 0; i < lanes_; ++i) {
      blocks[i] = static_cast<std::uint32_t>(i / size_);
      strides[i] = static_cast<std::uint32_t>(i % (lanes_ / size_));
    }
    if (times_.axis.cluster_axis == 0) std::swap(blocks, strides);
    std::vector<Division> found;
    for (GroupOfLane& groups : std::vector<GroupOfLane>{all, blocks, strides, by_times()})
      if (!groups.empty()) found.push_back({std::move(groups), 0});
    for (Division& one : found)
      one.contradiction_ns = scatter_in(one.group_of) + waits_for_nobody(one.group_of);
    return found;
  }

  /// When lane `a` leaves, on the clock of lane `b`, if they meet; none where nobody knows.
  double offset_ns(std::size_t a, std::size_t b) const {
    return a > b ? partings_[a * lanes_ + b].offset_ns : -partings_[b * lanes_ + a].offset_ns;
  }

 private:
  /// Lanes that leave together the most steadily; empty: not all find a group.
  GroupOfLane by_times() const {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < lanes_; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (partings_[a * lanes_ + b].is_known()) pairs.emplace_back(a, b);
    const auto scatter = [&](const auto& pair) {
      return partings_[pair.first * lanes_ + pair.second].scatter_ns;
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
        if (group_of[a] != group_of[b] || !partings_[a * lanes_ + b].is_known()) continue;
        sum += partings_[a * lanes_ + b].scatter_ns;
        ++pairs;
      }
    }
    return pairs > 0 ? sum / pairs : 0;
  }
  /// The last one to come waits for nobody: how long even the shortest of a group takes over the shortest of
  /// all. Of a group with a lane that has no times the last one is not known.
  double waits_for_nobody(const GroupOfLane& group_of) const {
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
  std::vector<Parting> partings_;  ///< of lane a and a lower b at a * lanes + b
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
    for (const std::vector<Division>& divisions : divisions_) {
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
  struct ReachedClocks {
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
  void add_partners_of(std::size_t from, const Choice& choice, ReachedClocks& clocks) const {
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
    ReachedClocks clocks;
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
  std::vector<std::vector<Division>> divisions_;  ///< by axis, the first all together
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
    constexpr std::size_t kMostAxes = 3;
    const std::map<AxisKey, double> devices = axes_of_parts(in_, clock_);
    std::vector<AxisTimes> axes;
    for (const auto& [key, count] : devices) {
      if (axes.size() == kMostAxes) break;
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
    constexpr std::size_t kMostMeetings = 512;
    const auto is_of_axis = [&](const TimedOp& op) {
      return op.collective != kNone && key_of(in_, in_.table.rows[op.row].kind) == key;
    };
    std::vector<std::uint32_t> meetings;
    for (const TimedOp& op : longest_lane(clock_).ops)
      if (is_of_axis(op)) meetings.push_back(op.collective);
    const std::size_t step = meetings.size() / kMostMeetings + 1;
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
void number_anew(const ClockInput& input, RunClock& clock) {
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

}  // namespace

void divide_collectives(const ClockInput& input, RunClock& clock) {
  constexpr std::size_t kMostLanes = 64;
  if (clock.lanes.size() < 4 || clock.lanes.size() > kMostLanes || input.reaches.empty()) return;
  clock.mesh = MeshFinder(TimesCollector(input, clock).collect(), clock.lanes.size()).find();
  if (!clock.mesh.empty()) number_anew(input, clock);
}

std::uint32_t mesh_axis_of(const ClockInput& input, const RunClock& clock, std::uint32_t kind) {
  if (clock.mesh.empty()) return kNone;
  const AxisKey key = key_of(input, kind);
  for (std::uint32_t i = 0; i < clock.mesh.size(); ++i)
    if (AxisKey{clock.mesh[i].cluster_axis, clock.mesh[i].op_code} == key) return i;
  return kNone;
}

}  // namespace ttscope::perf
