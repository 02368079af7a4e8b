#include "perf/analyse/ops/op_overlap.h"

#include <algorithm>
#include <vector>

namespace ttscope::perf {
namespace {

struct Interval {
  double start = 0;
  double end = 0;
};

struct DeviceIntervals {
  std::vector<Interval> collectives;
  std::vector<Interval> others;
};

/// In order and without overlaps.
std::vector<Interval> united(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.start < b.start; });
  std::vector<Interval> all;
  for (const Interval& one : intervals) {
    if (!all.empty() && one.start <= all.back().end) {
      all.back().end = std::max(all.back().end, one.end);
    } else {
      all.push_back(one);
    }
  }
  return all;
}

/// Both united.
double shared_cycles(const std::vector<Interval>& first, const std::vector<Interval>& second) {
  double cycles = 0;
  for (std::size_t a = 0, b = 0; a < first.size() && b < second.size();) {
    const double start = std::max(first[a].start, second[b].start);
    const double end = std::min(first[a].end, second[b].end);
    if (end > start) cycles += end - start;
    (first[a].end < second[b].end ? a : b) += 1;
  }
  return cycles;
}

}  // namespace

std::map<std::int32_t, double> find_collective_overlap(const OpsReport& table, const ShownOps& ops) {
  std::map<std::int32_t, double> overlap_us;
  const double cycles_per_us = ops.peaks.clock_mhz;
  if (!(cycles_per_us > 0)) return overlap_us;
  std::map<std::int32_t, DeviceIntervals> devices;
  for (const std::uint32_t member : ops.members) {
    const OpRow& row = table.rows[member];
    // Firmware starts while the op before still runs; kernels end with it.
    const double start = row.fw_end_cycle - row.kernel_duration_ns / 1000 * cycles_per_us;
    if (!(row.fw_end_cycle > start)) continue;
    DeviceIntervals& device = devices[row.device];
    const bool is_collective = ops.facts[row.kind].category == OpCategory::kCcl;
    (is_collective ? device.collectives : device.others).push_back({start, row.fw_end_cycle});
  }
  for (auto& [device, intervals] : devices) {
    const double cycles =
        shared_cycles(united(std::move(intervals.collectives)), united(std::move(intervals.others)));
    overlap_us[device] = cycles / cycles_per_us;
  }
  return overlap_us;
}

}  // namespace ttscope::perf
