#include "perf/analyse/clock/run_clock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "perf/analyse/clock/absent_ops.h"
#include "perf/analyse/clock/alignment.h"
#include "perf/analyse/clock/mesh_groups.h"

namespace ttscope::perf {
namespace {

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
