#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/open_input.h"
#include "perf/analyze/advice.h"
#include "perf/analyze/executions.h"
#include "perf/analyze/op_groups.h"
#include "perf/analyze/repeats.h"
#include "perf/analyze/report_rows.h"
#include "perf/analyze/zones.h"
#include "perf/model/capture_files.h"
#include "perf/model/ops_report.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// Everything that is said about an ops report.
struct OpAnalysis {
  ShownOps ops;
  Iterations iterations;
  OpBounds bounds;
  OpGaps gaps;
  OpSkew skew;
  std::vector<OpAdvice> advice;
  MovementBudget movement;
  std::vector<StackEntry> categories;  ///< by OpCategory; their device time adds up to the table's
};

/// What the shown ops mean.
OpAnalysis interpret_ops(const OpsReport& table, ShownOps ops);
Result<OpAnalysis> analyze_ops(const OpsReport& table, const ShownOptions& options);

/// One capture, read and brought into rows.
struct Capture {
  CaptureFiles files;
  std::string host_name;           ///< where there are several captures, else empty
  std::int64_t device_offset = 0;  ///< added to its device ids, which then are those of all hosts
  HostCapture host;
  std::optional<DeviceProfile> log;
  io::WholeText log_text;
  DeviceClocks clocks;
  DeviceClockLines sync;  ///< clocks that were synchronized with the host's
  ReportRows report;
  CounterFigures counter_figures;
  std::vector<Execution> measured;  ///< the log's executions with their figures
  std::vector<NocSummary> noc;
  ExtraColumns counters;
  ExtraColumns network;
  std::optional<CaptureZones> zones;  ///< where asked for, or all that the log tells
  bool device_only = false;
  PerfProblems problems;  ///< of all its files

  /// Whether no row of the log belongs to an op: accumulate mode, or dispatch cores alone.
  bool lacks_op_ids() const { return log && log->rows > 0 && log->executions.empty(); }
  /// One more than the largest device id.
  std::int64_t devices() const;
};

/// The rows of a capture whose files were read. `cpp_rows`: those of the runtime's own report.
void make_rows(std::vector<Execution> cpp_rows, bool device_only, Capture& capture);

/// The parts of the report that captures make together, which must outlive them.
std::vector<CaptureRows> rows_of(const std::vector<Capture>& captures);
/// The columns of that report.
ColumnOptions form_of(const std::vector<Capture>& captures);
/// Whether captures make a report: a table without a row is none, where the log has zones instead.
bool has_report(const std::vector<Capture>& captures);

/// All that is known of a run: captures of the profiler and the report that they make, or finished reports.
struct Profile {
  std::string name;                   ///< the first input as typed: for messages and titles
  std::vector<Capture> captures;      ///< empty where finished reports were read
  bool zones_only = false;            ///< no op has a row: the captures tell of zones alone
  std::shared_ptr<const RawRun> raw;  ///< saved buffers, where they were read; then nothing else is
  OpsReport report;                   ///< the rows, and what is wrong with them
  OpAnalysis analysis;                ///< what they mean
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
