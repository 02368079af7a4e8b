#include "perf/compat/captures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/csv.h"
#include "base/ids.h"
#include "perf/analyze/executions.h"
#include "perf/analyze/perf_counters.h"
#include "perf/analyze/report_rows.h"
#include "perf/write/device_stats.h"
#include "perf/write/ops_csv.h"

namespace ttscope::perf::compat {
namespace {

// Latencies.

constexpr double kNsPerMhzCycle = 1000;

/// What is known of a device while the rows are gone through.
struct DeviceState {
  std::map<Figure, std::int64_t> last_end;
  double ns_per_cycle = 0;
  double clock_mhz = 0;
};

double ns_per_cycle_of(const Figures& figures) {
  if (!figures.has(Figure::kFwStartCycle) || !figures.has(Figure::kFwEndCycle) ||
      !figures.has(Figure::kFwNs)) {
    return 0;
  }
  const std::int64_t cycles = figures[Figure::kFwEndCycle] - figures[Figure::kFwStartCycle];
  if (cycles <= 0) return 0;
  return static_cast<double>(figures[Figure::kFwNs]) / static_cast<double>(cycles);
}

/// The runtime's value, else one computed in the order of the rows, else 0.
void add_runtime_latency(const Figures& figures, const LatencyFigures& pair, DeviceState& state,
                         ReportRow& row) {
  const bool known = figures.has(pair.start) && figures.has(pair.end);
  const auto last = state.last_end.find(pair.end);
  if (figures.has(pair.given)) {
    row.*pair.latency = figures[pair.given];
  } else if (known && state.ns_per_cycle > 0 && last != state.last_end.end()) {
    const double cycles = static_cast<double>(figures[pair.start] - last->second);
    row.*pair.latency = static_cast<std::int64_t>(std::nearbyint(cycles * state.ns_per_cycle));
  } else {
    row.*pair.latency = 0;
  }
  if (figures.has(pair.end)) state.last_end[pair.end] = figures[pair.end];
}

/// From a device log: nothing where there is no kernel.
void add_log_latency(const Figures& figures, const LatencyFigures& pair, DeviceState& state, ReportRow& row) {
  if (!figures.has(pair.start) || !figures.has(pair.end) || state.clock_mhz <= 0) return;
  const auto last = state.last_end.find(pair.end);
  row.*pair.latency = 0;
  if (last != state.last_end.end()) {
    const double cycles = static_cast<double>(figures[pair.start] - last->second);
    row.*pair.latency = static_cast<std::int64_t>(std::nearbyint(cycles * kNsPerMhzCycle / state.clock_mhz));
  }
  state.last_end[pair.end] = figures[pair.end];
}

/// In the order of the rows. One clock is that of all devices.
void add_latencies(ReportRows& report, bool cpp_rows, double clock_mhz) {
  std::map<std::uint32_t, DeviceState> devices;
  for (ReportRow& row : report.rows) {
    if (row.execution == kNone) continue;
    const Execution& execution = report.executions[row.execution];
    DeviceState& state = devices[execution.key.device];
    if (!cpp_rows) {
      state.clock_mhz = clock_mhz;
      add_log_latency(execution.figures, kKernelLatency, state, row);
      add_log_latency(execution.figures, kDmLatency, state, row);
      continue;
    }
    if (state.ns_per_cycle == 0) state.ns_per_cycle = ns_per_cycle_of(execution.figures);
    add_runtime_latency(execution.figures, kKernelLatency, state, row);
    add_runtime_latency(execution.figures, kDmLatency, state, row);
  }
}

// Rows.

/// A replay without a message stands at the message of its op.
void place_late_replays(const HostCapture& host, std::vector<ReportRow>& replays) {
  for (ReportRow& row : replays) {
    const HostOp& op = host.ops[row.host];
    const auto times = host.replays.find({op.device, row.trace});
    const bool has_message = times != host.replays.end() && row.session >= 1 &&
                             static_cast<std::size_t>(row.session) <= times->second.size();
    if (!has_message) row.time_ns = op.message_ns;
  }
}

/// Replays are known by op and session alone: of two traces with the same op the later one stays.
std::vector<ReportRow> distinct_replays(const HostCapture& host, const std::vector<ReportRow>& replays) {
  std::map<std::pair<std::uint64_t, std::int64_t>, std::size_t> places;
  std::vector<ReportRow> rows;
  for (const ReportRow& row : replays) {
    const auto [place, is_new] = places.try_emplace({host.ops[row.host].id, row.session}, rows.size());
    if (is_new) {
      rows.push_back(row);
    } else {
      rows[place->second] = row;
    }
  }
  return rows;
}

/// Waits for circular buffers are added up over cores, timers that are far from each other are not looked
/// for, and beside the runtime's own report the log gives sub-devices alone.
std::vector<Execution> find_executions(std::vector<Execution> cpp_rows, Capture& capture) {
  if (!capture.log) return cpp_rows;
  PerfProblems unused;
  PerfProblems& problems = cpp_rows.empty() ? capture.problems : unused;
  capture.measured = measure_executions(*capture.log, capture.clocks, false, problems);
  add_dispatch_times(*capture.log, capture.clocks, capture.measured, problems);
  if (!cpp_rows.empty()) {
    add_sub_devices(*capture.log, cpp_rows);
    return cpp_rows;
  }
  capture.counter_figures =
      compat::compute_counter_metrics(*capture.log, capture.measured, capture.device_only);
  return join_device_files({}, capture.measured, capture.problems);
}

}  // namespace

ReportRows build_report_rows(const HostCapture& host, std::vector<Execution> executions,
                             const ReportRowsOptions& options, double clock_mhz) {
  ReportRows report;
  report.executions = std::move(executions);
  if (options.device_only) {
    list_executions(report);
    std::erase_if(report.rows, [&](const ReportRow& row) {
      return !report.executions[row.execution].figures.has(Figure::kFwStartCycle);
    });
  } else {
    MatchedRows matched = match_ops(host, report, options, std::vector<bool>(report.executions.size()));
    place_late_replays(host, matched.replays);
    matched.replays = distinct_replays(host, matched.replays);
    take_rows(host, std::move(matched), report);
  }
  add_quasar_latencies(report, options.clocks, true);
  compat::add_latencies(report, options.cpp_rows, clock_mhz);
  return report;
}

CounterFigures compute_counter_metrics(const DeviceProfile& log, const std::vector<Execution>& measured,
                                       bool device_only) {
  return perf::compute_counter_metrics(
      log, measured, device_only ? CounterVariant::kReferenceAlone : CounterVariant::kReferenceWithHost);
}

ExtraColumns counter_columns(const CounterFigures& figures, const DeviceProfile& log,
                             const ReportRows& report) {
  ExtraColumns columns = perf::counter_columns(figures, log, report);
  for (auto& [execution, cells] : columns.cells) {
    for (std::string& cell : cells) {
      if (cell.empty()) cell = "nan";
    }
  }
  return columns;
}

void make_rows(std::vector<Execution> cpp_rows, bool device_only, Capture& capture) {
  capture.device_only = device_only || capture.host.ops.empty();
  ReportRowsOptions options;
  options.cpp_rows = !cpp_rows.empty();
  options.clocks = capture.clocks;
  options.device_only = capture.device_only;
  const double clock_mhz = capture.log ? capture.log->clock_mhz : 0;
  capture.report = compat::build_report_rows(capture.host, find_executions(std::move(cpp_rows), capture),
                                             options, clock_mhz);
  if (capture.log)
    capture.counters = compat::counter_columns(capture.counter_figures, *capture.log, capture.report);
}

namespace {

// The report.

bool has_rows(const std::vector<CaptureRows>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const CaptureRows& part) { return !part.report->rows.empty(); });
}

