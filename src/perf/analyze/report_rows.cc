#include "perf/analyze/report_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/number_text.h"

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

/// Fills in the op-to-op latencies of the rows. Compat: in the order of the rows, as the reference does, with
/// 0 for what is not known. Otherwise in the order of each device's own time, from the end of the last kernel
/// that ran before; nothing for the first op of a device and for ops that overlap.
void add_latencies(ReportRows& report, const ReportRowsOptions& options) {
  add_quasar_latencies(report, options);
  if (options.rules->follows_device_for_latency) {
    add_true_latencies(report, options);
  } else {
    add_reference_latencies(report, options);
  }
}

std::string place_text(std::uint64_t op, std::int64_t device) {
  return "op " + std::to_string(op) + " on device " + std::to_string(device);
}

void add_signposts(const HostCapture& host, ReportRows& report) {
  for (std::uint32_t i = 0; i < host.signposts.size(); ++i) {
    ReportRow row;
    row.kind = ReportRowKind::kSignpost;
    row.host = i;
    row.time_ns = host.signposts[i].time_ns;
    report.rows.push_back(row);
  }
}

void order_by_time(ReportRows& report) {
  std::stable_sort(report.rows.begin(), report.rows.end(),
                   [](const ReportRow& a, const ReportRow& b) { return a.time_ns < b.time_ns; });
}

class Matcher {
 public:
  Matcher(const HostCapture& host, ReportRows& report, const ReportRowsOptions& options)
      : host_(host), report_(report), options_(options) {
    for (std::uint32_t i = 0; i < report_.executions.size(); ++i) {
      by_op_[{report_.executions[i].key.device, report_.executions[i].key.op_id}].push_back(i);
      devices_.insert(report_.executions[i].key.device);
    }
    used_.resize(report_.executions.size(), false);
  }

  void match() {
    op_rows_.resize(host_.ops.size());
    for (std::uint32_t i = 0; i < host_.ops.size(); ++i) {
      op_rows_[i].host = i;
      op_rows_[i].time_ns = time_of(host_.ops[i]);
    }
    for (const std::uint32_t op : by_device_and_id()) match_op(op);
    report_.rows = op_rows_;
    report_.rows.insert(report_.rows.end(), replays_.begin(), replays_.end());
    if (options_.rules->tells_whole_replays_apart) add_trace_replays();
    add_signposts(host_, report_);
    order_by_time(report_);
    count_unmatched();
    report_.host_ops = host_.ops.size();
  }

 private:
  /// Ops without a zone keep their place by the time of their message.
  std::int64_t time_of(const HostOp& op) {
    if (op.zone_start_ns != kNoFigure) return op.zone_start_ns;
    report_.problems.add(PerfProblem::kOpWithoutZone, "op " + std::to_string(op.id));
    return op.message_ns;
  }

