#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/none.h"
#include "perf/analyse/executions/device_data.h"
#include "perf/model/device_profile.h"
#include "perf/model/device_sync.h"
#include "perf/model/host_ops.h"
#include "perf/model/rules.h"

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
  const Rules* rules = &own_rules();
  bool cpp_rows = false;     ///< `executions` are the runtime's own rows
  bool device_only = false;  ///< without the host's ops
  bool quasar = false;
  double clock_mhz = 0;                          ///< for latencies in the order of rows from a device log
  DeviceClocks clocks;                           ///< of each device
  const DeviceClockLines* host_clock = nullptr;  ///< of all devices: signposts lie between their rows by it
};

/// Whether a host without ops marked something that its devices' clocks give a place: those of all that ran
/// were synchronised with it.
bool has_places_for_signposts(const HostCapture& host, const std::vector<Execution>& executions,
                              const DeviceClockLines& host_clock);

/// Brings host ops and executions together, by key. Nothing that is missing stops it.
ReportRows build_report_rows(const HostCapture& host, std::vector<Execution> executions,
                             const ReportRowsOptions& options);

}  // namespace ttscope::perf
