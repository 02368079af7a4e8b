#include "perf/analyze/report_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/number_text.h"
#include "perf/model/report_columns.h"

namespace ttscope::perf {
namespace {

void add_device_latencies(ReportRows& report, std::vector<ReportRow*>& rows, double clock_mhz,
                          const LatencyFigures& pair) {
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

/// In the order of each device's own time, from the end of the last kernel that ran before; nothing for the
/// first op of a device and for ops that overlap.
void add_latencies(ReportRows& report, const ReportRowsOptions& options) {
  std::map<std::uint32_t, std::vector<ReportRow*>> devices;
  for (ReportRow& row : report.rows) {
    if (row.execution == kNone || row.kind == ReportRowKind::kTraceReplay) continue;
    devices[report.executions[row.execution].key.device].push_back(&row);
  }
  for (auto& [device, rows] : devices) {
    const double clock_mhz = clock_of(options.clocks, device);
    if (clock_mhz <= 0) continue;
    add_device_latencies(report, rows, clock_mhz, kKernelLatency);
    add_device_latencies(report, rows, clock_mhz, kDmLatency);
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
  Matcher(const HostCapture& host, ReportRows& report, const ReportRowsOptions& options,
          const std::vector<bool>& apart)
      : host_(host), report_(report), options_(options), apart_(apart) {
    for (std::uint32_t i = 0; i < report_.executions.size(); ++i) {
      by_op_[{report_.executions[i].key.device, report_.executions[i].key.op_id}].push_back(i);
      devices_.insert(report_.executions[i].key.device);
    }
    used_ = apart;
  }

  MatchedRows match() {
    op_rows_.resize(host_.ops.size());
    for (std::uint32_t i = 0; i < host_.ops.size(); ++i) {
      op_rows_[i].host = i;
      op_rows_[i].time_ns = time_of(host_.ops[i]);
    }
    for (const std::uint32_t op : by_device_and_id()) match_op(op);
    return {std::move(op_rows_), std::move(replays_), std::move(used_)};
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
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t i : all) {
      if (apart_[i]) continue;
      rest.push_back(i);
      if (report_.executions[i].key.trace == op.trace) same_trace.push_back(i);
    }
    return same_trace.empty() ? rest : same_trace;
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
    replays_.push_back(row);
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
    if (times != host_.replays.end() && !times->second.empty()) return times->second.back();
    return op.message_ns;
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

  const HostCapture& host_;
  ReportRows& report_;
  const ReportRowsOptions& options_;
  const std::vector<bool>& apart_;
  std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<std::uint32_t>> by_op_;
  std::set<std::uint32_t> devices_;
  std::set<std::int64_t> missing_devices_;
  std::vector<bool> used_;
  std::vector<ReportRow> op_rows_;
  std::vector<ReportRow> replays_;
};

bool is_whole_replay(const Execution& execution) {
  return execution.figures.has(Figure::kTraceFwNs) || execution.figures.has(Figure::kTraceKernelNs);
}

/// Rows of the trace-only mode: a whole replay each, told from ops. The nth one is at the nth replay message
/// of its device, whatever trace that was.
void add_trace_replays(const HostCapture& host, ReportRows& report, std::vector<ReportRow>& rows) {
  std::map<std::int64_t, std::vector<std::int64_t>> messages;
  for (const auto& [key, list] : host.replays) {
    std::vector<std::int64_t>& times = messages[key.first];
    times.insert(times.end(), list.begin(), list.end());
  }
  for (auto& [device, times] : messages) std::sort(times.begin(), times.end());
  std::map<std::uint32_t, std::int64_t> counts;
  for (std::uint32_t i = 0; i < report.executions.size(); ++i) {
    if (!is_whole_replay(report.executions[i])) continue;
    const std::uint32_t device = report.executions[i].key.device;
    ReportRow row;
    row.kind = ReportRowKind::kTraceReplay;
    row.execution = i;
    row.session = ++counts[device];
    const std::vector<std::int64_t>& times = messages[device];
    row.time_ns =
        times.empty() ? INT64_MAX : times[std::min(times.size(), static_cast<std::size_t>(row.session)) - 1];
    report.problems.add(PerfProblem::kTraceOnlyRows, "device " + std::to_string(device));
    rows.push_back(row);
  }
}

/// Rows of devices in the order of the host's time, with what it marked between them.
void place_signposts(const HostCapture& host, const DeviceClockLines& host_clock, ReportRows& report) {
  for (ReportRow& row : report.rows) {
    const Execution& execution = report.executions[row.execution];
    const auto clock = host_clock.find(execution.key.device);
    if (clock == host_clock.end()) continue;
    constexpr auto kMax = static_cast<double>(kMaxTicks);
    const double ns = clock->second.ns_at(static_cast<double>(execution.first_cycle));
    row.time_ns = std::llround(std::clamp(ns, -kMax, kMax));
  }
  add_signposts(host, report);
  order_by_time(report);
}

}  // namespace

bool can_place_signposts(const HostCapture& host, const std::vector<Execution>& executions,
                         const DeviceClockLines& host_clock) {
  if (!host.ops.empty() || host.signposts.empty() || executions.empty()) return false;
  return std::all_of(executions.begin(), executions.end(), [&](const Execution& execution) {
    const auto clock = host_clock.find(execution.key.device);
    return clock != host_clock.end() && clock->second.is_on_host_axis;
  });
}

void list_executions(ReportRows& report) {
  for (std::uint32_t i = 0; i < report.executions.size(); ++i) {
    const Execution& execution = report.executions[i];
    if (execution.key.op_id == 0) continue;
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

void add_quasar_latencies(ReportRows& report, const DeviceClocks& clocks, bool writes_unknown) {
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
    const double clock_mhz = clock_of(clocks, execution.key.device);
    for (const Kind& kind : kKinds) {
      if (!execution.figures.has(kind.start) || !execution.figures.has(kind.end) || clock_mhz <= 0) continue;
      const auto last = ends.find({execution.key.device, kind.end});
      const std::int64_t gap = last == ends.end() ? 0 : execution.figures[kind.start] - last->second;
      const bool known = last != ends.end() && gap >= 0;
      if (known || writes_unknown) {
        execution.figures[kind.latency] = to_ns(gap, clock_mhz);
      }
      ends[{execution.key.device, kind.end}] = execution.figures[kind.end];
    }
  }
}

MatchedRows match_ops(const HostCapture& host, ReportRows& report, const ReportRowsOptions& options,
                      const std::vector<bool>& apart) {
  return Matcher(host, report, options, apart).match();
}

void take_rows(const HostCapture& host, MatchedRows matched, ReportRows& report) {
  report.rows = std::move(matched.ops);
  report.rows.insert(report.rows.end(), matched.replays.begin(), matched.replays.end());
  add_signposts(host, report);
  order_by_time(report);
  report.host_ops = host.ops.size();
  for (std::size_t i = 0; i < matched.used.size(); ++i) {
    const Execution& execution = report.executions[i];
    if (matched.used[i] || execution.key.op_id == 0) continue;
    report.problems.add(PerfProblem::kDeviceOpWithoutHost,
                        place_text(execution.key.op_id, execution.key.device));
    if (execution.figures.has(Figure::kKernelNs))
      report.unmatched_device_ns += static_cast<double>(execution.figures[Figure::kKernelNs]);
  }
}

ReportRows build_report_rows(const HostCapture& host, std::vector<Execution> executions,
                             const ReportRowsOptions& options) {
  ReportRows report;
  report.executions = std::move(executions);
  if (options.device_only || (host.ops.empty() && !report.executions.empty())) {
    list_executions(report);
    if (options.host_clock != nullptr) place_signposts(host, *options.host_clock, report);
  } else {
    std::vector<bool> whole_replays;
    for (const Execution& execution : report.executions) whole_replays.push_back(is_whole_replay(execution));
    MatchedRows matched = match_ops(host, report, options, whole_replays);
    add_trace_replays(host, report, matched.replays);
    take_rows(host, std::move(matched), report);
  }
  add_quasar_latencies(report, options.clocks, false);
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
                             const ReportRows& report) {
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
      if (!std::isnan(value)) append_python_float(cell, value);
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
    for (const std::size_t i : {0u, 1u, 2u, 5u}) columns.names.emplace_back(kNetworkColumns[i]);
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