  /// Devices in order of appearance, their ops by id: the order in which replays are listed.
  std::vector<std::uint32_t> by_device_and_id() const {
    std::map<std::int64_t, std::size_t> rank;
    std::vector<std::uint32_t> ops;
    for (std::uint32_t i = 0; i < host_.ops.size(); ++i) {
      if (host_.ops[i].device < 0) continue;
      rank.try_emplace(host_.ops[i].device, rank.size());
      ops.push_back(i);
    }
    std::stable_sort(ops.begin(), ops.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::size_t rank_a = rank.at(host_.ops[a].device);
      const std::size_t rank_b = rank.at(host_.ops[b].device);
      return rank_a != rank_b ? rank_a < rank_b : host_.ops[a].id < host_.ops[b].id;
    });
    return ops;
  }

  void match_op(std::uint32_t index) {
    const HostOp& op = host_.ops[index];
    const auto found = by_op_.find({op.device, op.id});
    std::vector<std::uint32_t> candidates;
    if (found != by_op_.end()) candidates = candidates_of(op, found->second);
    if (candidates.empty()) {
      report_missing(op);
      return;
    }
    ++report_.ops_with_device_data;
    for (const std::uint32_t execution : candidates) {
      used_[execution] = true;
      place_execution(index, execution);
    }
  }

  std::vector<std::uint32_t> candidates_of(const HostOp& op, const std::vector<std::uint32_t>& all) const {
    std::vector<std::uint32_t> same_trace;
    for (const std::uint32_t i : all) {
      if (options_.rules->tells_whole_replays_apart && is_whole_replay(report_.executions[i])) continue;
      if (report_.executions[i].key.trace == op.trace) same_trace.push_back(i);
    }
    if (!same_trace.empty()) return same_trace;
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t i : all) {
      if (!options_.rules->tells_whole_replays_apart || !is_whole_replay(report_.executions[i]))
        rest.push_back(i);
    }
    return rest;
  }

  static bool is_whole_replay(const Execution& execution) {
    return execution.figures.has(Figure::kTraceFwNs) || execution.figures.has(Figure::kTraceKernelNs);
  }

  void place_execution(std::uint32_t index, std::uint32_t execution) {
    const HostOp& op = host_.ops[index];
    const ExecutionKey& key = report_.executions[execution].key;
    const auto messages = host_.replays.find({op.device, op.trace});
    const bool replayed = op.trace >= 0 && !host_.replays.empty() && !options_.cpp_rows;
    std::int64_t session = key.replay;
    if (session < 0 && replayed) session = report_.executions[execution].occurrence + std::int64_t{1};
    if (session < 0 && report_.executions[execution].occurrence > 0) {
      session = report_.executions[execution].occurrence + std::int64_t{1};
    }
    if (session < 0) {
      op_rows_[index].execution = execution;
      return;
    }
    ReportRow row;
    row.kind = ReportRowKind::kReplay;
    row.host = index;
    row.execution = execution;
    row.trace = key.trace >= 0 ? key.trace : op.trace;
    row.session = session;
    row.time_ns = replay_time(op, row, messages == host_.replays.end());
    add_replay(row);
  }

  std::int64_t replay_time(const HostOp& op, const ReportRow& row, bool no_messages) {
    const auto times = host_.replays.find({op.device, row.trace});
    if (times != host_.replays.end() && row.session >= 1 &&
        static_cast<std::size_t>(row.session) <= times->second.size()) {
      return times->second[static_cast<std::size_t>(row.session) - 1];
    }
    if (!no_messages) {
      report_.problems.add(PerfProblem::kMoreReplays,
                           place_text(op.id, op.device) + ", replay " + std::to_string(row.session));
    }
    if (options_.rules->places_late_replays_last && times != host_.replays.end() && !times->second.empty())
      return times->second.back();
    return op.message_ns;
  }

  /// The reference keys replays by op and session alone: of two traces with the same op the later one stays.
  void add_replay(const ReportRow& row) {
    if (options_.rules->keeps_replays_of_each_trace) {
      replays_.push_back(row);
      return;
    }
    const auto [place, is_new] =
        replay_places_.try_emplace({host_.ops[row.host].id, row.session}, replays_.size());
    if (is_new) {
      replays_.push_back(row);
    } else {
      replays_[place->second] = row;
    }
  }

  void report_missing(const HostOp& op) {
    if (report_.executions.empty() && options_.device_only) return;
    if (devices_.count(static_cast<std::uint32_t>(op.device)) == 0) {
      if (missing_devices_.insert(op.device).second) {
        report_.problems.add(PerfProblem::kDeviceMissing, "device " + std::to_string(op.device));
      }
    }
    const bool never_replayed =
        op.trace >= 0 && host_.replays.find({op.device, op.trace}) == host_.replays.end();
    report_.problems.add(
        never_replayed ? PerfProblem::kTraceNeverReplayed : PerfProblem::kOpWithoutDeviceData,
        place_text(op.id, op.device));
  }

  /// Rows of the trace-only mode: a whole replay each, told from ops.
  void add_trace_replays() {
    std::map<std::uint32_t, std::int64_t> counts;
    for (std::uint32_t i = 0; i < report_.executions.size(); ++i) {
      if (!is_whole_replay(report_.executions[i])) continue;
      used_[i] = true;
      ReportRow row;
      row.kind = ReportRowKind::kTraceReplay;
      row.execution = i;
      row.session = ++counts[report_.executions[i].key.device];
      row.time_ns = whole_replay_time(report_.executions[i].key.device, row.session);
      report_.problems.add(PerfProblem::kTraceOnlyRows,
                           "device " + std::to_string(report_.executions[i].key.device));
      report_.rows.push_back(row);
    }
  }

  /// The nth replay message of a device, whatever trace it was.
  std::int64_t whole_replay_time(std::uint32_t device, std::int64_t session) {
    auto& times = replay_times_[device];
    if (times.empty()) {
      for (const auto& [key, list] : host_.replays) {
        if (key.first == device) times.insert(times.end(), list.begin(), list.end());
      }
      std::sort(times.begin(), times.end());
    }
    if (times.empty()) return INT64_MAX;
    return times[std::min(times.size() - 1, static_cast<std::size_t>(session) - 1)];
  }

  void count_unmatched() {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const Execution& execution = report_.executions[i];
      if (used_[i] || execution.key.op_id == 0) continue;
      report_.problems.add(PerfProblem::kDeviceOpWithoutHost,
                           place_text(execution.key.op_id, execution.key.device));
      if (execution.figures.has(Figure::kKernelNs)) {
        report_.unmatched_device_ns += static_cast<double>(execution.figures[Figure::kKernelNs]);
      }
    }
  }

  const HostCapture& host_;
  ReportRows& report_;
  const ReportRowsOptions& options_;
  std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<std::uint32_t>> by_op_;
  std::set<std::uint32_t> devices_;
  std::set<std::int64_t> missing_devices_;
  std::map<std::uint32_t, std::vector<std::int64_t>> replay_times_;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::size_t> replay_places_;
  std::vector<bool> used_;
  std::vector<ReportRow> op_rows_;
  std::vector<ReportRow> replays_;
};

