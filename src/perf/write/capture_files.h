#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/writer.h"
#include "perf/analyze/clock_sync.h"
#include "perf/analyze/raw_run.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// The files of a profiler run as tt-metal's runtime writes them.

/// profile_log_device.csv: two lines of header, which speak of the first device, then rows by core, processor
/// and time.
void write_device_log_header(const ProfilerReadout& first, Writer& out);
void write_device_log_rows(const ProfilerReadout& read, Writer& out);

/// zone_src_locations.log: the places that ids stand for.
void write_zone_locations(const std::map<std::uint16_t, RawZone>& zones, Writer& out);

/// cpp_device_perf_report.csv. `previous`: the last program of the device in earlier rows, from which the
/// first latency counts; becomes the last of these.
void write_program_report_header(Writer& out);
void write_program_report(const ProfilerReadout& read, const std::vector<ProgramTimes>& programs,
                          ProgramTimes* previous, Writer& out);

/// Which place a coordinate of a transfer means, and how the device's times become those of the root.
struct NocTraceOptions {
  std::function<std::pair<int, int>(unsigned noc, int x, int y)> physical;
  double time_scale = 1;
  double time_shift = 0;
};

/// noc_trace_dev0_ID1024.json: the transfers and zones of one execution of a program.
struct NocTraceFile {
  std::string name;
  std::string text;
};

std::vector<NocTraceFile> noc_trace_files(const ProfilerReadout& read, const NocTraceOptions& options);

/// Writes profile_log_device.csv and zone_src_locations.log into a folder, which is made if need be; nothing
/// that lies there is replaced. `zones`: of the kernels, without those that stand for whole replays. The
/// paths.
Result<std::vector<std::string>> write_log_files(const ProfilerReadout& read,
                                                 const std::map<std::uint16_t, RawZone>& zones,
                                                 const std::string& folder);

/// Which core exchanged, and where the host's clocks stood.
struct SyncOrigin {
  std::uint32_t device = 0;
  std::int32_t core_x = 0;
  std::int32_t core_y = 0;
  std::uint64_t host_start_ticks = 0;
  std::uint64_t base_time_ticks = 0;  ///< of the timeline that host zones are on
};

/// sync_device_info.csv as the runtime writes it: the header, the exchanges of a device with the host, and
/// how the clock of a device that only another device reaches becomes that of the root.
void write_sync_header(Writer& out);
void write_sync_rows(const SyncOrigin& place, const HostDeviceSync& sync,
                     const std::vector<std::uint64_t>& write_ticks, Writer& out);
void write_sync_shift(std::uint32_t device, const DeviceShift& shift, Writer& out);

}  // namespace ttscope::perf