/// Reports of the device alone tell neither devices nor cores nor traces; no report has columns of our own.
bool is_left_out(const OpsColumn& column, bool device_only) {
  switch (column.source) {
    case ReportColumn::kDeviceId:
    case ReportColumn::kDeviceArch:
    case ReportColumn::kTraceId:
    case ReportColumn::kReplaySession:
      return device_only;
    case ReportColumn::kFigure: {
      const auto figure = static_cast<Figure>(column.field);
      const bool is_count = figure == Figure::kCoreCount || figure == Figure::kAvailableCores;
      return is_count ? device_only : figure == Figure::kTraceFwNs || figure == Figure::kTraceKernelNs;
    }
    case ReportColumn::kNetwork:
      return std::find(kNetworkColumns.begin(), kNetworkColumns.end(), column.name) ==
                 kNetworkColumns.end() ||
             device_only;
    case ReportColumn::kLocation:
    case ReportColumn::kMessageDuration:
    case ReportColumn::kChild:
      return true;
    default:
      return false;
  }
}

/// Zones inside of ops, the op's own one too.
std::vector<OpsColumn> child_columns(const std::vector<CaptureRows>& parts) {
  std::set<std::string> names;
  for (const CaptureRows& part : parts) {
    for (const HostOp& op : part.host->ops) {
      for (const ChildTime& child : op.children) names.insert(part.host->child_names[child.name]);
    }
  }
  std::vector<OpsColumn> columns;
  for (const std::string& name : names)
    columns.push_back({name + std::string(kChildColumnEnd), ReportColumn::kChild, 0, 0});
  return columns;
}