/// Every execution a row, device by device in order of time.
void list_executions(ReportRows& report, const Rules& rules) {
  for (std::uint32_t i = 0; i < report.executions.size(); ++i) {
    const Execution& execution = report.executions[i];
    if (execution.key.op_id == 0) continue;
    if (!rules.lists_executions_without_firmware && !execution.figures.has(Figure::kFwStartCycle)) continue;
    ReportRow row;
    row.kind = ReportRowKind::kDeviceOnly;
    row.execution = i;
    row.trace = execution.key.trace;
    row.session = execution.key.replay;
    report.rows.push_back(row);
  }
  std::stable_sort(report.rows.begin(), report.rows.end(), [&](const ReportRow& a, const ReportRow& b) {
    const Execution& first = report.executions[a.execution];
    const Execution& second = report.executions[b.execution];
    if (first.key.device != second.key.device) return first.key.device < second.key.device;
    return first.first_cycle < second.first_cycle;
  });
}

/// Rows of devices in the order of the host's time, with what it marked between them.
void place_signposts(const HostCapture& host, const DeviceClockLines& host_clock, ReportRows& report) {
  for (ReportRow& row : report.rows) {
    const Execution& execution = report.executions[row.execution];
    const auto clock = host_clock.find(execution.key.device);
    if (clock == host_clock.end()) continue;
    constexpr auto kMost = static_cast<double>(kMostTicks);
    const double ns = clock->second.ns_at(static_cast<double>(execution.first_cycle));
    row.time_ns = std::llround(std::clamp(ns, -kMost, kMost));
  }
  add_signposts(host, report);
  order_by_time(report);
}

}  // namespace

bool has_places_for_signposts(const HostCapture& host, const std::vector<Execution>& executions,
                              const DeviceClockLines& host_clock) {
  if (!host.ops.empty() || host.signposts.empty() || executions.empty()) return false;
  return std::all_of(executions.begin(), executions.end(), [&](const Execution& execution) {
    const auto clock = host_clock.find(execution.key.device);
    return clock != host_clock.end() && clock->second.is_on_host_axis;
  });
}

