#include "perf/analyze/shown_ops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "perf/analyze/repeats.h"
#include "perf/analyze/window.h"

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
      : report_(table), window_(std::move(window)), ops_(ops) {
    // Rows that are not of a device stand in the file where they belong.
    std::sort(window_.begin(), window_.end());
  }

  void sort() {
    const std::vector<std::uint32_t> places = shown_places(report_, ops_);
    std::vector<double> first_ns(ops_.rows.size(), kNoNumber);
    for (const DeviceLane& lane : ops_.clock.lanes) {
      for (const TimedOp& op : lane.ops) {
        double& first = first_ns[places[op.row]];
        if (!has_number(first) || op.start_ns < first) first = op.start_ns;
      }
    }
    const std::vector<double> of_row = times_of_rows(places, first_ns);
    std::vector<std::uint32_t> position(report_.rows.size(), 0);
    for (std::uint32_t i = 0; i < window_.size(); ++i) position[window_[i]] = i;
    std::vector<RowTime> times;
    times.reserve(ops_.rows.size());
    for (std::size_t i = 0; i < ops_.rows.size(); ++i) {
      const std::uint32_t row = ops_.rows[i].row;
      const bool is_device = report_.rows[row].type == OpRowType::kDevice;
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
    std::vector<double> ns(report_.rows.size(), kNoNumber);
    double next = HUGE_VAL;
    for (std::size_t i = window_.size(); i-- > 0;) {
      const std::uint32_t row = window_[i];
      const std::uint32_t place = places[row];
      if (place != kNone && has_number(first_ns[place])) next = ns[row] = first_ns[place];
      if (report_.rows[row].type != OpRowType::kDevice) ns[row] = next;
    }
    std::map<std::int32_t, double> before;
    for (const std::uint32_t row : window_) {
      const OpRow& op = report_.rows[row];
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

  const OpsReport& report_;
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
    if (shown.group == kNone || !ops.facts_of(table, shown).is_multi_device) continue;
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

/// Puts the ops of each device into the order in which they ran; signposts, ops on the host and ops without
/// times stay where they are.
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

/// Ops of one program are one op on all devices, where the ids of the rows tell: they hold the number of the
/// program and that of the device. False: they do not tell, and `result` is as it was.
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

/// Shows of each merged op the device that decides the wall time, and puts the rows into the order in which
/// they ran. `window`: all rows in the order of the host.
void show_deciding_devices(const OpsReport& table, const std::vector<std::uint32_t>& window, ShownOps& ops) {
  if (!ops.clock.is_known()) return show_shortest_collectives(table, ops);
  if (!ops.groups.empty()) choose_members(table, ops);
  TimeOrder(table, window, ops).sort();
}

/// Rows that are the first on their device, by row of the report.
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

/// Total % of all rows: what they and the gaps before them take of the counted time. False: the rows have no
/// cycles.
bool share_wall(const OpsReport& table, ShownOps& ops) {
  if (!ops.clock.is_known()) return false;
  const std::vector<std::uint32_t> places = shown_places(table, ops);
  std::vector<double> part_us(ops.rows.size());
  double compile_us = 0;
  const auto is_apart = [&](std::uint32_t row) -> bool { return ops.compile_rows[row]; };
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

/// Merges ops by the order of their names: of other ops than collectives the slowest device is shown.
void merge_by_names(const OpsReport& table, const std::vector<std::uint32_t>& window, ShownOps& result) {
  constexpr std::size_t kMaxWarnings = 3;
  std::size_t warnings = 0;
  const auto warn = [&](OpNote note) {
    if (warnings++ < kMaxWarnings) result.notes.push_back(std::move(note));
  };
  const auto duration = [&](std::uint32_t row) { return table.rows[row].kernel_duration_ns; };
  result.rows.reserve(window.size());
  for (const std::uint32_t row : window) {
    if (table.rows[row].type != OpRowType::kDevice) add_row(table, row, result);
  }
  DeviceRounds round(table, window);
  while (round.next()) {
    const std::string name(table.text(round.name));
    const auto number = static_cast<double>(round.number - 1);
    for (const DeviceRounds::Ended& ended : round.ended) {
      if (ended.is_name_known)
        warn({NoteKind::kDeviceLacksOp, {name}, {static_cast<double>(ended.device), number}});
    }
    if (!round.others.empty()) {
      std::vector<double> figures = {number};
      figures.insert(figures.end(), round.others.begin(), round.others.end());
      warn({NoteKind::kOpOfSomeDevices, {name}, std::move(figures)});
    }
    std::uint32_t shown = round.rows.front();
    for (const std::uint32_t row : round.rows) {
      if (duration(row) > duration(shown) || !has_number(duration(shown))) shown = row;
    }
    add_merged(table, round, shown, result);
  }
  if (warnings > kMaxWarnings)
    result.notes.push_back({NoteKind::kMoreOfThese, {}, {static_cast<double>(warnings - kMaxWarnings)}});
  std::stable_sort(result.rows.begin(), result.rows.end(),
                   [](const ShownOp& a, const ShownOp& b) { return a.row < b.row; });
}

/// Ops that not all devices have: a device ended early, lost them, or runs another program.
void note_missing_devices(const OpsReport& table, ShownOps& result) {
  const auto devices_of = [&](const ShownOp& row) {
    std::set<std::int32_t> devices;
    for_each_member(table, result, row,
                    [&](std::uint32_t member) { devices.insert(table.rows[member].device); });
    return devices;
  };
  std::set<std::int32_t> all;
  for (const ShownOp& row : result.rows) all.merge(devices_of(row));
  OpNote note = {NoteKind::kOpsOfSomeDevices, {}, {0, 0}};
  std::set<std::int32_t> lacking;
  for (const ShownOp& row : result.rows) {
    const std::set<std::int32_t> devices = devices_of(row);
    if (devices.empty() || devices.size() == all.size()) continue;
    if (note.figures[0]++ == 0) {
      note.names.emplace_back(table.text(table.kind_of(table.rows[row.row]).op_code));
      note.figures[1] = table.rows[row.row].id;
    }
    std::set_difference(all.begin(), all.end(), devices.begin(), devices.end(),
                        std::inserter(lacking, lacking.end()));
  }
  if (note.names.empty()) return;
  note.figures.insert(note.figures.end(), lacking.begin(), lacking.end());
  result.notes.push_back(std::move(note));
}

/// Makes the rows of the table from the rows of the window: one for each device, or one for the same op on
/// all devices. Merged ops are those that stand at the same place of each device's sequence under the same
/// name; of a collective the mean duration is shown, of any other op the slowest device.
void make_rows(const OpsReport& table, const std::vector<std::uint32_t>& window, const ShownOptions& options,
               ShownOps& result) {
  result.device_count = count_devices(table, window);
  const bool has_ops = std::any_of(window.begin(), window.end(), [&](std::uint32_t row) {
    return table.rows[row].type == OpRowType::kDevice;
  });
  if (options.no_merge_devices && result.device_count > 1) {
    result.notes.push_back({NoteKind::kDevicesApart, {}, {static_cast<double>(result.device_count)}});
  } else if (!has_ops) {
    result.notes.push_back({NoteKind::kNoDeviceOps});
  } else {
    if (result.device_count > 1) {
      result.notes.push_back({NoteKind::kDevicesMerged, {}, {static_cast<double>(result.device_count)}});
    }
    if (result.device_count > 1 && group_by_program(table, window, result)) {
      note_missing_devices(table, result);
    } else {
      merge_by_names(table, window, result);
    }
    return;
  }
  result.rows.reserve(window.size());
  for (const std::uint32_t row : window) add_row(table, row, result);
}

class ShownOpsBuilder {
 public:
  ShownOpsBuilder(const OpsReport& table, const ShownOptions& options) : report_(table), options_(options) {}

  Result<ShownOps> build();

 private:
  void exclude_warm_up_passes(std::vector<std::uint32_t>& window);
  void measure_rows();
  void find_single_late_devices();
  void measure(ShownOp& row, bool is_first);
  void filter_rows();
  void derive();
  void find_unclassified();
  void note_hosts();

  const OpsReport& report_;
  const ShownOptions& options_;
  std::vector<bool> first_runs_;
  ShownOps result_;
};

void ShownOpsBuilder::measure(ShownOp& row, bool is_first) {
  const OpRow& op = report_.rows[row.row];
  const KindFacts& facts = result_.facts[op.kind];
  row.is_signpost = op.type == OpRowType::kSignpost;
  row.is_host = facts.is_host || op.type == OpRowType::kHost;
  row.device_us = row.duration_ns / 1000;
  if (!is_first) row.gap_us = op.op_to_op_ns / 1000;
  if (row.is_signpost) {
    row.device_us = row.gap_us = kNoNumber;
    ++result_.signposts;
    return;
  }
  measure_matmul(report_, result_, row);
  // What is above its peak was not measured on all cores, or the model of the op does not fit: no percentage.
  if (row.dram_percent > 100) row.dram_percent = kNoNumber;
  if (row.flops_percent > 100) row.flops_percent = kNoNumber;
  if (row.is_host) {
    ++result_.host_ops;
    // No device waits for its turn: what it waits meanwhile is in the gap of the next op.
    row.gap_us = kNoNumber;
  } else {
    ++result_.device_ops;
  }
}

void ShownOpsBuilder::measure_rows() {
  const std::vector<bool> is_first_of_device = first_on_device(report_, result_);
  bool is_first = true;
  for (ShownOp& row : result_.rows) {
    row.is_first_run = first_runs_[row.row];
    row.waits_for_compile = result_.compile_rows[row.row];
    measure(row, is_first || is_first_of_device[row.row]);
    if (!row.is_signpost) is_first = false;
  }
}

/// While the host makes a program of several devices all of them wait; one that waits alone is late for
/// another reason.
void ShownOpsBuilder::find_single_late_devices() {
  if (!result_.groups_are_programs) return;
  for (const OpGroup& group : result_.groups) {
    if (group.count < 2) continue;
    const auto first = result_.members.begin() + group.first;
    const auto waits = [&](std::uint32_t row) {
      return report_.rows[row].op_to_op_ns > kMinCompileUs * 1000;
    };
    if (std::count_if(first, first + group.count, waits) != 1) continue;
    std::for_each(first, first + group.count, [&](std::uint32_t row) { result_.compile_rows[row] = false; });
  }
}

/// A window that signposts or ids set is what the user wants to see.
void ShownOpsBuilder::exclude_warm_up_passes(std::vector<std::uint32_t>& window) {
  if (options_.keep_warm_up || options_.first_id || options_.last_id) return;
  const bool has_signposts = std::any_of(report_.rows.begin(), report_.rows.end(),
                                         [](const OpRow& row) { return row.type == OpRowType::kSignpost; });
  if (has_signposts && !options_.ignore_signposts) return;
  result_.warm_up = exclude_warm_up(report_, first_runs_, window);
  const WarmUp& found = result_.warm_up;
  if (found.is_set_up) {
    result_.notes.push_back({NoteKind::kSetUpLeftOut,
                             {},
                             {static_cast<double>(found.ops), found.is_by_cache_misses ? 1.0 : 0.0}});
  }
  if (found.passes == 0) return;
  result_.notes.push_back({NoteKind::kWarmUpLeftOut,
                           {},
                           {static_cast<double>(found.passes), static_cast<double>(found.ops),
                            static_cast<double>(found.kept_passes), found.is_by_cache_misses ? 1.0 : 0.0}});
}

void ShownOpsBuilder::filter_rows() {
  std::vector<ShownOp>& rows = result_.rows;
  if (keep_ids(report_, options_, result_)) {
    const std::vector<bool> is_first = first_on_device(report_, result_);
    for (ShownOp& row : rows) row.gap_us = is_first[row.row] ? kNoNumber : row.gap_us;
  }
  if (options_.no_host_ops) std::erase_if(rows, [](const ShownOp& row) { return row.is_host; });
}

/// Both percentages decide for a matmul with operands in DRAM; without, the FLOPs alone do.
ShownBound bound_of(const KindFacts& facts, const ShownOp& row) {
  if (row.is_host) return ShownBound::kHost;
  if (!facts.is_matmul || row.is_signpost) return ShownBound::kNone;
  const bool has_dram = has_number(row.dram_percent) && row.dram_percent != 0;
  const bool has_flops = has_number(row.flops_percent) && row.flops_percent != 0;
  return has_dram || has_flops ? bound_by_percents(row) : ShownBound::kNone;
}

void ShownOpsBuilder::derive() {
  const auto or_zero = [](double number) { return has_number(number) ? number : 0; };
  for (const ShownOp& row : result_.rows) result_.device_us += or_zero(row.device_us);
  for (const ShownOp& row : result_.rows) {
    result_.gap_us += or_zero(row.gap_us);
    if (is_compile_gap(row)) result_.compile_us += row.gap_us;
  }
  const double total = result_.counted_time_us = result_.device_us + result_.gap_us - result_.compile_us;
  const bool is_shared = share_wall(report_, result_);
  for (ShownOp& row : result_.rows) {
    const KindFacts& facts = result_.facts_of(report_, row);
    row.bound = bound_of(facts, row);
    if (row.bound == ShownBound::kHost) row.device_us = kNoNumber;
    if (is_shared) continue;
    const bool has_time = has_number(row.device_us) || has_number(row.gap_us);
    const double gap = is_compile_gap(row) ? 0 : or_zero(row.gap_us);
    if (has_time && total != 0) row.total_percent = (or_zero(row.device_us) + gap) / total * 100;
  }
}

void ShownOpsBuilder::find_unclassified() {
  constexpr std::size_t kMaxNamed = 8;
  std::unordered_set<std::uint32_t> seen;
  OpNote note{NoteKind::kUnknownOps};
  for (const ShownOp& row : result_.rows) {
    const KindFacts& facts = result_.facts_of(report_, row);
    const bool is_known =
        facts.category != OpCategory::kOther && facts.category_basis == CategoryBasis::kName;
    if (row.is_signpost || row.is_host || is_known) continue;
    const std::uint32_t name = report_.kind_of(report_.rows[row.row]).op_code;
    if (!seen.insert(name).second) continue;
    result_.unclassified.emplace_back(report_.text(name));
    // A whole replay is what it says; reports of the device alone have no names at all.
    if (name == 0 || report_.text(name) == kTraceReplayOp || note.names.size() == kMaxNamed) continue;
    note.names.push_back(result_.unclassified.back());
    note.figures.push_back(static_cast<double>(facts.category));
    note.figures.push_back(static_cast<double>(facts.category_basis));
  }
  if (note.names.empty()) return;
  note.figures.push_back(static_cast<double>(result_.unclassified.size() - note.names.size()));
  result_.notes.push_back(std::move(note));
}

/// Which devices are those of which host: their numbers go on from one report to the next.
void ShownOpsBuilder::note_hosts() {
  constexpr std::size_t kMaxHosts = 16;
  if (report_.hosts.size() < 2 || report_.hosts.front().empty()) return;
  std::vector<std::int32_t> last(report_.hosts.size(), -1);
  for (const OpRow& row : report_.rows)
    if (row.file < last.size()) last[row.file] = std::max(last[row.file], row.device);
  OpNote note{NoteKind::kHosts};
  std::int32_t first = 0;
  for (std::size_t i = 0; i < std::min(last.size(), kMaxHosts); ++i) {
    if (last[i] < first) continue;
    note.names.push_back(report_.hosts[i]);
    note.figures.insert(note.figures.end(), {static_cast<double>(first), static_cast<double>(last[i])});
    first = last[i] + 1;
  }
  if (note.names.empty()) return;
  note.figures.push_back(static_cast<double>(last.size() - std::min(last.size(), kMaxHosts)));
  result_.notes.push_back(std::move(note));
}

Result<ShownOps> ShownOpsBuilder::build() {
  result_.notes.push_back({NoteKind::kFormat, {}, {static_cast<double>(report_.format)}});
  result_.notes.insert(result_.notes.end(), report_.remarks.begin(), report_.remarks.end());
  result_.peaks = find_peaks(report_, {options_.arch, options_.clock_mhz}, result_.notes);
  result_.facts = find_facts(report_, result_.peaks, fact_options(report_, options_.active_experts));
  std::vector<std::uint32_t> rows = order_rows(report_, options_, result_.notes);
  std::erase_if(rows, [&](std::uint32_t row) { return report_.rows[row].is_repeated; });
  if (const Result<void> windowed = apply_window(report_, options_, rows, result_.notes); !windowed) {
    return failure(windowed.error());
  }
  first_runs_ = find_first_runs(report_);
  order_by_device_time(report_, rows);
  exclude_warm_up_passes(rows);
  result_.compile_rows = find_compile_gaps(report_, first_runs_, rows);
  make_rows(report_, rows, options_, result_);
  find_single_late_devices();
  time_rows(report_, result_);
  show_deciding_devices(report_, rows, result_);
  measure_rows();
  filter_rows();
  derive();
  find_unclassified();
  count_missing_durations(report_, result_);
  note_hosts();
  return std::move(result_);
}

}  // namespace

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
    is_collective[i] = ops.facts[i].is_multi_device;
    reaches[i] = {ops.facts[i].link_devices, ops.facts[i].cluster_axis};
  }
  ops.clock = read_clock({table, rows, is_collective, groups, ops.groups_are_programs, reaches});
  ops.path = find_critical_path(RunGraph(ops.clock));
}

DeviceRounds::DeviceRounds(const OpsReport& table, const std::vector<std::uint32_t>& window)
    : report_(table) {
  std::map<std::int32_t, std::size_t> places;
  for (const std::uint32_t row : window) {
    const OpRow& op = report_.rows[row];
    if (op.type != OpRowType::kDevice) continue;
    const auto [place, is_new] = places.try_emplace(op.device, queues_.size());
    if (is_new) queues_.push_back({op.device, {}, 0});
    queues_[place->second].rows.push_back(row);
  }
  std::sort(queues_.begin(), queues_.end(),
            [](const Queue& a, const Queue& b) { return a.device < b.device; });
}

bool DeviceRounds::next() {
  rows.clear();
  ended.clear();
  others.clear();
  for (Queue& queue : queues_) {
    if (queue.next == queue.rows.size()) {
      ended.push_back({queue.device, !rows.empty()});
      continue;
    }
    const std::uint32_t row = queue.rows[queue.next];
    const std::uint32_t own_name = report_.kind_of(report_.rows[row]).op_code;
    if (rows.empty()) {
      name = own_name;
    } else if (own_name != name) {
      others.push_back(queue.device);
      continue;
    }
    rows.push_back(row);
    ++queue.next;
  }
  ++number;
  return !rows.empty();
}

void add_row(const OpsReport& table, std::uint32_t row, ShownOps& result) {
  result.rows.push_back({.row = row, .duration_ns = table.rows[row].kernel_duration_ns});
}

void add_merged(const OpsReport& table, const DeviceRounds& round, std::uint32_t shown, ShownOps& result) {
  ShownOp added{.row = shown, .duration_ns = table.rows[shown].kernel_duration_ns};
  const std::string_view name = table.text(round.name);
  if (contains(name, "AllGather") || contains(name, "ReduceScatter") || contains(name, "AllReduce")) {
    double sum = 0;
    double count = 0;
    for (const std::uint32_t row : round.rows) {
      const double duration = table.rows[row].kernel_duration_ns;
      if (!has_number(duration)) continue;
      sum += duration;
      ++count;
    }
    added.row = round.rows.front();
    added.duration_ns = count > 0 ? sum / count : kNoNumber;
  }
  if (round.devices() > 1) {
    added.group = static_cast<std::uint32_t>(result.groups.size());
    result.groups.push_back(
        {static_cast<std::uint32_t>(result.members.size()), static_cast<std::uint32_t>(round.rows.size())});
    result.members.insert(result.members.end(), round.rows.begin(), round.rows.end());
  }
  result.rows.push_back(added);
}

std::uint32_t count_devices(const OpsReport& table, const std::vector<std::uint32_t>& window) {
  std::vector<bool> seen;
  std::uint32_t count = 0;
  for (const std::uint32_t row : window) {
    const OpRow& op = table.rows[row];
    if (op.device < 0) continue;
    const auto device = static_cast<std::size_t>(op.device);
    if (device >= seen.size()) seen.resize(device + 1);
    if (!seen[device]) ++count;
    seen[device] = true;
  }
  return count;
}

FactOptions fact_options(const OpsReport& table, double active_experts) {
  FactOptions facts;
  facts.active_experts = active_experts;
  std::int32_t devices = 1;
  std::vector<bool> computes(table.kinds.size());
  bool has_riscs = false;
  for (const OpRow& row : table.rows) {
    devices = std::max(devices, row.device + 1);
    has_riscs = has_riscs || row.risc_us[0] > 0 || row.risc_us[1] > 0 || row.risc_us[3] > 0;
    if (row.risc_us[2] > 0 || row.risc_us[3] > 0 || row.risc_us[4] > 0) computes[row.kind] = true;
  }
  if (has_riscs) facts.computing_kinds = std::move(computes);
  facts.device_count = static_cast<std::uint32_t>(devices);
  return facts;
}

void measure_matmul(const OpsReport& table, const ShownOps& ops, ShownOp& row) {
  const KindFacts& facts = ops.facts_of(table, row);
  const double duration_s = row.duration_ns * 1e-9;
  if (!(facts.is_matmul || facts.is_conv) || !(duration_s > 0)) return;
  if (facts.matmul_dram_bytes > 0) {
    row.dram_gb_s = facts.matmul_dram_bytes / duration_s / 1e9;
    if (ops.peaks.dram_gb_s > 0) row.dram_percent = row.dram_gb_s / ops.peaks.dram_gb_s * 100;
  }
  const double flops = facts.flops / duration_s;
  row.tflops = flops / 1e12;
  const OpKind& kind = table.kind_of(table.rows[row.row]);
  const double peak = ops.peaks.tflops_per_core(table.text(kind.math_fidelity)) * 1e12 * facts.peak_cores;
  if (peak > 0) row.flops_percent = flops / peak * 100;
}

bool keep_ids(const OpsReport& table, const ShownOptions& options, ShownOps& ops) {
  if (!options.first_id && !options.last_id) return false;
  const std::uint32_t first = options.first_id.value_or(0);
  const std::uint32_t last = options.last_id.value_or(0xffffffff);
  if (!options.first_id) {
    ops.notes.push_back({NoteKind::kIdsUpTo, {}, {static_cast<double>(last)}});
  } else if (!options.last_id) {
    ops.notes.push_back({NoteKind::kIdsFrom, {}, {static_cast<double>(first)}});
  } else {
    ops.notes.push_back({NoteKind::kIdsBetween, {}, {static_cast<double>(first), static_cast<double>(last)}});
  }
  std::erase_if(ops.rows, [&](const ShownOp& row) {
    const std::uint32_t id = table.rows[row.row].id;
    return id < first || id > last;
  });
  if (!ops.rows.empty()) ops.rows.front().gap_us = kNoNumber;
  time_rows(table, ops);
  return true;
}

ShownBound bound_by_percents(const ShownOp& row) {
  const bool is_dram = row.dram_percent >= kBoundPercent;
  const bool is_flop = row.flops_percent >= kBoundPercent;
  if (is_dram && is_flop) return ShownBound::kBoth;
  if (is_dram) return ShownBound::kDram;
  return is_flop ? ShownBound::kFlop : ShownBound::kSlow;
}

void count_missing_durations(const OpsReport& table, ShownOps& ops) {
  for (const ShownOp& row : ops.rows) {
    for_each_member(table, ops, row, [&](std::uint32_t member) {
      ops.without_duration += has_number(table.rows[member].kernel_duration_ns) ? 0 : 1;
    });
  }
}

std::string_view name_of(ShownBound bound) {
  switch (bound) {
    case ShownBound::kNone:
      return "";
    case ShownBound::kBoth:
      return "BOTH";
    case ShownBound::kDram:
      return "DRAM";
    case ShownBound::kFlop:
      return "FLOP";
    case ShownBound::kSlow:
      return "SLOW";
    case ShownBound::kHost:
      return "HOST";
  }
  return "";
}

std::string_view key_of(TimeBase base) {
  constexpr std::array<std::string_view, 3> kKeys = {"device_time_and_gaps", "wall", "walls_of_devices"};
  return kKeys[static_cast<std::size_t>(base)];
}

bool is_compile_gap(const ShownOp& row) { return row.waits_for_compile && row.gap_us > kMinCompileUs; }

Result<ShownOps> find_shown_ops(const OpsReport& table, const ShownOptions& options) {
  return ShownOpsBuilder(table, options).build();
}

}  // namespace ttscope::perf
