#include "perf/analyse/executions/latency.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ttscope::perf {
namespace {

constexpr double kNsPerMhzCycle = 1000;

struct Pair {
  Figure start, end, given;
  std::int64_t ReportRow::*latency;
};
constexpr Pair kKernel = {Figure::kKernelStartCycle, Figure::kKernelEndCycle, Figure::kLatencyNs,
                          &ReportRow::latency_ns};
constexpr Pair kDm = {Figure::kDmStartCycle, Figure::kDmEndCycle, Figure::kLatencyDmNs,
                      &ReportRow::latency_dm_ns};

/// What the reference knows of a device while it goes through the rows.
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
void add_runtime_latency(const Figures& figures, const Pair& pair, DeviceState& state, ReportRow& row) {
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
void add_log_latency(const Figures& figures, const Pair& pair, DeviceState& state, ReportRow& row) {
  if (!figures.has(pair.start) || !figures.has(pair.end) || state.clock_mhz <= 0) return;
  const auto last = state.last_end.find(pair.end);
  row.*pair.latency = 0;
  if (last != state.last_end.end()) {
    const double cycles = static_cast<double>(figures[pair.start] - last->second);
    row.*pair.latency = static_cast<std::int64_t>(std::nearbyint(cycles * kNsPerMhzCycle / state.clock_mhz));
  }
  state.last_end[pair.end] = figures[pair.end];
}

void add_reference_latencies(ReportRows& report, const ReportRowsOptions& options) {
  std::map<std::uint32_t, DeviceState> devices;
  for (ReportRow& row : report.rows) {
    if (row.execution == kNone) continue;
    const Execution& execution = report.executions[row.execution];
    DeviceState& state = devices[execution.key.device];
    if (!options.cpp_rows) {
      state.clock_mhz = options.clock_mhz;
      add_log_latency(execution.figures, kKernel, state, row);
      add_log_latency(execution.figures, kDm, state, row);
      continue;
    }
    if (state.ns_per_cycle == 0) state.ns_per_cycle = ns_per_cycle_of(execution.figures);
    add_runtime_latency(execution.figures, kKernel, state, row);
    add_runtime_latency(execution.figures, kDm, state, row);
  }
}

void add_device_latencies(ReportRows& report, std::vector<ReportRow*>& rows, double clock_mhz,
                          const Pair& pair) {
  const auto start_of = [&](const ReportRow* row) {
    return report.executions[row->execution].figures[pair.start];
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const ReportRow* a, const ReportRow* b) { return start_of(a) < start_of(b); });
  std::int64_t last_end = kNoFigure;
  for (ReportRow* row : rows) {
    const Figures& figures = report.executions[row->execution].figures;
    if (!figures.has(pair.start) || !figures.has(pair.end)) continue;
    const std::int64_t gap = last_end == kNoFigure ? -1 : figures[pair.start] - last_end;
    if (gap >= 0) {
      row->*pair.latency = to_ns(gap, clock_mhz);
    }
    last_end = std::max(last_end, figures[pair.end]);
  }
}

void add_true_latencies(ReportRows& report, const ReportRowsOptions& options) {
  std::map<std::uint32_t, std::vector<ReportRow*>> devices;
  for (ReportRow& row : report.rows) {
    if (row.execution == kNone || row.kind == ReportRowKind::kTraceReplay) continue;
    devices[report.executions[row.execution].key.device].push_back(&row);
  }
  for (auto& [device, rows] : devices) {
    const double clock_mhz = clock_of(options.clocks, device);
    if (clock_mhz <= 0) continue;
    add_device_latencies(report, rows, clock_mhz, kKernel);
    add_device_latencies(report, rows, clock_mhz, kDm);
  }
}

/// On Quasar kernels of one kind follow each other: from the end of the last of that kind, in report order;
/// what is not known is nothing, or 0.
void add_quasar_latencies(ReportRows& report, const ReportRowsOptions& options) {
  struct Kind {
    Figure start, end, latency;
  };
  constexpr Kind kKinds[] = {
      {Figure::kQuasarDmStartCycle, Figure::kQuasarDmEndCycle, Figure::kQuasarDmLatencyNs},
      {Figure::kQuasarTriscStartCycle, Figure::kQuasarTriscEndCycle, Figure::kQuasarTriscLatencyNs}};
  std::map<std::pair<std::uint32_t, Figure>, std::int64_t> ends;
  for (const ReportRow& row : report.rows) {
    if (row.execution == kNone) continue;
    Execution& execution = report.executions[row.execution];
    const double clock_mhz = clock_of(options.clocks, execution.key.device);
    for (const Kind& kind : kKinds) {
      if (!execution.figures.has(kind.start) || !execution.figures.has(kind.end) || clock_mhz <= 0) continue;
      const auto last = ends.find({execution.key.device, kind.end});
      const std::int64_t gap = last == ends.end() ? 0 : execution.figures[kind.start] - last->second;
      const bool known = last != ends.end() && gap >= 0;
      if (known || !options.rules->leaves_unknown_latency_empty) {
        execution.figures[kind.latency] = to_ns(gap, clock_mhz);
      }
      ends[{execution.key.device, kind.end}] = execution.figures[kind.end];
    }
  }
}

}  // namespace

void add_latencies(ReportRows& report, const ReportRowsOptions& options) {
  add_quasar_latencies(report, options);
  if (options.rules->follows_device_for_latency) {
    add_true_latencies(report, options);
  } else {
    add_reference_latencies(report, options);
  }
}

}  // namespace ttscope::perf