ReportRows build_report_rows(const HostCapture& host, std::vector<Execution> executions,
                             const ReportRowsOptions& options) {
  ReportRows report;
  report.executions = std::move(executions);
  const bool is_of_device =
      host.ops.empty() && !report.executions.empty() && options.rules->lists_executions_without_host;
  if (options.device_only || is_of_device) {
    list_executions(report, *options.rules);
    if (options.host_clock != nullptr) place_signposts(host, *options.host_clock, report);
  } else {
    Matcher(host, report, options).match();
  }
  add_latencies(report, options);
  return report;
}

namespace {

struct AnalyzedFigure {
  std::string_view analysis;
  Figure figure;
};

// Latencies are made of the kernel durations of two ops.
constexpr std::array kFigures = {
    AnalyzedFigure{"device_fw_duration", Figure::kFwNs},
    AnalyzedFigure{"device_fw_duration", Figure::kFwStartCycle},
    AnalyzedFigure{"device_fw_duration", Figure::kFwEndCycle},
    AnalyzedFigure{"device_kernel_duration", Figure::kKernelNs},
    AnalyzedFigure{"device_kernel_duration", Figure::kKernelStartCycle},
    AnalyzedFigure{"device_kernel_duration", Figure::kKernelEndCycle},
    AnalyzedFigure{"device_kernel_duration", Figure::kLatencyNs},
    AnalyzedFigure{"device_kernel_duration_dm_start", Figure::kKernelDmNs},
    AnalyzedFigure{"device_kernel_duration_dm_start", Figure::kDmStartCycle},
    AnalyzedFigure{"device_kernel_duration_dm_start", Figure::kDmEndCycle},
    AnalyzedFigure{"device_kernel_duration_dm_start", Figure::kLatencyDmNs},
    AnalyzedFigure{"device_kernel_duration_per_core", Figure::kPerCoreMinNs},
    AnalyzedFigure{"device_kernel_duration_per_core", Figure::kPerCoreMaxNs},
    AnalyzedFigure{"device_kernel_duration_per_core", Figure::kPerCoreAvgNs},
    AnalyzedFigure{"device_kernel_first_to_last_start", Figure::kFirstToLastStartNs},
    AnalyzedFigure{"device_brisc_kernel_duration", Figure::kBriscNs},
    AnalyzedFigure{"device_ncrisc_kernel_duration", Figure::kNcriscNs},
    AnalyzedFigure{"device_trisc0_kernel_duration", Figure::kTrisc0Ns},
    AnalyzedFigure{"device_trisc1_kernel_duration", Figure::kTrisc1Ns},
    AnalyzedFigure{"device_trisc2_kernel_duration", Figure::kTrisc2Ns},
    AnalyzedFigure{"device_erisc_kernel_duration", Figure::kEriscNs},
    AnalyzedFigure{"device_compute_cb_wait_front", Figure::kCbWaitFrontNs},
    AnalyzedFigure{"device_compute_cb_reserve_back", Figure::kCbReserveBackNs},
    AnalyzedFigure{"dispatch_total_cq_cmd_op_time", Figure::kDispatchTotalNs},
    AnalyzedFigure{"dispatch_go_send_wait_time", Figure::kDispatchGoNs},
    AnalyzedFigure{"trace_fw_duration", Figure::kTraceFwNs},
    AnalyzedFigure{"trace_kernel_duration", Figure::kTraceKernelNs},
};

}  // namespace

const std::vector<std::string>& report_analyses() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const AnalyzedFigure& each : kFigures) {
      if (names.empty() || names.back() != each.analysis) names.emplace_back(each.analysis);
    }
    return names;
  }();
  return kNames;
}

