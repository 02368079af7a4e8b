#pragma once

#include <memory>
#include <string>
#include <vector>

#include "perf/analyse/capture.h"
#include "perf/analyse/executions/core_loads.h"
#include "perf/analyse/ops/op_reading.h"
#include "perf/model/ops_report.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// All that is known of a run: captures of the profiler and the report that they make, or finished reports.
struct Profile {
  std::string name;                   ///< the first input as typed: for messages and titles
  std::vector<Capture> captures;      ///< empty where finished reports were read
  bool zones_only = false;            ///< no op has a row: the captures tell of zones alone
  std::shared_ptr<const RawRun> raw;  ///< saved buffers, where they were read; then nothing else is
  OpsReport report;                   ///< the rows, and what is wrong with them
  OpReading reading;                  ///< what they mean
  std::vector<StackEntry> stack;      ///< sums of the rows, where they are wanted
  std::vector<CoreLoad> cores;        ///< of one capture with a device log
  std::vector<std::string> warnings;  ///< of inputs that could not be unpacked to their end

  /// The last part of `name`.
  std::string title() const;
  /// Of the captures where they were read.
  std::vector<const CaptureZones*> zones() const;
  /// Whether any capture or report has a row, a zone or a NoC trace: else nothing was found.
  bool has_content() const;
  /// Whether the reading shows any of it: its window may leave out every row.
  bool shows_content() const;
  /// Whether data are missing or damaged, in the captures or in the report.
  bool has_harmful_capture_problems() const;
  bool has_report_problems() const { return report.problems.any(); }
};

/// The summaries of all NoC traces that were read, most bytes first.
std::vector<const NocSummary*> noc_traces_of(const Profile& profile);

}  // namespace ttscope::perf
