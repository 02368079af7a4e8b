#pragma once

#include <vector>

#include "base/writer.h"
#include "perf/analyze/profile.h"

// What tt-metal's process_ops_logs makes of the files of a capture, byte for byte and with its errors.

namespace ttscope::perf::compat {

/// The rows of a capture whose files were read. `cpp_rows`: those of the runtime's own report, which counts
/// alone where it is there.
void make_rows(std::vector<Execution> cpp_rows, bool device_only, Capture& capture);

/// Brings host ops and executions together. A whole trace replay is taken for the op that it begins with.
ReportRows build_report_rows(const HostCapture& host, std::vector<Execution> executions,
                             const ReportRowsOptions& options, double clock_mhz);

/// The metrics of hardware counters by the program for such reports.
CounterFigures compute_counter_metrics(const DeviceProfile& log, const std::vector<Execution>& measured,
                                       bool device_only);
/// A metric without a value is `nan`.
ExtraColumns counter_columns(const CounterFigures& figures, const DeviceProfile& log,
                             const ReportRows& report);

/// Writes ops_perf_results.csv.
void write_ops_csv(const std::vector<CaptureRows>& parts, const ColumnOptions& form, Writer& out);

/// per_core_op_to_op_times.csv: cycles less 1500 under the heading [ns]. Its order of columns is random, ours
/// is by core.
void write_core_gaps(const DeviceProfile& log, Writer& out);

}  // namespace ttscope::perf::compat
