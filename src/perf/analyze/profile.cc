#include "perf/analyze/profile.h"

#include <algorithm>

#include "base/result.h"
#include "perf/analyze/executions.h"
#include "perf/analyze/perf_counters.h"
#include "perf/analyze/report_rows.h"

namespace ttscope::perf {

OpAnalysis interpret_ops(const OpsReport& table, ShownOps ops) {
  OpAnalysis analysis;
  analysis.ops = std::move(ops);
  const Replays replays(table);
  analysis.iterations = find_iterations(table, analysis.ops.clock, replays);
  analysis.bounds = find_bounds(table, analysis.ops);
  analysis.gaps = find_gap_causes(table, analysis.ops, replays);
  analysis.skew = find_skew(table, analysis.ops);
  analysis.advice = find_advice({table, analysis.ops, analysis.bounds, analysis.gaps});
  analysis.movement = find_movement(table, analysis.ops);
  analysis.categories = stack_ops(table, analysis.ops, {StackBy::kCategory, false, false});
  return analysis;
}

Result<OpAnalysis> analyze_ops(const OpsReport& table, const ShownOptions& options) {
  ASSIGN_OR_RETURN(ShownOps ops, find_shown_ops(table, options));
  OpAnalysis analysis = interpret_ops(table, std::move(ops));
  if (analysis.bounds.refuted > 0)
    analysis.ops.notes.push_back(
        {NoteKind::kRefutedBounds, {}, {static_cast<double>(analysis.bounds.refuted)}});
  return analysis;
}

std::int64_t Capture::devices() const {
  std::int64_t most = -1;
  for (const HostOp& op : host.ops) most = std::max(most, op.device);
  for (const Execution& execution : report.executions) {
    most = std::max(most, std::int64_t{execution.key.device});
  }
  return most + 1;
}

namespace {

/// The executions of the device files.
std::vector<Execution> device_executions(Capture& capture, std::vector<Execution> rows) {
  if (!capture.log) return rows;
  capture.measured = measure_executions(*capture.log, capture.clocks, true, capture.problems);
  add_dispatch_times(*capture.log, capture.clocks, capture.measured, capture.problems);
  find_skewed_timers(*capture.log, capture.problems);
  capture.counter_figures = compute_counter_metrics(*capture.log, capture.measured);
  return join_device_files(std::move(rows), capture.measured, capture.problems);
}

void note_unplaced_signposts(const HostCapture& host, PerfProblems& problems) {
  for (const Signpost& signpost : host.signposts)
    problems.add(PerfProblem::kSignpostUnplaced, signpost.text.substr(0, signpost.text.find('\n')));
}

}  // namespace

void make_rows(std::vector<Execution> cpp_rows, bool device_only, Capture& capture) {
  // Signposts alone make a report too.
  const bool is_of_signposts = !capture.host.signposts.empty() && cpp_rows.empty() &&
                               (!capture.log || capture.log->executions.empty());
  capture.device_only = device_only || (capture.host.ops.empty() && !is_of_signposts);
  ReportRowsOptions report;
  report.cpp_rows = !cpp_rows.empty();
  report.clocks = capture.clocks;
  std::vector<Execution> executions = device_executions(capture, std::move(cpp_rows));
  if (can_place_signposts(capture.host, executions, capture.sync)) {
    report.host_clock = &capture.sync;
    capture.device_only = false;
  } else if (capture.device_only) {
    note_unplaced_signposts(capture.host, capture.problems);
  }
  report.device_only = capture.device_only;
  capture.report = build_report_rows(capture.host, std::move(executions), report);
  if (capture.log) capture.counters = counter_columns(capture.counter_figures, *capture.log, capture.report);
}

std::vector<CaptureRows> rows_of(const std::vector<Capture>& captures) {
  std::vector<CaptureRows> parts;
  parts.reserve(captures.size());
  for (const Capture& capture : captures) {
    parts.push_back({&capture.report, &capture.host, &capture.counters, &capture.network, capture.host_name,
                     capture.device_offset, &capture.noc, capture.files.name});
  }
  return parts;
}

ColumnOptions form_of(const std::vector<Capture>& captures) {
  ColumnOptions form{true, false};
  for (const Capture& capture : captures) {
    form.device_only &= capture.device_only;
    form.quasar |= capture.log && capture.log->quasar;
  }
  return form;
}

bool has_report(const std::vector<Capture>& captures) {
  return std::any_of(captures.begin(), captures.end(), [](const Capture& one) {
    if (one.files.is_noc_alone()) return false;
    return !one.lacks_op_ids() || !one.report.rows.empty();
  });
}

namespace {

/// What is shown whatever the window of the ops is.
bool has_zones_or_noc(const std::vector<Capture>& captures) {
  return std::any_of(captures.begin(), captures.end(), [](const Capture& capture) {
    return (capture.zones && !capture.zones->stats.zones.empty()) || !capture.noc.empty();
  });
}

}  // namespace

std::string Profile::title() const {
  const std::string last =
      name.substr(name.find_last_not_of('/') == std::string::npos ? 0 : name.rfind('/') + 1);
  return last.empty() ? name : last;
}

std::vector<const CaptureZones*> Profile::zones() const {
  std::vector<const CaptureZones*> list;
  for (const Capture& capture : captures) {
    if (capture.zones) list.push_back(&*capture.zones);
  }
  return list;
}

bool Profile::has_content() const {
  if (raw) return has_markers(*raw);
  return !report.rows.empty() || has_zones_or_noc(captures) ||
         std::any_of(captures.begin(), captures.end(),
                     [](const Capture& capture) { return !capture.report.rows.empty(); });
}

bool Profile::shows_content() const { return !analysis.ops.rows.empty() || has_zones_or_noc(captures); }

std::vector<const NocSummary*> noc_traces_of(const Profile& profile) {
  std::vector<const NocSummary*> list;
  for (const Capture& capture : profile.captures) {
    for (const NocSummary& summary : capture.noc) list.push_back(&summary);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const NocSummary* a, const NocSummary* b) { return a->all.bytes > b->all.bytes; });
  return list;
}

bool Profile::has_harmful_capture_problems() const {
  return std::any_of(captures.begin(), captures.end(),
                     [](const Capture& capture) { return capture.problems.any_harmful(); });
}

}  // namespace ttscope::perf
