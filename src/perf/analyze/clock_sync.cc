#include "perf/analyze/clock_sync.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ttscope::perf {
namespace {

/// The next value of a clock of which only the low word is known.
std::uint64_t next_of(std::uint64_t before, std::uint32_t low) {
  constexpr std::uint64_t kLowMask = 0xffffffff;
  const std::uint64_t same_turn = (before & ~kLowMask) | low;
  return same_turn >= before ? same_turn : same_turn + kLowMask + 1;
}

}  // namespace

std::vector<SyncSample> unwrap_samples(const std::vector<SyncExchange>& exchanges,
                                       std::uint32_t device_high) {
  constexpr std::uint32_t kHighMask = 0xfff;
  std::vector<SyncSample> samples;
  std::uint64_t host = 0;
  std::uint64_t device = 0;
  for (const SyncExchange& exchange : exchanges) {
    host = next_of(host, exchange.host_low);
    device = samples.empty() ? std::uint64_t{device_high & kHighMask} << 32 | exchange.device_low
                             : next_of(device, exchange.device_low);
    samples.push_back({host + exchange.write_ticks, device});
  }
  return samples;
}

std::optional<ClockLine> fit_line(const std::vector<std::pair<double, double>>& points) {
  if (points.size() < 2) return std::nullopt;
  // Around the means: clocks are large and their differences small.
  ClockLine line;
  for (const auto& [x, y] : points) {
    line.x0 += x / static_cast<double>(points.size());
    line.y0 += y / static_cast<double>(points.size());
  }
  double along = 0;
  double across = 0;
  for (const auto& [x, y] : points) {
    along += (x - line.x0) * (x - line.x0);
    across += (x - line.x0) * (y - line.y0);
  }
  if (along == 0) return std::nullopt;
  line.slope = across / along;
  for (const auto& [x, y] : points) line.worst = std::max(line.worst, std::abs(y - line.at(x)));
  return line;
}

std::optional<HostDeviceSync> sync_host_device(std::vector<SyncSample> samples, double ns_per_tick) {
  std::vector<std::pair<double, double>> points;
  points.reserve(samples.size());
  for (const SyncSample& sample : samples) {
    points.emplace_back(static_cast<double>(sample.host_ticks), static_cast<double>(sample.device_cycles));
  }
  const std::optional<ClockLine> line = fit_line(points);
  if (!line || line->slope <= 0 || ns_per_tick <= 0) return std::nullopt;
  HostDeviceSync sync;
  sync.samples = std::move(samples);
  sync.ns_per_tick = ns_per_tick;
  sync.line = *line;
  sync.cycles_per_ns = line->slope / ns_per_tick;
  sync.delay_cycles = line->at(0);
  return sync;
}

DeviceShift shift_between(const ClockLine& device, const ClockLine& root) {
  const double scale = root.slope / device.slope;
  // Where the device's samples have their middle; the root's clock there is what it becomes.
  return {scale, root.at(device.x0) - scale * device.y0};
}

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

bool are_simulated(const DeviceClockLines& lines, bool is_reported) {
  if (lines.empty()) return is_reported;
  // The host that simulated chips exchange with is simulated too.
  return std::any_of(lines.begin(), lines.end(),
                     [](const auto& line) { return !line.second.is_on_host_axis; });
}

}  // namespace ttscope::perf
