#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// One exchange between the host and a device: the host wrote its time, the device noted when it saw it.
struct SyncExchange {
  std::uint32_t device_low = 0;   ///< low word of the device's clock
  std::uint32_t host_low = 0;     ///< what the host wrote: ticks since it began, low word
  std::uint64_t write_ticks = 0;  ///< how long the write took the host
};

/// The same on whole clocks.
struct SyncSample {
  std::uint64_t host_ticks = 0;  ///< since the host began
  std::uint64_t device_cycles = 0;
};

/// Makes whole clocks of low words, which begin again from zero: both only ever grow. `device_high` is the
/// high word of the first exchange. A sample is taken to have been seen when the write was done.
std::vector<SyncSample> unwrap_samples(const std::vector<SyncExchange>& exchanges, std::uint32_t device_high);

/// A straight line through samples: `y = y0 + slope * (x - x0)`, with the means as x0 and y0.
struct ClockLine {
  double x0 = 0;
  double y0 = 0;
  double slope = 1;
  double worst = 0;  ///< the largest distance of a sample from it

  double at(double x) const { return y0 + slope * (x - x0); }
  ClockLine inverse() const { return {y0, x0, 1 / slope, worst / slope}; }
};

/// Least squares; none for fewer than two different x.
std::optional<ClockLine> fit_line(const std::vector<std::pair<double, double>>& points);

/// What is known of a device's clock by its exchanges with the host.
struct HostDeviceSync {
  std::vector<SyncSample> samples;
  double ns_per_tick = 1;    ///< of the host's clock
  ClockLine line;            ///< device cycles by host ticks
  double cycles_per_ns = 0;  ///< frequency in GHz
  double delay_cycles = 0;   ///< device clock at host time 0

  /// Host time of a device clock, in ns since the host began.
  double host_ns_at(std::uint64_t device_cycles) const {
    return line.inverse().at(static_cast<double>(device_cycles)) * ns_per_tick;
  }
};

std::optional<HostDeviceSync> sync_host_device(std::vector<SyncSample> samples, double ns_per_tick);

/// How the cycles of a device become those of the root: `cycles * scale + shift`.
struct DeviceShift {
  double scale = 1;
  double shift = 0;

  double at(double cycles) const { return cycles * scale + shift; }
};

/// Of two devices whose clocks are known against the same host.
DeviceShift shift_between(const ClockLine& device, const ClockLine& root);

/// The clock of each device that was synchronized, all against the one host. The line is the least squares of
/// the samples; with fewer than two the runtime's own frequency through the one.
DeviceClockLines clock_lines(const SyncInfo& info);

/// Whether the chips of a run were simulated. Exchanges tell it of their own run; where there were none it is
/// what a file says (`is_reported`), which an earlier run may have left.
bool are_simulated(const DeviceClockLines& lines, bool is_reported);

}  // namespace ttscope::perf
