#pragma once

#include <cstdint>

#include "base/writer.h"
#include "perf/analyse/sync/clock_sync.h"

namespace ttscope::perf {

/// Which core exchanged, and where the host's clocks stood.
struct SyncPlace {
  std::uint32_t device = 0;
  std::int32_t core_x = 0;
  std::int32_t core_y = 0;
  std::uint64_t host_start_ticks = 0;
  std::uint64_t base_time_ticks = 0;  ///< of the timeline that host zones are on
};

/// sync_device_info.csv as the runtime writes it: the header, the exchanges of a device with the host, and
/// how the clock of a device that only another device reaches becomes that of the root.
void write_sync_header(Writer& out);
void write_sync_rows(const SyncPlace& place, const HostDeviceSync& sync,
                     const std::vector<std::uint64_t>& write_ticks, Writer& out);
void write_sync_shift(std::uint32_t device, const DeviceShift& shift, Writer& out);

}  // namespace ttscope::perf
