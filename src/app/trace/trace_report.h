#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "launch/trace_folders.h"

namespace ttscope::app {

/// What is made of the logs of a traced run.
struct TraceReportRequest {
  launch::TraceFolders folders;
  std::string name;  ///< -n: a folder below reports, and behind the names of files; may be empty
  std::vector<std::string> child_functions;  ///< zones that are summed for each op, beside the usual ones
  bool renews_times = false;                 ///< tracy_ops_times.csv is made again: for other child functions
  bool renews_recorded = false;              ///< what was made of our recording before is made again
  bool from_device_log = false;              ///< the runtime's own measurements are left aside
  std::vector<std::string> analyses;         ///< of the device log that columns are made of; empty: all
  bool device_in_capture = true;             ///< the .tracy file has the zones of devices
  std::string noc_traces;  ///< the folder of NoC traces, where it is not that of the logs; may be empty
  std::filesystem::file_time_type begin = std::filesystem::file_time_type::min();  ///< of the run; earlier
                                                                                   ///< traces are others'
  unsigned threads = 1;
};

/// What a zone costs the program that marks it, with what lies before its first time and behind its last:
/// as measured for our recorder, and for kernels by the cycles of their marks.
inline constexpr double kPythonZoneCostNs = 1000;
inline constexpr double kHostZoneCostNs = 25;
inline constexpr double kDeviceZoneCostNs = 40;

/// What marking and recording took of the run's time (modeled: so many zones at such a cost).
struct ProfilingOverhead {
  std::size_t zones = 0;
  std::size_t python_zones = 0;  ///< of these: calls, lines and zones of Python
  double percent = 0;            ///< of the time in which there were zones
};

struct TraceReport {
  std::string folder;              ///< of this report; empty: none was wanted
  std::vector<std::string> files;  ///< that were written
  std::vector<std::string> notes;  ///< what could not be made, and why
  bool is_ops_report = false;      ///< one was made
  bool has_simulated_chips = false;
  bool has_recording = false;  ///< of the host or of devices there is something
  std::size_t ops = 0;         ///< its rows that are ops
  std::size_t signposts = 0;
  ProfilingOverhead host;
  ProfilingOverhead device;
};

/// Writes the host's files into `.logs`: the capture as .tracy, its zones and messages as csvexport prints
/// them. Those that the real tools have made stay. Nothing where nothing was recorded.
void write_host_files(const TraceReportRequest& request, TraceReport& report);

/// Writes reports/[NAME/]DATE with the ops report and copies of the run's files. An error leaves what could
/// be made.
Result<void> write_trace_report(const TraceReportRequest& request, TraceReport& report);

}  // namespace ttscope::app
