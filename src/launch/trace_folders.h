#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "base/file_names.h"
#include "base/files.h"
#include "base/result.h"

namespace ttscope::launch {

// Of the files among the logs that tt-metal's own runner makes.
using profiler_names::kHostCapture;
using profiler_names::kOpMessages;
using profiler_names::kOpTimes;

/// What the program printed.
inline constexpr const char* kOutputLog = "program_output.log";
/// What Tracy's capture tool printed.
inline constexpr const char* kCaptureOutputLog = "capture_output.log";

/// Where a traced run writes.
struct TraceFolders {
  std::string base;       ///< what was given; `artifacts` is this, or below it
  std::string artifacts;  ///< `generated/profiler`, or that of a rank below it
  std::string logs;       ///< `.logs` in it: raw files of this run
  std::string recording;  ///< in `.logs`: what our recorder writes
  std::string reports;    ///< `reports` in it
  std::string date;       ///< of the run: 2026_01_31_12_00_00
};

/// Of the runs that write into one folder there is one at a time: a second one would move the logs of the
/// first away, and both would report half of each. The system takes the lock back from a run that was killed.
class RunLock {
 public:
  RunLock() = default;
  /// The folder is made. An error where another run has it, it cannot be made, or one of those that the run
  /// writes is a link that somebody else may have made.
  static Result<RunLock> take(const TraceFolders& folders);

 private:
  FileDescriptor folder_;
};

/// The number of this process among those that mpirun, tt-run or srun started; empty: it is alone.
std::string rank_of(const std::vector<std::string>& environment);

/// `given` (-o), else TT_METAL_PROFILER_DIR, else generated/profiler below TT_METAL_HOME; ranks have folders
/// `rankN` in it.
TraceFolders trace_folders(const std::string& given, const std::vector<std::string>& environment,
                           std::time_t now);

/// The variable of the folder of NoC traces.
inline constexpr const char* kNocTraceFolder = "TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH";

/// Where they go: as it says, from the current folder on, else to the logs.
std::string noc_trace_folder(const std::vector<std::string>& environment, const TraceFolders& folders);

/// Makes an empty `.logs`. What lies in it from an earlier run is moved to earlier_logs/DATE; the new place,
/// empty if there was nothing.
Result<std::string> begin_logs(const TraceFolders& folders);

/// `2026_01_31_12_00_00` in local time.
std::string trace_date(std::time_t time);

}  // namespace ttscope::launch
