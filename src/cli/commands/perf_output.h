#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "cli/outputs.h"
#include "perf/analyze/op_groups.h"
#include "perf/analyze/profile.h"
#include "perf/load.h"
#include "perf/write/terminal.h"

namespace ttscope::cli {

/// What the options of `ttscope perf` ask to be read of a report, and written about it.
struct PerfOutputRequest {
  perf::ShownOptions ops;
  perf::PerfReportOptions report;
  Outputs outputs;
  std::string csv;
  std::string stack;  ///< how the files of the stacked report begin; empty: as the CSV
  std::optional<int> top;
  std::string sort;  ///< empty: the usual order
  std::optional<perf::StackBy> group_by;
  bool groups_by_op = false;
  bool compat = false;  ///< what tt-perf-report makes of it
  bool table_wanted = false;
  bool strict = false;
  GivenOptions given;

  bool has(std::string_view key) const { return given.find(key) != given.end(); }
  bool writes_files() const {
    return !csv.empty() || !outputs.json.empty() || !outputs.llm.empty() || !outputs.html.empty();
  }
};

/// The options of the reading part of `ttscope perf`.
std::vector<OptionSpec> perf_output_options(PerfOutputRequest& request);
/// Whether what they ask for goes together; complains otherwise. What follows from several of them is
/// settled.
bool settle_perf_reading(PerfOutputRequest& request);
/// Whether any of them asks for a reading.
bool wants_perf_output(const PerfOutputRequest& request);

/// Every file that these options can write.
std::vector<std::string> perf_output_paths(const PerfOutputRequest& request);

/// Writes all of it; the table goes to standard output unless something else does.
Result<void> write_perf_outputs(const perf::Profile& profile, PerfOutputRequest& request);

/// The exit code where a profile shows nothing; where the host alone was recorded, it is said which command
/// reads that.
int no_ops_found(const perf::Profile& profile);

/// Columns for tables: what the shell says, what the terminal has, or a usual width where there is none.
std::size_t perf_table_width();
/// Colors and width.
perf::PerfTableOptions perf_table_form(const Outputs& outputs);
/// Finds out what the rows of a profile mean, and writes table, CSV, JSON, markdown and page of it; the exit
/// code.
int run_perf_analysis(PerfOutputRequest& request, const perf::CaptureOptions& capture,
                      perf::Profile& profile);

}  // namespace ttscope::cli