/// The two cells of a signpost: the part after the last ": " of the message, its first line and its second.
std::pair<std::string_view, std::string_view> signpost_cells(std::string_view text) {
  constexpr std::string_view kMark = ": ";
  const std::size_t at = text.rfind(kMark);
  if (at != std::string_view::npos) text.remove_prefix(at + kMark.size());
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos) return {text, {}};
  const std::string_view rest = text.substr(line + 1);
  return {text.substr(0, line), rest.substr(0, rest.find('\n'))};
}

std::string figure_cell(std::int64_t figure) {
  return figure == kNoFigure ? std::string() : std::to_string(figure);
}

/// Host times are those of making the message of an op, and a cache hit is what it says.
void change_op_cell(const CaptureRows& part, const HostOp& op, const OpsColumn& column, std::string& cell) {
  switch (column.source) {
    case ReportColumn::kHostStart:
      cell = figure_cell(op.zone_start_ns);
      return;
    case ReportColumn::kHostEnd:
      cell = figure_cell(op.zone_start_ns == kNoFigure ? kNoFigure : op.zone_start_ns + op.zone_ns);
      return;
    case ReportColumn::kHostDuration:
      cell = figure_cell(op.zone_ns);
      return;
    case ReportColumn::kCacheHit:
      cell = !op.has_cache_flag ? "" : op.reported_cache_hit ? "True" : "False";
      return;
    case ReportColumn::kChild:
      if (const ChildTime* child = child_of(part, op, column.name)) cell = figure_cell(child->total_ns);
      return;
    default:
      return;
  }
}

/// The architecture of a device log is not shown, and formulas of spreadsheets stay what they are.
void append_cell(const CaptureRows& part, const RowValues& values, const OpsColumn& column, std::string& cell,
                 std::string& line) {
  if (values.op() != nullptr) change_op_cell(part, *values.op(), column, cell);
  if (values.is_signpost() && column.source == ReportColumn::kOpCode)
    cell = signpost_cells(part.host->signposts[values.row().host].text).first;
  if (values.is_signpost() && column.source == ReportColumn::kAttributes)
    cell = signpost_cells(part.host->signposts[values.row().host].text).second;
  const bool is_measured = values.execution() != nullptr && values.execution()->run_count > 0;
  if (column.source == ReportColumn::kDeviceArch && is_measured) cell.clear();
  std::replace(cell.begin(), cell.end(), ',', ';');
  append_csv_cell(line, cell);
}

}  // namespace

void write_ops_csv(const std::vector<CaptureRows>& parts, const ColumnOptions& form, Writer& out) {
  std::vector<OpsColumn> columns;
  // It writes not even a header for a device without rows.
  if (!form.device_only || has_rows(parts)) {
    columns = ops_columns(parts, form);
    std::erase_if(columns, [&](const OpsColumn& column) { return is_left_out(column, form.device_only); });
    if (!form.device_only) {
      const std::vector<OpsColumn> children = child_columns(parts);
      columns.insert(columns.end(), children.begin(), children.end());
    }
  }
  perf::write_ops_csv(parts, columns, append_csv_cell, append_cell, out);
}

void write_core_gaps(const DeviceProfile& log, Writer& out) {
  constexpr std::int64_t kSubtracted = 1500;
  perf::write_core_gaps(
      log, [](std::uint32_t, std::int64_t cycles) { return std::optional(cycles - kSubtracted); }, out);
}

}  // namespace ttscope::perf::compat
