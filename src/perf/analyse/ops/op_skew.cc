#include "perf/analyse/ops/op_skew.h"

#include <algorithm>
#include <map>

#include "perf/analyse/ops/op_overlap.h"

namespace ttscope::perf {
namespace {

struct Member {
  double us = 0;
  std::int32_t device = -1;
};

/// The durations of one op, the shortest first.
std::vector<Member> members_of(const OpsReport& table, const ShownOps& ops, const OpGroup& group) {
  std::vector<Member> members;
  for (std::uint32_t i = 0; i < group.count; ++i) {
    const OpRow& row = table.rows[ops.members[group.first + i]];
    if (has_number(row.kernel_duration_ns)) members.push_back({row.kernel_duration_ns / 1000, row.device});
  }
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.us < b.us; });
  return members;
}

double median_of(const std::vector<Member>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle].us : (sorted[middle - 1].us + sorted[middle].us) / 2;
}

/// How the devices came to the collectives, on the clock of the run.
void add_waiting(const ShownOps& ops, OpSkew& skew) {
  std::vector<std::vector<double>> starts(ops.clock.collectives);
  for (const DeviceLane& lane : ops.clock.lanes) {
    for (const TimedOp& op : lane.ops) {
      if (op.collective != kNone) starts[op.collective].push_back(op.start_ns);
    }
  }
  skew.collective_wait_us = skew.collective_late_us = 0;
  for (std::vector<double>& arrivals : starts) {
    if (arrivals.size() < 2) continue;
    std::sort(arrivals.begin(), arrivals.end());
    const double last = arrivals.back();
    double waited = 0;
    for (const double arrival : arrivals) waited += last - arrival;
    skew.collective_wait_us += waited / static_cast<double>(arrivals.size()) / 1000;
    const std::size_t others = arrivals.size() - 1;
    skew.collective_late_us += (last - (arrivals[(others - 1) / 2] + arrivals[others / 2]) / 2) / 1000;
  }
}

void add_to_devices(const std::vector<Member>& members, bool is_collective,
                    std::map<std::int32_t, DeviceSkew>& devices) {
  const double median = median_of(members);
  for (const Member& member : members) {
    DeviceSkew& device = devices[member.device];
    device.device = member.device;
    ++device.ops;
    device.device_us += member.us;
    if (is_collective) device.collective_us += member.us;
    if (!is_collective && member.us > median) device.behind_us += member.us - median;
  }
  if (!is_collective && members.size() > 1 && members.back().us > members.front().us)
    ++devices[members.back().device].slowest_ops;
}

}  // namespace

OpSkew find_skew(const OpsReport& table, const ShownOps& ops) {
  OpSkew skew;
  std::map<std::int32_t, DeviceSkew> devices;
  for (std::size_t i = 0; i < ops.rows.size(); ++i) {
    const ShownOp& row = ops.rows[i];
    if (row.group == kNone) continue;
    const OpGroup& ops_of_row = ops.groups[row.group];
    const bool is_collective = ops.facts_of(table, row).category == OpCategory::kCcl;
    const std::vector<Member> members = members_of(table, ops, ops_of_row);
    if (members.empty()) continue;
    add_to_devices(members, is_collective, devices);
    if (members.size() < 2) continue;
    if (is_collective) {
      double sum = 0;
      for (const Member& member : members) sum += member.us;
      skew.collective_wait_us += sum / static_cast<double>(members.size()) - members.front().us;
      continue;
    }
    GroupSkew group;
    group.row = static_cast<std::uint32_t>(i);
    group.slowest_device = members.back().device;
    group.fastest_us = members.front().us;
    group.median_us = median_of(members);
    group.slowest_us = members.back().us;
    skew.compute_lost_us += group.lost_us();
    skew.groups.push_back(group);
  }
  if (ops.clock.lanes.size() > 1) add_waiting(ops, skew);
  const std::size_t listed = std::min(skew.groups.size(), OpSkew::kGroupsListed);
  const auto is_worse = [](const GroupSkew& a, const GroupSkew& b) {
    return a.lost_us() != b.lost_us() ? a.lost_us() > b.lost_us() : a.row < b.row;
  };
  std::partial_sort(skew.groups.begin(), skew.groups.begin() + static_cast<std::ptrdiff_t>(listed),
                    skew.groups.end(), is_worse);
  const std::map<std::int32_t, double> overlaps = find_collective_overlap(table, ops);
  for (auto& [id, device] : devices) {
    if (const auto overlap = overlaps.find(id); overlap != overlaps.end())
      device.overlap_us = overlap->second;
    skew.devices.push_back(device);
  }
  return skew;
}

}  // namespace ttscope::perf
