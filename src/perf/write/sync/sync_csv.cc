#include "perf/write/sync/sync_csv.h"

#include <fmt/format.h>

#include <cmath>

namespace ttscope::perf {

void write_sync_header(Writer& out) {
  out.write(
      "device id,core_x, "
      "core_y,device,host_tracy,host_real,write_overhead,host_start,delay,frequency,tracy_ratio,"
      "tracy_base_time,device_frequency_ratio,device_shift\n");
}

void write_sync_rows(const SyncPlace& place, const HostDeviceSync& sync,
                     const std::vector<std::uint64_t>& write_ticks, Writer& out) {
  for (std::size_t i = 0; i < sync.samples.size(); ++i) {
    const SyncSample& sample = sync.samples[i];
    out.write(fmt::format(
        "{:5},{:5},{:5},{:20},{:20},{:20.2f},{:20},{:20},{:20.2f},{:20.15f},{:20.15f},{:20},1.0,0\n",
        place.device, place.core_x, place.core_y, sample.device_cycles, sample.host_ticks,
        static_cast<double>(sample.host_ticks) * sync.ns_per_tick,
        i < write_ticks.size() ? write_ticks[i] : 0, place.host_start_ticks, sync.delay_cycles,
        sync.cycles_per_ns, sync.ns_per_tick, place.base_time_ticks));
  }
}

void write_sync_shift(std::uint32_t device, const DeviceShift& shift, Writer& out) {
  constexpr double kMost = 9e18;
  const std::int64_t cycles = std::abs(shift.shift) < kMost ? std::llround(shift.shift) : 0;
  out.write(fmt::format("{:5},,,,,,,,,,,,{:20.15f},{:20}\n", device, shift.scale, cycles));
}

}  // namespace ttscope::perf
