#include "perf/analyse/executions/report_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "base/number_text.h"
#include "perf/analyse/executions/latency.h"

namespace ttscope::perf {
namespace {

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

}  // namespace ttscope::perf
