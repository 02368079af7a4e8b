#include "cli/perf_capture.h"

#include <fmt/format.h>

#include <filesystem>

#include "analysis/ops_report/dispatch.h"
#include "analysis/perf_counters/perf_counters.h"
#include "cli/perf_zones.h"
#include "input/chunk_source.h"
#include "input/device_log/device_log.h"
#include "input/noc_trace/noc_trace.h"
#include "input/perf_logs/cpp_report.h"
#include "input/perf_logs/host_messages.h"
#include "input/perf_logs/host_zones.h"
#include "input/perf_logs/side_files.h"
#include "output/noc_summary/noc_summary_csv.h"

namespace ttscope::cli {
namespace {

/// What of a compressed file could not be unpacked is told with the other problems.
Result<input::WholeText> open_noting(const std::string& path, PerfTexts& texts, PerfProblems& problems) {
  Result<input::WholeText> text = texts.open(path);
  if (text && !text->warning.empty()) problems.add(PerfProblem::kFileCut, text->warning);
  return text;
}

/// Both files are needed: ops without times cannot be ordered, times without ops have no names.
Result<void> read_host(const PerfFiles& files, PerfTexts& texts, HostCapture& host) {
  const Result<input::WholeText> messages = open_noting(files.host_messages, texts, host.problems);
  if (!messages) return failure(messages.error());
  const Result<input::WholeText> times = open_noting(files.host_times, texts, host.problems);
  if (!times) return failure(times.error());
  if (files.host_messages.empty()) return {};
  host.has_files = true;
  input::read_host_messages(messages->bytes(), host);
  if (!files.host_times.empty()) input::read_host_zones(times->bytes(), host);
  return {};
}

Result<void> read_log(const PerfCaptureOptions& options, PerfTexts& texts, PerfCapture& capture) {
  const std::string& path = capture.files.device_log;
  Result<input::WholeText> text = open_noting(path, texts, capture.problems);
  if (!text) return failure(text.error());
  if (path.empty()) return {};
  capture.log_text = std::move(*text);
  Result<DeviceProfile> log = input::read_device_log(capture.log_text.bytes(),
                                                     {.threads = options.threads, .unwrap = !options.compat});
  if (!log) {
    // A damaged or empty log must not cost the report that the other files give.
    capture.problems.add(PerfProblem::kRowUnreadable, fmt::format("{}: {}", path, log.error().message));
    return {};
  }
  capture.log = std::move(*log);
  capture.quasar = capture.log->quasar;
  capture.problems.merge(capture.log->problems);
  return {};
}

Result<std::vector<Execution>> read_cpp(PerfTexts& texts, PerfCapture& capture) {
  if (capture.files.cpp_report.empty()) return std::vector<Execution>();
  const Result<input::WholeText> text = open_noting(capture.files.cpp_report, texts, capture.problems);
  if (!text) return failure(text.error());
  return input::read_cpp_report(text->bytes(), capture.problems);
}

/// The executions of the device files.
std::vector<Execution> device_executions(PerfCapture& capture, std::vector<Execution> rows,
                                         const PerfCaptureOptions& options) {
  if (!capture.log) return rows;
  const bool reference_rows = options.compat && !rows.empty();
  PerfProblems unused;
  PerfProblems& problems = reference_rows ? unused : capture.problems;
  capture.measured = analysis::measure_executions(*capture.log, capture.clocks, !options.compat, problems);
  analysis::add_dispatch_times(*capture.log, capture.clocks, capture.measured, problems);
  if (reference_rows) {
    analysis::add_sub_devices(*capture.log, rows);
    return rows;
  }
  if (!options.compat) analysis::find_skewed_timers(*capture.log, capture.problems);
  capture.counter_figures = analysis::compute_counter_metrics(*capture.log, capture.measured,
                                                              {options.compat, capture.device_only});
  return analysis::join_device_files(std::move(rows), capture.measured, capture.problems);
}

Result<std::map<std::uint32_t, double>> read_side_files(PerfTexts& texts, PerfCapture& capture) {
  const Result<input::WholeText> zones = open_noting(capture.files.zone_locations, texts, capture.problems);
  if (!zones) return failure(zones.error());
  input::find_zone_collisions(zones->bytes(), capture.problems);
  const Result<input::WholeText> sync = open_noting(capture.files.sync_info, texts, capture.problems);
  if (!sync) return failure(sync.error());
  return input::read_sync_info(sync->bytes());
}

/// tt-npe's results lie beside the logs, one compressed file for each op.
std::vector<NpeResult> read_npe_results(const PerfFiles& files) {
  std::vector<NpeResult> results;
  if (files.npe_results.empty()) return results;
  const auto manifest = input::open_whole_text(files.npe_results);
  if (!manifest) return results;
  const std::filesystem::path folder = std::filesystem::path(files.npe_results).parent_path();
  for (const auto& [id, name] : input::read_npe_manifest(manifest->bytes())) {
    // Names come from a file: only plain ones, below the folder.
    if (name.empty() || name.find('/') != std::string::npos) continue;
    const auto source = input::open_source((folder / name).string());
    if (!source) continue;
    const auto chunk = (*source)->next();
    if (!chunk) continue;
    if (auto result = input::read_npe_result(chunk->bytes)) {
      result->op_id = id;
      results.push_back(*result);
    }
  }
  return results;
}

void read_noc_traces(const PerfFiles& files, PerfCapture& capture) {
  for (const std::string& path : files.noc_traces) {
    const auto text = input::open_whole_text(path);
    const std::string name = std::filesystem::path(path).filename().string();
    std::optional<NocSummary> summary;
    if (text) summary = input::read_noc_trace(name, text->bytes());
    if (!summary) {
      capture.problems.add(PerfProblem::kNocTraceUnreadable, name);
      continue;
    }
    capture.problems.add(PerfProblem::kNocEventSaturated, summary->saturated, name);
    capture.noc.push_back(std::move(*summary));
  }
  capture.network = output::noc_columns(capture.noc, read_npe_results(files), capture.report);
}

}  // namespace

Result<PerfCapture> read_perf_capture(const PerfFiles& files, const PerfCaptureOptions& options,
                                      PerfTexts& texts) {
  PerfCapture capture;
  capture.files = files;
  Result<void> read = options.device_only ? Result<void>() : read_host(files, texts, capture.host);
  if (read) read = read_log(options, texts, capture);
  if (!read) return failure(read.error());
  Result<std::vector<Execution>> rows = std::vector<Execution>();
  if (!options.from_device_log && !(options.compat && options.device_only)) rows = read_cpp(texts, capture);
  if (!rows) return failure(rows.error());
  capture.problems.merge(capture.host.problems);
  const Result<std::map<std::uint32_t, double>> sync_mhz = read_side_files(texts, capture);
  if (!sync_mhz) return failure(sync_mhz.error());
  capture.clocks = analysis::find_clocks(capture.log ? &*capture.log : nullptr, *rows,
                                         options.compat ? std::map<std::uint32_t, double>() : *sync_mhz);
  capture.device_only = options.device_only || capture.host.ops.empty();
  analysis::OpsReportOptions report;
  report.compat = options.compat;
  report.cpp_rows = !rows->empty();
  report.device_only = capture.device_only;
  report.clock_mhz = capture.log ? capture.log->clock_mhz : 0;
  report.clocks = capture.clocks;
  std::vector<Execution> executions = device_executions(capture, std::move(*rows), options);
  capture.report = analysis::build_ops_report(capture.host, std::move(executions), report);
  if (capture.log) {
    capture.counters =
        output::counter_columns(capture.counter_figures, *capture.log, capture.report, options.compat);
  }
  capture.problems.merge(capture.report.problems);
  if (options.noc_traces) read_noc_traces(files, capture);
  if (options.zones || (capture.lacks_op_ids() && !options.compat)) read_zones(options.threads, capture);
  return capture;
}

}  // namespace ttscope::cli
