#pragma once

#include <array>
#include <string_view>

/// How tt-metal's device profiler and its runner call the files of a run: read, written, copied and looked
/// for by these names.

namespace ttscope {

/// What packing appends to the name of a file.
inline constexpr std::array<std::string_view, 4> kPackedEnds = {".gz", ".zst", ".xz", ".bz2"};

/// The name of a file without what packing appended to it: `run.log.gz` gives `run.log`.
constexpr std::string_view unpacked_name(std::string_view name) {
  for (const std::string_view end : kPackedEnds) {
    if (name.size() > end.size() && name.ends_with(end)) return name.substr(0, name.size() - end.size());
  }
  return name;
}

}  // namespace ttscope

namespace ttscope::profiler_names {

inline constexpr const char* kDeviceLog = "profile_log_device.csv";
inline constexpr const char* kProgramReport = "cpp_device_perf_report.csv";  ///< the runtime's own
inline constexpr const char* kSyncInfo = "sync_device_info.csv";
inline constexpr const char* kZones = "zone_src_locations.log";  ///< kept between runs
inline constexpr const char* kNewZones = "new_zone_src_locations.log";
inline constexpr const char* kHostCapture = "tracy_profile_log_host.tracy";
inline constexpr const char* kOpTimes = "tracy_ops_times.csv";
inline constexpr const char* kOpMessages = "tracy_ops_data.csv";
/// A folder beside them, with what our recorder writes.
inline constexpr const char* kRecording = "recording";

}  // namespace ttscope::profiler_names
