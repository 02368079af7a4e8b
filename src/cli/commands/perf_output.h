#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "perf/analyze/profile.h"
#include "perf/load.h"
#include "perf/write/terminal.h"

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

/// The exit code where a profile shows nothing; where the host alone was recorded, it is said which command
/// reads that.
int no_ops_found(const perf::Profile& profile);

/// The options of the reading part of `ttscope perf`.
std::vector<OptionSpec> perf_reading_options();
/// Whether any of them asks for a reading.
bool wants_perf_reading(const ParsedArgs& args);
/// Whether the terminal gets colors.
bool perf_color(const ParsedArgs& args);
/// Columns for tables: what the shell says, what the terminal has, or a usual width where there is none.
std::size_t perf_table_width();
/// Colors and width.
perf::PerfTableOptions perf_table_form(const ParsedArgs& args);
/// What they ask for; false and a complaint where a value is none.
bool read_perf_reading(const ParsedArgs& args, PerfReadingRequest& request);
/// Finds out what the rows of a profile mean, and writes table, CSV, JSON, markdown and page of it; the exit
/// code.
int run_perf_reading(const ParsedArgs& args, const PerfReadingRequest& request,
                     const perf::CaptureOptions& capture, perf::Profile& profile);

}  // namespace ttscope::cli
