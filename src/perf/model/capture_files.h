#pragma once

#include <string>
#include <vector>

namespace ttscope::perf {

/// A file beside those of the profiler: the chips were simulated.
inline constexpr const char* kSimulatedChips = "simulated_chips.txt";

/// The files of one capture; empty where there is none.
struct CaptureFiles {
  std::string name;  ///< the folder or file as typed
  std::string device_log;
  std::string cpp_report;
  std::string host_times;
  std::string host_messages;
  std::string host_capture;  ///< a capture of Tracy or a folder of recordings, from which the host's two
                             ///< files are made
  std::string sync_info;
  std::string simulated;  ///< kSimulatedChips: who made the chips of this run
  std::string zone_locations;
  std::vector<std::string> noc_traces;
  std::string npe_results;  ///< npe_viz/manifest.json beside .logs

  bool has_device() const { return !device_log.empty() || !cpp_report.empty(); }
  bool has_host() const { return !host_times.empty() || !host_messages.empty(); }
  /// The capture counts where the files that are made of it are not there.
  bool reads_host_capture() const { return !has_host() && !host_capture.empty(); }
  /// NoC traces and nothing else.
  bool is_noc_alone() const { return !noc_traces.empty() && !has_device() && !has_host(); }
  bool has_any() const { return has_device() || has_host() || !noc_traces.empty(); }
  /// Every file that is read.
  std::vector<std::string> all() const;
};

}  // namespace ttscope::perf
