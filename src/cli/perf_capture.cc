#include "cli/perf_capture.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/perf_zones.h"
#include "io/chunk_source.h"
#include "perf/analyse/executions/dispatch.h"
#include "perf/analyse/executions/perf_counters.h"
#include "perf/read/device_log/device_log.h"
#include "perf/read/host_logs/cpp_report.h"
#include "perf/read/host_logs/host_messages.h"
#include "perf/read/host_logs/host_zones.h"
#include "perf/read/host_logs/side_files.h"
#include "perf/read/noc_trace/noc_trace.h"
#include "perf/write/noc_csv/noc_summary_csv.h"

namespace ttscope::cli {
namespace {

/// What of a compressed file could not be unpacked is told with the other problems.
Result<io::WholeText> open_noting(const std::string& path, PerfTexts& texts, perf::PerfProblems& problems) {
  Result<io::WholeText> text = texts.open(path);
  if (text && !text->warning.empty()) problems.add(perf::PerfProblem::kFileCut, text->warning);
  return text;
}

/// Both files are needed: ops without times cannot be ordered, times without ops have no names.
Result<void> read_host(const PerfFiles& files, PerfTexts& texts, perf::HostCapture& host) {
  const Result<io::WholeText> messages = open_noting(files.host_messages, texts, host.problems);
  if (!messages) return failure(messages.error());
  const Result<io::WholeText> times = open_noting(files.host_times, texts, host.problems);
  if (!times) return failure(times.error());
  if (files.host_messages.empty()) return {};
  host.has_files = true;
  perf::read_host_messages(messages->bytes(), host);
  if (!files.host_times.empty()) perf::read_host_zones(times->bytes(), host);
  return {};
}

Result<void> read_log(const PerfCaptureOptions& options, PerfTexts& texts, PerfCapture& capture) {
  const std::string& path = capture.files.device_log;
  Result<io::WholeText> text = open_noting(path, texts, capture.problems);
  if (!text) return failure(text.error());
  if (path.empty()) return {};
  capture.log_text = std::move(*text);
  Result<perf::DeviceProfile> log = perf::read_device_log(
      capture.log_text.bytes(), {.threads = options.threads, .unwrap = !options.compat});
  if (!log) {
    // A damaged or empty log must not cost the report that the other files give.
    capture.problems.add(perf::PerfProblem::kRowUnreadable, fmt::format("{}: {}", path, log.error().message));
    return {};
  }
  capture.log = std::move(*log);
  capture.quasar = capture.log->quasar;
  capture.problems.merge(capture.log->problems);
  return {};
}

Result<std::vector<perf::Execution>> read_cpp(PerfTexts& texts, PerfCapture& capture) {
  if (capture.files.cpp_report.empty()) return std::vector<perf::Execution>();
  const Result<io::WholeText> text = open_noting(capture.files.cpp_report, texts, capture.problems);
  if (!text) return failure(text.error());
  return perf::read_cpp_report(text->bytes(), capture.problems);
}

/// The executions of the device files.
std::vector<perf::Execution> device_executions(PerfCapture& capture, std::vector<perf::Execution> rows,
                                               const PerfCaptureOptions& options) {
  if (!capture.log) return rows;
  const bool reference_rows = options.compat && !rows.empty();
  perf::PerfProblems unused;
  perf::PerfProblems& problems = reference_rows ? unused : capture.problems;
  capture.measured = perf::measure_executions(*capture.log, capture.clocks, !options.compat, problems);
  perf::add_dispatch_times(*capture.log, capture.clocks, capture.measured, problems);
  if (reference_rows) {
    perf::add_sub_devices(*capture.log, rows);
    return rows;
  }
  if (!options.compat) perf::find_skewed_timers(*capture.log, capture.problems);
  capture.counter_figures =
      perf::compute_counter_metrics(*capture.log, capture.measured, {options.compat, capture.device_only});
  return perf::join_device_files(std::move(rows), capture.measured, capture.problems);
}

Result<std::map<std::uint32_t, double>> read_side_files(PerfTexts& texts, PerfCapture& capture) {
  const Result<io::WholeText> zones = open_noting(capture.files.zone_locations, texts, capture.problems);
  if (!zones) return failure(zones.error());
  perf::find_zone_collisions(zones->bytes(), capture.problems);
  const Result<io::WholeText> sync = open_noting(capture.files.sync_info, texts, capture.problems);
  if (!sync) return failure(sync.error());
  return perf::read_sync_info(sync->bytes());
}

/// tt-npe's results lie beside the logs, one compressed file for each op.
std::vector<perf::NpeResult> read_npe_results(const PerfFiles& files) {
  std::vector<perf::NpeResult> results;
  if (files.npe_results.empty()) return results;
  const auto manifest = io::open_whole_text(files.npe_results);
  if (!manifest) return results;
  const std::filesystem::path folder = std::filesystem::path(files.npe_results).parent_path();
  for (const auto& [id, name] : perf::read_npe_manifest(manifest->bytes())) {
    // Names come from a file: only plain ones, below the folder.
    if (name.empty() || name.find('/') != std::string::npos) continue;
    const auto source = io::open_source((folder / name).string());
    if (!source) continue;
    const auto chunk = (*source)->next();
    if (!chunk) continue;
    if (auto result = perf::read_npe_result(chunk->bytes)) {
      result->op_id = id;
      results.push_back(*result);
    }
  }
  return results;
}

void read_noc_traces(const PerfFiles& files, PerfCapture& capture) {
  for (const std::string& path : files.noc_traces) {
    const auto text = io::open_whole_text(path);
    const std::string name = std::filesystem::path(path).filename().string();
    std::optional<perf::NocSummary> summary;
    if (text) summary = perf::read_noc_trace(name, text->bytes());
    if (!summary) {
      capture.problems.add(perf::PerfProblem::kNocTraceUnreadable, name);
      continue;
    }
    capture.problems.add(perf::PerfProblem::kNocEventSaturated, summary->saturated, name);
    capture.noc.push_back(std::move(*summary));
  }
  capture.network = perf::noc_columns(capture.noc, read_npe_results(files), capture.report);
}

}  // namespace

Result<PerfCapture> read_perf_capture(const PerfFiles& files, const PerfCaptureOptions& options,
                                      PerfTexts& texts) {
  PerfCapture capture;
  capture.files = files;
  Result<void> read = options.device_only ? Result<void>() : read_host(files, texts, capture.host);
  if (read) read = read_log(options, texts, capture);
  if (!read) return failure(read.error());
  Result<std::vector<perf::Execution>> rows = std::vector<perf::Execution>();
  if (!options.from_device_log && !(options.compat && options.device_only)) rows = read_cpp(texts, capture);
  if (!rows) return failure(rows.error());
  capture.problems.merge(capture.host.problems);
  const Result<std::map<std::uint32_t, double>> sync_mhz = read_side_files(texts, capture);
  if (!sync_mhz) return failure(sync_mhz.error());
  capture.clocks = perf::find_clocks(capture.log ? &*capture.log : nullptr, *rows,
                                     options.compat ? std::map<std::uint32_t, double>() : *sync_mhz);
  capture.device_only = options.device_only || capture.host.ops.empty();
  perf::ReportRowsOptions report;
  report.compat = options.compat;
  report.cpp_rows = !rows->empty();
  report.device_only = capture.device_only;
  report.clock_mhz = capture.log ? capture.log->clock_mhz : 0;
  report.clocks = capture.clocks;
  std::vector<perf::Execution> executions = device_executions(capture, std::move(*rows), options);
  capture.report = perf::build_report_rows(capture.host, std::move(executions), report);
  if (capture.log) {
    capture.counters =
        perf::counter_columns(capture.counter_figures, *capture.log, capture.report, options.compat);
  }
  capture.problems.merge(capture.report.problems);
  if (options.noc_traces) read_noc_traces(files, capture);
  if (options.zones || (capture.lacks_op_ids() && !options.compat)) read_zones(options.threads, capture);
  return capture;
}

}  // namespace ttscope::cli
