#include "perf/analyse/ops/shown_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace ttscope::perf {
namespace {

std::vector<std::uint32_t> shown_places(const OpsReport& table, const ShownOps& ops) {
  std::vector<std::uint32_t> places(table.rows.size(), kNone);
  for (std::uint32_t i = 0; i < ops.rows.size(); ++i) {
    for_each_member(table, ops, ops.rows[i], [&](std::uint32_t row) { places[row] = i; });
  }
  return places;
}

/// When an op ran, for the order of the table.
struct RowTime {
  double ns = kNoNumber;
  std::uint8_t phase =
      0;  ///< signposts and host ops stand before what they precede, ops without times behind
  std::uint32_t position = 0;
  bool operator<(const RowTime& other) const {
    return std::tie(ns, phase, position) < std::tie(other.ns, other.phase, other.position);
  }
};

class TimeOrder {
 public:
  TimeOrder(const OpsReport& table, std::vector<std::uint32_t> window, ShownOps& ops)
      : table_(table), window_(std::move(window)), ops_(ops) {
    // Rows that are not of a device stand in the file where they belong.
    std::sort(window_.begin(), window_.end());
  }

  void sort() {
    const std::vector<std::uint32_t> places = shown_places(table_, ops_);
    std::vector<double> first_ns(ops_.rows.size(), kNoNumber);
    for (const DeviceLane& lane : ops_.clock.lanes) {
      for (const TimedOp& op : lane.ops) {
        double& first = first_ns[places[op.row]];
        if (!has_number(first) || op.start_ns < first) first = op.start_ns;
      }
    }
    const std::vector<double> of_row = times_of_rows(places, first_ns);
    std::vector<std::uint32_t> position(table_.rows.size(), 0);
    for (std::uint32_t i = 0; i < window_.size(); ++i) position[window_[i]] = i;
    std::vector<RowTime> times;
    times.reserve(ops_.rows.size());
    for (std::size_t i = 0; i < ops_.rows.size(); ++i) {
      const std::uint32_t row = ops_.rows[i].row;
      const bool is_device = table_.rows[row].type == OpRowType::kDevice;
      const auto phase = static_cast<std::uint8_t>(!is_device ? 0 : has_number(first_ns[i]) ? 1 : 2);
      times.push_back({of_row[row], phase, position[row]});
    }
    if (!std::is_sorted(times.begin(), times.end())) arrange_by(times);
  }

 private:
  void arrange_by(const std::vector<RowTime>& times) {
    std::vector<std::uint32_t> order(times.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return times[a] < times[b]; });
    std::vector<ShownOp> arranged;
    arranged.reserve(order.size());
    for (const std::uint32_t i : order) arranged.push_back(ops_.rows[i]);
    ops_.rows = std::move(arranged);
  }

  /// A row without a time has that of the next op of the window, an op that of the one before on its device.
  std::vector<double> times_of_rows(const std::vector<std::uint32_t>& places,
                                    const std::vector<double>& first_ns) const {
    std::vector<double> ns(table_.rows.size(), kNoNumber);
    double next = HUGE_VAL;
    for (std::size_t i = window_.size(); i-- > 0;) {
      const std::uint32_t row = window_[i];
      const std::uint32_t place = places[row];
      if (place != kNone && has_number(first_ns[place])) next = ns[row] = first_ns[place];
      if (table_.rows[row].type != OpRowType::kDevice) ns[row] = next;
    }
    std::map<std::int32_t, double> before;
    for (const std::uint32_t row : window_) {
      const OpRow& op = table_.rows[row];
      if (op.type != OpRowType::kDevice) continue;
      double& last = before.try_emplace(op.device, -1).first->second;
      if (has_number(ns[row])) {
        last = ns[row];
      } else {
        ns[row] = last;
      }
    }
    return ns;
  }

  const OpsReport& table_;
  std::vector<std::uint32_t> window_;
  ShownOps& ops_;
};

/// The rows of a merged op that stand for it: on the path, or the last to come to a collective.
void choose_members(const OpsReport& table, ShownOps& ops) {
  const std::vector<std::uint32_t> places = shown_places(table, ops);
  const auto show = [&](std::uint32_t row) {
    if (!has_number(table.rows[row].kernel_duration_ns)) return;
    ShownOp& shown = ops.rows[places[row]];
    shown.row = row;
    shown.duration_ns = table.rows[row].kernel_duration_ns;
  };
  std::vector<bool> is_on_path(table.rows.size());
  for (const PathPart& part : ops.path.parts) {
    if (part.kind == PathPartKind::kOp) show(part.row);
    is_on_path[part.row] = is_on_path[part.row] || part.kind == PathPartKind::kCollective;
  }
  std::vector<const TimedOp*> last(ops.clock.collectives);  // of those that have a row
  std::vector<bool> is_met_on_path(ops.clock.collectives);
  for (const DeviceLane& lane : ops.clock.lanes) {
    for (const TimedOp& op : lane.ops) {
      if (op.collective == kNone) continue;
      if (is_on_path[op.row]) is_met_on_path[op.collective] = true;
      const TimedOp*& known = last[op.collective];
      if (known == nullptr || op.start_ns > known->start_ns) known = &op;
    }
  }
  // On a mesh the rows of one op meet in several places: the one that counts comes last.
  for (const bool on_path : {false, true}) {
    for (std::size_t i = 0; i < last.size(); ++i)
      if (last[i] != nullptr && is_met_on_path[i] == on_path) show(last[i]->row);
  }
}

