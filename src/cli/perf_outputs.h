#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "perf/analyse/profile.h"
#include "perf/write/terminal/perf_report.h"

namespace ttscope::cli {

/// What the options of `ttscope perf` ask to be written about a report.
struct PerfReadingRequest {
  perf::ShownOptions ops;
  perf::PerfReportOptions report;
  std::string csv_path;
  std::string json_path;
  std::string markdown_path;
  std::string page_path;
  std::string summary_base;
  bool table_wanted = false;
  bool quiet = false;

  int on_stdout() const {
    return (csv_path == "-") + (json_path == "-") + (markdown_path == "-") + (page_path == "-");
  }
  bool writes_files() const {
    return !csv_path.empty() || !json_path.empty() || !markdown_path.empty() || !page_path.empty();
  }
};

/// Every file that these options can write.
std::vector<std::string> perf_output_paths(const ParsedArgs& args);

/// Writes all of it; the table goes to standard output unless something else does.
Result<void> write_perf_outputs(const perf::Profile& profile, const PerfReadingRequest& request);

}  // namespace ttscope::cli
