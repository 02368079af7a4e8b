#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/ids.h"
#include "perf/analyze/executions.h"
#include "perf/analyze/perf_counters.h"
#include "perf/model/capture_files.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// What a row of a report is about.
enum class ReportRowKind : std::uint8_t {
  kOp,           ///< an op of the host, with its execution if there is one
  kReplay,       ///< an execution of an op in a trace replay
  kSignpost,     ///< a mark of the user
  kDeviceOnly,   ///< an execution without host data
  kTraceReplay,  ///< one whole replay of a trace on a device
};

struct ReportRow {
  ReportRowKind kind = ReportRowKind::kOp;
  std::uint32_t host = kNone;       ///< into HostCapture::ops or ::signposts
  std::uint32_t execution = kNone;  ///< into ReportRows::executions
  std::int64_t time_ns = 0;         ///< host time that the rows are ordered by
  std::int64_t trace = -1;
  std::int64_t session = -1;
  std::int64_t latency_ns = kNoFigure;
  std::int64_t latency_dm_ns = kNoFigure;
};

/// The rows of an ops report, in order.
struct ReportRows {
  std::vector<ReportRow> rows;
  std::vector<Execution> executions;
  std::uint64_t host_ops = 0;
  std::uint64_t ops_with_device_data = 0;
  double unmatched_device_ns = 0;  ///< kernel time of executions that the host does not know
  PerfProblems problems;
};

struct ReportRowsOptions {
  bool cpp_rows = false;     ///< `executions` are the runtime's own rows
  bool device_only = false;  ///< without the host's ops
  bool quasar = false;
  DeviceClocks clocks;                           ///< of each device
  const DeviceClockLines* host_clock = nullptr;  ///< of all devices: signposts lie between their rows by it
};

/// Whether a host without ops marked something that its devices' clocks give a place: those of all that ran
/// were synchronized with it.
bool can_place_signposts(const HostCapture& host, const std::vector<Execution>& executions,
                         const DeviceClockLines& host_clock);

/// Brings host ops and executions together, by key. Nothing that is missing stops it.
ReportRows build_report_rows(const HostCapture& host, std::vector<Execution> executions,
                             const ReportRowsOptions& options);

// Steps of which perf/compat makes other rows.

/// Where a latency comes from: cycles of a kernel, or what the runtime gave.
struct LatencyFigures {
  Figure start, end, given;
  std::int64_t ReportRow::*latency;
};

inline constexpr LatencyFigures kKernelLatency = {Figure::kKernelStartCycle, Figure::kKernelEndCycle,
                                                  Figure::kLatencyNs, &ReportRow::latency_ns};
inline constexpr LatencyFigures kDmLatency = {Figure::kDmStartCycle, Figure::kDmEndCycle,
                                              Figure::kLatencyDmNs, &ReportRow::latency_dm_ns};

/// On Quasar kernels of one kind follow each other: from the end of the last of that kind, in report order;
/// what is not known is nothing, or what the cycles say.
void add_quasar_latencies(ReportRows& report, const DeviceClocks& clocks, bool writes_unknown);

/// Ops of the host with their executions.
struct MatchedRows {
  std::vector<ReportRow> ops;      ///< of HostCapture::ops, in their order
  std::vector<ReportRow> replays;  ///< devices in order of appearance, their ops by id
  std::vector<bool> used;          ///< by execution: some row has it
};

/// `apart`: executions that are of no op.
MatchedRows match_ops(const HostCapture& host, ReportRows& report, const ReportRowsOptions& options,
                      const std::vector<bool>& apart);
/// Puts the rows and the signposts into the order of time, and counts what the host does not know.
void take_rows(const HostCapture& host, MatchedRows matched, ReportRows& report);
/// Every execution a row, device by device in order of time.
void list_executions(ReportRows& report);

/// The names of analyses of the device log that columns of an ops report come from: `device_kernel_duration`.
const std::vector<std::string>& report_analyses();

/// Empties the columns of all other analyses in rows that were measured by a device log. Numbers of cores,
/// devices and ops stay. Names that are not analyses have no effect.
void keep_analyses(const std::vector<std::string>& names, ReportRows& report);

/// Columns that other files give, by execution: hardware counters, NoC figures. A value that is not there is
/// an empty text.
struct ExtraColumns {
  std::vector<std::string> names;
  /// Texts of an execution (index into ReportRows::executions), as many as names.
  std::map<std::uint32_t, std::vector<std::string>> cells;

  bool empty() const { return names.empty(); }
  /// The text of an execution in the column of that name; null where there is none.
  const std::string* find(std::uint32_t execution, std::string_view name) const;
};

/// The counter metrics as cells of the report's executions, which are found by their keys.
ExtraColumns counter_columns(const CounterFigures& figures, const DeviceProfile& log,
                             const ReportRows& report);

/// The columns that a report gets from NoC traces: transfers and bytes as recorded, and the utilisations that
/// tt-npe simulated.
ExtraColumns noc_columns(const std::vector<NocSummary>& summaries, const std::vector<NpeResult>& results,
                         const ReportRows& report);

/// The part of a report that one capture makes: several when hosts are put together.
struct CaptureRows {
  const ReportRows* report = nullptr;
  const HostCapture* host = nullptr;
  const ExtraColumns* counters = nullptr;
  const ExtraColumns* network = nullptr;
  std::string host_name;                         ///< in the column HOST; empty: no such column
  std::int64_t device_offset = 0;                ///< added to device ids, which then are those of all hosts
  const std::vector<NocSummary>* noc = nullptr;  ///< of its NoC traces
  std::string source{};                          ///< where it was read from
};

/// Which columns a report has.
struct ColumnOptions {
  bool device_only = false;  ///< the columns of a report without host data
  bool quasar = false;
};

}  // namespace ttscope::perf