/// Without cycles nobody knows who came last to a collective, but the last one waits for none: the shortest
/// time is that of the collective itself. What the others wait is in the slow op that they wait for.
void show_shortest_collectives(const OpsReport& table, ShownOps& ops) {
  for (ShownOp& shown : ops.rows) {
    if (shown.group == kNone || !ops.facts_of(table, shown).meets_devices) continue;
    std::uint32_t shortest = kNone;
    for_each_member(table, ops, shown, [&](std::uint32_t row) {
      const double ns = table.rows[row].kernel_duration_ns;
      if (!has_number(ns)) return;
      if (shortest == kNone || ns < table.rows[shortest].kernel_duration_ns) shortest = row;
    });
    if (shortest == kNone) continue;
    shown.row = shortest;
    shown.duration_ns = table.rows[shortest].kernel_duration_ns;
  }
}

}  // namespace

void order_by_device_time(const OpsReport& table, std::vector<std::uint32_t>& window) {
  struct Slots {
    std::vector<std::size_t> places;
    std::vector<std::uint32_t> rows;
  };
  std::map<std::int32_t, Slots> devices;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const OpRow& row = table.rows[window[i]];
    if (!has_cycles(row)) continue;
    Slots& slots = devices[row.device];
    slots.places.push_back(i);
    slots.rows.push_back(window[i]);
  }
  for (auto& [device, slots] : devices) {
    std::stable_sort(slots.rows.begin(), slots.rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      return table.rows[a].fw_start_cycle < table.rows[b].fw_start_cycle;
    });
    for (std::size_t i = 0; i < slots.rows.size(); ++i) window[slots.places[i]] = slots.rows[i];
  }
}

bool group_by_program(const OpsReport& table, const std::vector<std::uint32_t>& window, ShownOps& result) {
  constexpr std::uint64_t kDevices = 1024;  // the low ten bits of an id are the device
  using Key = std::tuple<std::uint64_t, float, float>;
  std::map<Key, std::vector<std::uint32_t>> found;
  if (table.files.size() > 1) return false;
  for (const std::uint32_t row : window) {
    const OpRow& op = table.rows[row];
    if (op.type != OpRowType::kDevice) continue;
    if (!(op.call_count >= 0) || op.call_count > 0xffffffff || op.device < 0) return false;
    const auto id = static_cast<std::uint64_t>(op.call_count);
    if (id % kDevices != static_cast<std::uint64_t>(op.device)) return false;
    const auto or_none = [](float number) { return number == number ? number : -1; };
    std::vector<std::uint32_t>& rows =
        found[{id / kDevices, or_none(op.trace_id), or_none(op.replay_session)}];
    for (const std::uint32_t other : rows) {
      const bool is_other_op = table.kind_of(table.rows[other]).op_code != table.kind_of(op).op_code;
      if (table.rows[other].device == op.device || is_other_op) return false;
    }
    rows.push_back(row);
  }
  const auto duration = [&](std::uint32_t row) { return table.rows[row].kernel_duration_ns; };
  for (const std::uint32_t row : window) {
    if (table.rows[row].type != OpRowType::kDevice)
      result.rows.push_back({.row = row, .duration_ns = duration(row)});
  }
  for (auto& [key, rows] : found) {
    std::sort(rows.begin(), rows.end(),
              [&](std::uint32_t a, std::uint32_t b) { return table.rows[a].device < table.rows[b].device; });
    ShownOp added{.row = rows.front()};
    for (const std::uint32_t row : rows) {
      if (duration(row) > duration(added.row) || !has_number(duration(added.row))) added.row = row;
    }
    added.duration_ns = duration(added.row);
    added.group = static_cast<std::uint32_t>(result.groups.size());
    result.groups.push_back(
        {static_cast<std::uint32_t>(result.members.size()), static_cast<std::uint32_t>(rows.size())});
    result.members.insert(result.members.end(), rows.begin(), rows.end());
    result.rows.push_back(added);
  }
  result.groups_are_programs = true;
  std::stable_sort(result.rows.begin(), result.rows.end(),
                   [](const ShownOp& a, const ShownOp& b) { return a.row < b.row; });
  return true;
}

