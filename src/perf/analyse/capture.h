#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/whole_text.h"
#include "perf/analyse/executions/capture_rows.h"
#include "perf/analyse/executions/device_data.h"
#include "perf/analyse/zones/capture_zones.h"
#include "perf/model/capture_files.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// One capture, read and brought into rows.
struct Capture {
  CaptureFiles files;
  std::string host_name;           ///< where there are several captures, else empty
  std::int64_t device_offset = 0;  ///< added to its device ids, which then are those of all hosts
  HostCapture host;
  std::optional<DeviceProfile> log;
  io::WholeText log_text;
  DeviceClocks clocks;
  DeviceClockLines sync;  ///< clocks that were synchronised with the host's
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

/// The parts of the report that captures make together, which must outlive them.
std::vector<CaptureRows> rows_of(const std::vector<Capture>& captures);
/// The columns of that report.
ReportForm form_of(const std::vector<Capture>& captures, const Rules& rules);
/// Whether captures make a report: a table without a row is none, where the log has zones instead.
bool has_report(const std::vector<Capture>& captures, const Rules& rules);

}  // namespace ttscope::perf
