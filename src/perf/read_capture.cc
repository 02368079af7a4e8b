#include "perf/read_capture.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/profiler_names.h"
#include "io/chunk_source.h"
#include "perf/analyse/executions/dispatch.h"
#include "perf/analyse/executions/perf_counters.h"
#include "perf/analyse/sync/clock_lines.h"
#include "perf/collect_zones.h"
#include "perf/read/device_log/device_log.h"
#include "perf/read/host_logs/cpp_report.h"
#include "perf/read/host_logs/host_messages.h"
#include "perf/read/host_logs/host_zones.h"
#include "perf/read/host_logs/side_files.h"
#include "perf/read/host_logs/sync_info.h"
#include "perf/read/noc_trace/noc_trace.h"

namespace ttscope::perf {
namespace {

/// What of a compressed file could not be unpacked is told with the other problems.
Result<io::WholeText> open_noting(const std::string& path, OpenedTexts& texts, PerfProblems& problems) {
  Result<io::WholeText> text = texts.open(path);
  if (text && !text->warning.empty()) problems.add(PerfProblem::kFileCut, text->warning);
  return text;
}

/// What is wrong with the capture must not cost what the device's files tell; alone it is the whole input.
Result<void> read_host_capture(const CaptureFiles& files, const CaptureOptions& options, HostCapture& host) {
  const Result<HostTables> tables = options.read_host_capture(files.host_capture);
  if (!tables) {
    if (!files.has_device()) return failure(tables.error());
    host.problems.add(PerfProblem::kFileCut, tables.error().message);
    return {};
  }
  if (!tables->warning.empty()) host.problems.add(PerfProblem::kFileCut, tables->warning);
  host.is_simulated = tables->is_simulated;
  host.has_files = true;
  read_host_messages(tables->messages, host, *options.rules);
  read_host_zones(tables->times, host);
  return {};
}

/// Both files are needed: ops without times cannot be ordered, times without ops have no names.
Result<void> read_host(const CaptureFiles& files, const CaptureOptions& options, OpenedTexts& texts,
                       HostCapture& host) {
  if (files.reads_host_capture() && options.read_host_capture != nullptr) {
    return read_host_capture(files, options, host);
  }
  const Result<io::WholeText> messages = open_noting(files.host_messages, texts, host.problems);
  if (!messages) return failure(messages.error());
  const Result<io::WholeText> times = open_noting(files.host_times, texts, host.problems);
  if (!times) return failure(times.error());
  if (files.host_messages.empty()) return {};
  host.has_files = true;
  read_host_messages(messages->bytes(), host, *options.rules);
  if (!files.host_times.empty()) read_host_zones(times->bytes(), host);
  return {};
}

Result<void> read_log(const CaptureOptions& options, OpenedTexts& texts, Capture& capture) {
  const std::string& path = capture.files.device_log;
  Result<io::WholeText> text = open_noting(path, texts, capture.problems);
  if (!text) return failure(text.error());
  if (path.empty()) return {};
  capture.log_text = std::move(*text);
  Result<DeviceProfile> log = read_device_log(
      capture.log_text.bytes(), {.threads = options.threads, .unwrap = options.rules->continues_timers});
  if (!log) {
    // A damaged or empty log must not cost the report that the other files give.
    capture.problems.add(PerfProblem::kRowUnreadable, fmt::format("{}: {}", path, log.error().message));
    return {};
  }
  capture.log = std::move(*log);
  capture.problems.merge(capture.log->problems);
  return {};
}

Result<std::vector<Execution>> read_cpp(OpenedTexts& texts, Capture& capture) {
  if (capture.files.cpp_report.empty()) return std::vector<Execution>();
  const Result<io::WholeText> text = open_noting(capture.files.cpp_report, texts, capture.problems);
  if (!text) return failure(text.error());
  return read_cpp_report(text->bytes(), capture.problems);
}

/// The executions of the device files.
std::vector<Execution> device_executions(Capture& capture, std::vector<Execution> rows,
                                         const CaptureOptions& options) {
  if (!capture.log) return rows;
  const bool reference_rows = !options.rules->joins_device_files && !rows.empty();
  PerfProblems unused;
  PerfProblems& problems = reference_rows ? unused : capture.problems;
  capture.measured =
      measure_executions(*capture.log, capture.clocks, options.rules->averages_buffer_waits, problems);
  add_dispatch_times(*capture.log, capture.clocks, capture.measured, problems);
  if (reference_rows) {
    add_sub_devices(*capture.log, rows);
    return rows;
  }
  if (options.rules->finds_skewed_timers) find_skewed_timers(*capture.log, capture.problems);
  capture.counter_figures =
      compute_counter_metrics(*capture.log, capture.measured, {options.rules, capture.device_only});
  return join_device_files(std::move(rows), capture.measured, capture.problems);
}

Result<void> read_side_files(OpenedTexts& texts, Capture& capture) {
  const Result<io::WholeText> zones = open_noting(capture.files.zone_locations, texts, capture.problems);
  if (!zones) return failure(zones.error());
  find_zone_collisions(zones->bytes(), capture.problems);
  const Result<io::WholeText> sync = open_noting(capture.files.sync_info, texts, capture.problems);
  if (!sync) return failure(sync.error());
  capture.sync = clock_lines(read_sync_info(sync->bytes(), capture.problems));
  return {};
}

/// tt-npe's results lie beside the logs, one compressed file for each op.
std::vector<NpeResult> read_npe_results(const CaptureFiles& files) {
  std::vector<NpeResult> results;
  if (files.npe_results.empty()) return results;
  const auto manifest = io::open_whole_text(files.npe_results);
  if (!manifest) return results;
  const std::filesystem::path folder = std::filesystem::path(files.npe_results).parent_path();
  for (const auto& [id, name] : read_npe_manifest(manifest->bytes())) {
    // Names come from a file: only plain ones, below the folder.
    if (name.empty() || name.find('/') != std::string::npos) continue;
    const auto source = io::open_source((folder / name).string());
    if (!source) continue;
    const auto chunk = (*source)->next();
    if (!chunk) continue;
    if (auto result = read_npe_result(chunk->bytes)) {
      result->op_id = id;
      results.push_back(*result);
    }
  }
  return results;
}

void read_noc_traces(const CaptureFiles& files, Capture& capture) {
  for (const std::string& path : files.noc_traces) {
    const auto text = io::open_whole_text(path);
    const std::string name = std::filesystem::path(path).filename().string();
    std::optional<NocSummary> summary;
    if (text) summary = read_noc_trace(name, text->bytes());
    if (!summary) {
      capture.problems.add(PerfProblem::kNocTraceUnreadable, name);
      continue;
    }
    capture.problems.add(PerfProblem::kNocEventSaturated, summary->saturated, name);
    capture.noc.push_back(std::move(*summary));
  }
  capture.network = noc_columns(capture.noc, read_npe_results(files), capture.report);
}

/// A capture of which files were lost says so; what only a device wrote is one of its own.
void note_missing_files(const CaptureFiles& files, bool device_only, PerfProblems& problems) {
  if (files.is_noc_alone()) return;
  if (!files.has_device()) {
    problems.add(PerfProblem::kFileMissing,
                 "profile_log_device.csv or cpp_device_perf_report.csv: no op has a device time");
  }
  if (device_only || files.reads_host_capture()) return;
  if (!files.has_host())
    problems.add(PerfProblem::kHostFilesMissing, "tracy_ops_data.csv, tracy_ops_times.csv");
  if (files.has_host() && files.host_messages.empty())
    problems.add(PerfProblem::kFileMissing, "tracy_ops_data.csv: ops have no names");
  if (files.has_host() && files.host_times.empty())
    problems.add(PerfProblem::kFileMissing, "tracy_ops_times.csv: ops have no host times");
}

void note_unplaced_signposts(const HostCapture& host, PerfProblems& problems) {
  for (const Signpost& signpost : host.signposts)
    problems.add(PerfProblem::kSignpostUnplaced, signpost.text.substr(0, signpost.text.find('\n')));
}

void note_simulated_chips(Capture& capture) {
  const bool is_said = !capture.files.simulated.empty() || capture.host.is_simulated;
  if (!are_simulated(capture.sync, is_said)) return;
  std::string place = !capture.files.simulated.empty() ? kSimulatedChips
                      : capture.host.is_simulated      ? capture.files.host_capture
                                                       : profiler_names::kSyncInfo;
  capture.problems.add(PerfProblem::kSimulatedChips, std::move(place));
}

}  // namespace

Result<Capture> read_capture(const CaptureFiles& files, const CaptureOptions& options, OpenedTexts& texts) {
  Capture capture;
  capture.files = files;
  Result<void> read = options.device_only ? Result<void>() : read_host(files, options, texts, capture.host);
  if (read) read = read_log(options, texts, capture);
  if (!read) return failure(read.error());
  Result<std::vector<Execution>> rows = std::vector<Execution>();
  if (!options.from_device_log && (options.rules->reads_runtime_report_without_host || !options.device_only))
    rows = read_cpp(texts, capture);
  if (!rows) return failure(rows.error());
  capture.problems.merge(capture.host.problems);
  if (options.rules->notes_missing_files) note_missing_files(files, options.device_only, capture.problems);
  if (Result<void> side = read_side_files(texts, capture); !side) return failure(side.error());
  if (options.rules->notes_simulated_chips) note_simulated_chips(capture);
  if (!options.rules->uses_synchronised_clocks) capture.sync.clear();
  capture.clocks = find_clocks(capture.log ? &*capture.log : nullptr, *rows, capture.sync);
  // Signposts alone make a report too.
  const bool is_of_signposts = options.rules->places_signposts_without_ops &&
                               !capture.host.signposts.empty() && rows->empty() &&
                               (!capture.log || capture.log->executions.empty());
  capture.device_only = options.device_only || (capture.host.ops.empty() && !is_of_signposts);
  ReportRowsOptions report;
  report.rules = options.rules;
  report.cpp_rows = !rows->empty();
  report.clock_mhz = capture.log ? capture.log->clock_mhz : 0;
  report.clocks = capture.clocks;
  std::vector<Execution> executions = device_executions(capture, std::move(*rows), options);
  if (options.rules->places_signposts_without_ops) {
    if (has_places_for_signposts(capture.host, executions, capture.sync)) {
      report.host_clock = &capture.sync;
      capture.device_only = false;
    } else if (capture.device_only) {
      note_unplaced_signposts(capture.host, capture.problems);
    }
  }
  report.device_only = capture.device_only;
  capture.report = build_report_rows(capture.host, std::move(executions), report);
  if (capture.log) {
    capture.counters = counter_columns(capture.counter_figures, *capture.log, capture.report, *options.rules);
  }
  capture.problems.merge(capture.report.problems);
  if (options.noc_traces || files.is_noc_alone()) read_noc_traces(files, capture);
  const bool has_marks = capture.log && capture.log->user_marks > 0 && options.rules->shows_marks_of_users;
  if (options.zones || has_marks || (capture.lacks_op_ids() && options.rules->tells_zones_without_ops))
    collect_zones(options.threads, capture);
  return capture;
}

}  // namespace ttscope::perf
