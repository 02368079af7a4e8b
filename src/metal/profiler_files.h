#pragma once

#include <set>
#include <string>
#include <vector>

#include "chip/build/compiler.h"
#include "perf/analyse/programs/program_times.h"
#include "perf/analyse/sync/clock_sync.h"
#include "perf/model/read_out.h"

namespace ttscope::metal {

/// The profiler's files of one folder, as tt-metal's runtime keeps them: logs of earlier processes are
/// removed when the first device of this one writes, unless they are of the same traced run, then everything
/// is added at their ends. Errors are thrown.
class ProfilerFiles {
 public:
  /// The one of this process for the folder, which is made if it is not there.
  static ProfilerFiles& of(const std::string& folder);

  /// profile_log_device.csv
  void add_markers(const perf::ReadOut& read);
  /// zone_src_locations.log, which is kept between runs, and new_zone_src_locations.log
  void add_zones(const std::vector<chip::ZoneName>& zones);
  /// cpp_device_perf_report.csv
  void add_programs(const perf::ReadOut& read, const std::vector<perf::ProgramTimes>& programs,
                    perf::ProgramTimes& previous);
  /// Times are those of the root's clock.
  static void write_noc_traces(const perf::ReadOut& read, chip::Arch arch, const perf::DeviceShift& to_root,
                               const std::string& folder);
  /// A row of sync_device_info.csv, or several.
  void add_sync(const std::string& rows);

 private:
  explicit ProfilerFiles(std::string folder);
  std::string path(const char* name) const { return folder_ + "/" + name; }
  void remove_earlier();
  /// Adds to a file; `header` where it begins.
  void append(const char* name, const std::string& header, const std::string& text);

  std::string folder_;
  std::set<std::string> zones_;  ///< in zone_src_locations.log
  std::set<std::string> new_zones_;
};

}  // namespace ttscope::metal
