#include "perf/analyse/sync/clock_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "perf/analyse/sync/clock_sync.h"

namespace ttscope::perf {
namespace {

std::optional<DeviceClockLine> line_of(const DeviceSyncRows& rows) {
  if (rows.cycles_per_ns <= 0) return std::nullopt;
  std::vector<std::pair<double, double>> points;
  for (const DeviceSyncRows::Sample& sample : rows.samples)
    points.emplace_back(sample.host_ns, sample.cycles);
  const std::optional<ClockLine> fitted = fit_line(points);
  if (fitted && is_clock_frequency(fitted->slope)) {
    return DeviceClockLine{
        fitted->x0,          fitted->y0, fitted->slope, points.size(), fitted->worst / fitted->slope,
        rows.is_on_host_axis};
  }
  const DeviceSyncRows::Sample first = rows.samples.empty() ? DeviceSyncRows::Sample{} : rows.samples.front();
  return DeviceClockLine{first.host_ns,       first.cycles, rows.cycles_per_ns, rows.samples.size(), 0,
                         rows.is_on_host_axis};
}

}  // namespace

DeviceClockLines clock_lines(const SyncInfo& info) {
  DeviceClockLines lines;
  for (const auto& [device, rows] : info.devices) {
    if (const auto line = line_of(rows)) lines[device] = *line;
  }
  const auto root = info.root ? lines.find(*info.root) : lines.end();
  if (root == lines.end()) return lines;
  for (const auto& [device, rows] : info.devices) {
    if (!rows.to_root || lines.contains(device)) continue;
    // A device with more cycles than the root has a smaller scale.
    const DeviceShift shift = {rows.to_root->scale, rows.to_root->shift};
    DeviceClockLine line = root->second;
    line.cycles = (root->second.cycles - shift.shift) / shift.scale;
    line.cycles_per_ns = root->second.cycles_per_ns / shift.scale;
    if (is_clock_frequency(line.cycles_per_ns)) lines[device] = line;
  }
  return lines;
}

bool are_simulated(const DeviceClockLines& lines, bool is_said) {
  if (lines.empty()) return is_said;
  // The host that simulated chips exchange with is simulated too.
  return std::any_of(lines.begin(), lines.end(),
                     [](const auto& line) { return !line.second.is_on_host_axis; });
}

}  // namespace ttscope::perf
