#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ttscope::perf {

/// Whether a clock may run so fast. What is far from any is damage, and times by it are no numbers.
inline bool is_clock_frequency(double cycles_per_ns) { return cycles_per_ns >= 1e-3 && cycles_per_ns <= 1e2; }

/// What sync_device_info.csv holds of one device.
struct DeviceSyncRows {
  struct Sample {
    double host_ns = 0;  ///< on the axis of the host's zones
    double cycles = 0;
  };
  std::vector<Sample> samples;  ///< exchanges with the host
  double cycles_per_ns = 0;     ///< as the runtime fitted it; 0: it was not exchanged with
  bool is_on_host_axis = true;  ///< false: the host of the exchanges counts from its own start (simulated)
  /// Of a device that was reached through another: its cycles become those of the root by them.
  struct Shift {
    double scale = 1;
    double shift = 0;
  };
  std::optional<Shift> to_root;
};
/// By device; `root` is the one with host exchanges that rows of others refer to.
struct SyncInfo {
  std::map<std::uint32_t, DeviceSyncRows> devices;
  std::optional<std::uint32_t> root;
};

/// A device's clock against that of the host, by a point and the frequency.
struct DeviceClockLine {
  double ns = 0;
  double cycles = 0;
  double cycles_per_ns = 1;
  std::size_t samples = 0;      ///< that it was fitted to
  double worst_ns = 0;          ///< the largest distance of one of them from it
  bool is_on_host_axis = true;  ///< that of the host's zones; else of devices among each other alone

  double ns_at(double device_cycles) const { return ns + (device_cycles - cycles) / cycles_per_ns; }
};
using DeviceClockLines = std::map<std::uint32_t, DeviceClockLine>;

}  // namespace ttscope::perf
