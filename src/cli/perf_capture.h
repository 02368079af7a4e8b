#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/perf_files.h"
#include "perf/analyse/executions/device_data.h"
#include "perf/analyse/executions/perf_counters.h"
#include "perf/analyse/executions/report_rows.h"
#include "perf/model/noc_summary.h"
#include "perf/write/ops_csv/extra_columns.h"
#include "perf/write/ops_csv/ops_csv.h"
#include "perf/write/zones/zone_report.h"

namespace ttscope::cli {

/// How the reports of captures are made.
struct PerfCaptureOptions {
  bool compat = false;
  bool device_only = false;
  bool from_device_log = false;  ///< leave the runtime's own report aside
  bool noc_traces = false;
  bool counter_tables = false;
  bool per_core_times = false;
  bool device_analysis = false;
  bool zones = false;
  bool color = false;  ///< of what is printed
  unsigned threads = 1;
};

/// What is said of a capture none of whose rows belongs to an op.
inline constexpr std::string_view kNoOpIds =
    "no op has firmware or kernel zones (accumulate mode and dispatch cores have no op ids), so there is no "
    "ops "
    "report of the device";

/// One capture, read and brought into rows.
struct PerfCapture {
  PerfFiles files;
  perf::HostCapture host;
  std::optional<perf::DeviceProfile> log;
  io::WholeText log_text;
  perf::DeviceClocks clocks;
  perf::ReportRows report;
  perf::CounterFigures counter_figures;
  std::vector<perf::Execution> measured;  ///< the log's executions with their figures
  std::vector<perf::NocSummary> noc;
  perf::ExtraColumns counters;
  perf::ExtraColumns network;
  std::optional<perf::ZoneReport> zones;  ///< where asked for, or all that the log tells
  bool device_only = false;
  bool quasar = false;
  perf::PerfProblems problems;  ///< of all its files

  /// Whether no row of the log belongs to an op: accumulate mode, or dispatch cores alone.
  bool lacks_op_ids() const { return log && log->rows > 0 && log->executions.empty(); }
};

/// Reads what files there are. Only files that cannot be opened or are none of the profiler's are errors.
Result<PerfCapture> read_perf_capture(const PerfFiles& files, const PerfCaptureOptions& options,
                                      PerfTexts& texts);

}  // namespace ttscope::cli
