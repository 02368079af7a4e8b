#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// One finished report, whatever its kind.
struct ReportSource {
  std::string name;       ///< for messages
  std::string_view text;  ///< only read during the call
  std::string host;       ///< empty when there is one host
  unsigned threads = 1;   ///< that read, the caller's included
  /// What a thread reads at a time: so small that the parts of a turn are nothing beside the table.
  std::size_t part_bytes = std::size_t{8} << 20;
};

/// Adds the rows of a finished report (`ops_perf_results*.csv`) of any version to `table`. Device ids of a
/// second file follow those of the first, so that each file is a host of one run. Bad rows and cells are
/// counted in the table; an error means that it is no ops report at all.
Result<void> read_ops_report(const ReportSource& source, OpsReport& table);

/// A report of whole replays alone (`--device-trace-profiler`), whose writer booked each replay on one of the
/// ops that the host had sent, in their order: all take the same time on the same cores, and no RISC has a
/// time of its own. Such rows become replays, which is said in a remark. Reports of other kinds stay.
void fix_misbooked_replays(OpsReport& report);

/// The word of simulated chips that is kept beside a finished report: `simulated_chips_X.txt` beside
/// `ops_perf_results_X.csv`.
std::string simulated_marker_path(const std::string& report);
/// What stands in it: it names the report, so that it counts for no other one.
std::string simulated_marker_text(const std::string& report);
bool is_marker_of_report(const std::string& word, const std::string& report);
/// Such a word, or that of its run, where it lies beside a finished report; empty: none. The word of a run
/// counts for one report: of several in a folder others may be of boards.
std::string find_simulated_marker(const std::string& report);
/// The word of the run that a file of the profiler is of, where it lies beside; empty: none, or that of a
/// report.
std::string find_simulated_marker_of_run(const std::string& file);

}  // namespace ttscope::perf
