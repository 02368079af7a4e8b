#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/perf_capture.h"

namespace ttscope::cli {

/// Where reports go and what they are called.
struct PerfPlace {
  std::string folder;  ///< empty: generated/profiler/reports/[NAME/]DATE
  std::string name;    ///< put behind the file's name
  bool date = false;   ///< the date as well
};

/// The folder, made if it is not there, and the end of the names of its files: `_NAME_DATE`.
struct PerfFolder {
  std::string folder;
  std::string suffix;

  /// A path that no file has: `ops_perf_results_NAME.csv`, else `ops_perf_results_NAME_2.csv` and so on.
  std::string new_path(const std::string& base, const std::string& extension) const;
};
Result<PerfFolder> make_perf_folder(const PerfPlace& place);

/// The ops report of captures, with a column HOST when there are several.
std::string ops_report_text(const std::vector<PerfCapture>& captures, bool compat);
/// What captures or reports are called when there are several: the names of their folders, made distinct; of
/// files that are all in one folder their own names.
std::vector<std::string> host_names(const std::vector<std::string>& paths);
std::vector<std::string> host_names(const std::vector<PerfCapture>& captures);

}  // namespace ttscope::cli
