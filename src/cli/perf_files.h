#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/perf_texts.h"

namespace ttscope::cli {

/// The files of one capture; empty where there is none.
struct PerfFiles {
  std::string name;  ///< the folder or file as typed
  std::string device_log;
  std::string cpp_report;
  std::string host_times;
  std::string host_messages;
  std::string sync_info;
  std::string zone_locations;
  std::vector<std::string> noc_traces;
  std::string npe_results;  ///< npe_viz/manifest.json beside .logs

  bool has_any() const {
    return !device_log.empty() || !cpp_report.empty() || !host_times.empty() || !host_messages.empty();
  }
};

/// What was asked for: captures to make reports of, or finished reports.
struct PerfInputs {
  std::vector<PerfFiles> captures;
  std::vector<std::string> reports;
  PerfTexts texts;  ///< of the files that were looked into
};

/// Sorts folders and files (`-`: standard input), plain or compressed. A folder is a capture (its files, or
/// those of `.logs` in it); files of one folder belong to one capture. Where there are none, the folder's
/// finished report is read. A folder without any known file is an error that says what is looked for.
Result<PerfInputs> find_perf_inputs(const std::vector<std::string>& paths);

}  // namespace ttscope::cli