void keep_analyses(const std::vector<std::string>& names, ReportRows& report) {
  const auto is_kept = [&](std::string_view analysis) {
    return std::find(names.begin(), names.end(), analysis) != names.end();
  };
  for (const AnalyzedFigure& each : kFigures) {
    if (is_kept(each.analysis)) continue;
    for (Execution& execution : report.executions) execution.figures[each.figure] = kNoFigure;
  }
  for (ReportRow& row : report.rows) {
    if (!is_kept("device_kernel_duration")) row.latency_ns = kNoFigure;
    if (!is_kept("device_kernel_duration_dm_start")) row.latency_dm_ns = kNoFigure;
  }
}

namespace {

std::string rounded(double value, int digits) {
  std::string text;
  if (!std::isnan(value)) append_python_float(text, python_round(value, digits));
  return text;
}

}  // namespace

const std::string* ExtraColumns::find(std::uint32_t execution, std::string_view name) const {
  const auto row = cells.find(execution);
  if (row == cells.end()) return nullptr;
  const auto column = std::find(names.begin(), names.end(), name);
  return column == names.end() ? nullptr : &row->second[static_cast<std::size_t>(column - names.begin())];
}

ExtraColumns counter_columns(const CounterFigures& figures, const DeviceProfile& log,
                             const ReportRows& report, const Rules& rules) {
  ExtraColumns extra;
  extra.names = figures.columns;
  if (extra.names.empty()) return extra;
  std::map<std::pair<ExecutionKey, std::uint32_t>, std::uint32_t> places;
  for (std::uint32_t i = 0; i < log.executions.size(); ++i) {
    places[{log.executions[i].key, log.executions[i].occurrence}] = i;
  }
  for (std::uint32_t i = 0; i < report.executions.size(); ++i) {
    const auto place = places.find({report.executions[i].key, report.executions[i].occurrence});
    if (place == places.end()) continue;
    const auto values = figures.values.find(place->second);
    if (values == figures.values.end()) continue;
    std::vector<std::string>& cells = extra.cells[i];
    for (const double value : values->second) {
      std::string& cell = cells.emplace_back();
      if (!rules.leaves_unknown_counters_empty || !std::isnan(value)) append_python_float(cell, value);
    }
  }
  return extra;
}

ExtraColumns noc_columns(const std::vector<NocSummary>& summaries, const std::vector<NpeResult>& results,
                         const ReportRows& report) {
  ExtraColumns columns;
  if (summaries.empty() && results.empty()) return columns;
  columns.names = {"NOC TRACE TRANSFERS", "NOC TRACE BYTES"};
  if (!results.empty()) {
    columns.names.insert(columns.names.end(), {"NOC UTIL (%)", "MULTICAST NOC UTIL (%)", "DRAM BW UTIL (%)",
                                               "NPE CONG IMPACT (%)"});
  }
  std::map<ExecutionKey, const NocSummary*> by_key;
  for (const NocSummary& summary : summaries) by_key[summary.key] = &summary;
  std::map<std::uint64_t, const NpeResult*> by_op;
  for (const NpeResult& result : results) by_op[result.op_id] = &result;
  for (std::uint32_t i = 0; i < report.executions.size(); ++i) {
    const auto summary = by_key.find(report.executions[i].key);
    const auto result = by_op.find(report.executions[i].key.op_id);
    if (summary == by_key.end() && result == by_op.end()) continue;
    std::vector<std::string>& cells = columns.cells[i];
    cells.resize(columns.names.size());
    if (summary != by_key.end()) {
      cells[0] = std::to_string(summary->second->all.transfers);
      cells[1] = std::to_string(summary->second->all.bytes);
    }
    if (result == by_op.end()) continue;
    constexpr std::size_t kFirst = 2;
    cells[kFirst] = rounded(result->second->link_util, 1);
    cells[kFirst + 1] = rounded(result->second->multicast_util, 1);
    cells[kFirst + 2] = rounded(result->second->dram_util, 1);
    cells[kFirst + 3] = rounded(result->second->congestion_impact, 2);
  }
  return columns;
}

}  // namespace ttscope::perf