void time_rows(const OpsReport& table, ShownOps& ops) {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> groups(table.rows.size(), kNone);
  for (const ShownOp& shown : ops.rows) {
    for_each_member(table, ops, shown, [&](std::uint32_t row) {
      rows.push_back(row);
      groups[row] = shown.group;
    });
  }
  std::vector<bool> is_collective(ops.facts.size());
  std::vector<CollectiveReach> reaches(ops.facts.size());
  for (std::size_t i = 0; i < ops.facts.size(); ++i) {
    is_collective[i] = ops.facts[i].meets_devices;
    reaches[i] = {ops.facts[i].link_devices, ops.facts[i].cluster_axis};
  }
  ops.clock = read_clock({table, rows, is_collective, groups, ops.groups_are_programs, reaches});
  ops.path = find_critical_path(RunGraph(ops.clock));
}

void show_deciding_devices(const OpsReport& table, const std::vector<std::uint32_t>& window, ShownOps& ops) {
  if (!ops.clock.is_known()) return show_shortest_collectives(table, ops);
  if (!ops.groups.empty()) choose_members(table, ops);
  TimeOrder(table, window, ops).sort();
}

std::vector<bool> first_on_device(const OpsReport& table, const ShownOps& ops) {
  std::vector<bool> is_first(table.rows.size());
  std::map<std::int32_t, bool> has_lane;
  for (const DeviceLane& lane : ops.clock.lanes) {
    is_first[lane.ops.front().row] = true;
    has_lane[lane.device] = true;
  }
  for (const ShownOp& shown : ops.rows) {
    if (shown.is_signpost || table.rows[shown.row].type == OpRowType::kSignpost) continue;
    bool& is_seen = has_lane[table.rows[shown.row].device];
    if (!is_seen) is_first[shown.row] = true;
    is_seen = true;
  }
  return is_first;
}

bool share_wall(const OpsReport& table, ShownOps& ops) {
  if (!ops.clock.is_known()) return false;
  const std::vector<std::uint32_t> places = shown_places(table, ops);
  std::vector<double> part_us(ops.rows.size());
  double compile_us = 0;
  const auto is_apart = [&](std::uint32_t row) { return ops.compile_gaps_apart && ops.compile_rows[row]; };
  for (DeviceLane& lane : ops.clock.lanes) {
    double frontier = lane.ops.front().start_ns;
    lane.compile_ns = 0;
    for (const TimedOp& op : lane.ops) {
      if (is_apart(op.row)) lane.compile_ns += std::max(0.0, op.start_ns - frontier);
      frontier = std::max(frontier, op.end_ns);
    }
  }
  for (PathPart& part : ops.path.parts)
    part.is_compile = part.kind == PathPartKind::kGap && is_apart(part.row);
  const auto add = [&](std::uint32_t row, bool is_gap, double us) {
    const std::uint32_t place = places[row];
    if (is_gap && is_apart(row)) {
      compile_us += us;
    } else {
      part_us[place] += us;
    }
  };
  double wall_us = 0;
  const bool is_one_path = ops.clock.lanes.size() == 1 || !ops.groups.empty();
  if (is_one_path) {
    wall_us = ops.path.wall_us;
    for (const PathPart& part : ops.path.parts) add(part.row, part.kind == PathPartKind::kGap, part.us);
  } else {
    for (const DeviceLane& lane : ops.clock.lanes) {
      wall_us += lane.wall_ns / 1000;
      double frontier = lane.ops.front().start_ns;
      for (const TimedOp& op : lane.ops) {
        if (op.start_ns > frontier) add(op.row, true, (op.start_ns - frontier) / 1000);
        if (op.end_ns > frontier) add(op.row, false, (op.end_ns - std::max(op.start_ns, frontier)) / 1000);
        frontier = std::max(frontier, op.end_ns);
      }
    }
  }
  ops.base = is_one_path ? TimeBase::kWall : TimeBase::kWallsOfDevices;
  ops.counted_time_us = wall_us - compile_us;
  ops.compile_wall_us = compile_us;
  for (std::size_t i = 0; i < ops.rows.size(); ++i) {
    const ShownOp& shown = ops.rows[i];
    const bool has_time = has_number(shown.device_us) || has_number(shown.gap_us) || part_us[i] > 0;
    if (!shown.is_signpost && has_time && ops.counted_time_us > 0)
      ops.rows[i].total_percent = part_us[i] / ops.counted_time_us * 100;
  }
  return true;
}

}  // namespace ttscope::perf
