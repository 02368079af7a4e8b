#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "perf/analyze/profile.h"
#include "perf/formats.h"

namespace ttscope::perf {

/// Where reports go and what they are called.
struct OutputTarget {
  std::string folder;        ///< empty: generated/profiler/reports/[NAME/]DATE
  std::string name;          ///< put behind the file's name
  bool dates_files = false;  ///< the date as well
  std::string date;          ///< of the run that writes: `2026_01_31_12_00_00`
};

/// A folder of reports, and the end of the names of its files: `_NAME_DATE`.
struct OutputFolder {
  std::string folder;
  std::string suffix;

  /// A path that no file has: `ops_perf_results_NAME.csv`, else `ops_perf_results_NAME_2.csv` and so on.
  std::string new_path(const std::string& base, const std::string& extension) const;
};

/// Makes the folder if it is not there.
Result<OutputFolder> make_output_folder(const OutputTarget& place);

/// What is written beside the report of captures.
struct WriteOptions {
  bool compat = false;  ///< as the reference tools do
  bool per_core_times = false;
  bool device_analysis = false;
};

/// Writes the report of captures, where they make one, and the files beside it; their paths.
Result<std::vector<std::string>> write_files(const std::vector<Capture>& captures,
                                             const WriteOptions& options, const OutputTarget& place);
/// Writes finished reports, unpacked, under the name that one has; their paths.
Result<std::vector<std::string>> copy_reports(FoundFiles& files, const OutputTarget& place);

}  // namespace ttscope::perf
