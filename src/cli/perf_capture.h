#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ops_report/device_data.h"
#include "analysis/ops_report/ops_report.h"
#include "analysis/perf_counters/perf_counters.h"
#include "base/result.h"
#include "cli/perf_files.h"
#include "model/noc_summary.h"
#include "output/ops_csv/extra_columns.h"
#include "output/ops_csv/ops_csv.h"

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
  unsigned threads = 1;
};

/// One capture, read and brought into rows.
struct PerfCapture {
  PerfFiles files;
  HostCapture host;
  std::optional<DeviceProfile> log;
  input::WholeText log_text;
  analysis::DeviceClocks clocks;
  analysis::OpsReport report;
  analysis::CounterFigures counter_figures;
  std::vector<Execution> measured;  ///< the log's executions with their figures
  std::vector<NocSummary> noc;
  output::ExtraColumns counters;
  output::ExtraColumns network;
  bool device_only = false;
  bool quasar = false;
  PerfProblems problems;  ///< of all its files
};

/// Reads what files there are. Only files that cannot be opened or are none of the profiler's are errors.
Result<PerfCapture> read_perf_capture(const PerfFiles& files, const PerfCaptureOptions& options,
                                      PerfTexts& texts);

}  // namespace ttscope::cli
