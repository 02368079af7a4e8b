#include "cli/perf_capture.h"

#include <fmt/format.h>

#include "input/device_log/device_log.h"
#include "input/perf_logs/cpp_report.h"
#include "input/perf_logs/host_messages.h"
#include "input/perf_logs/host_zones.h"

namespace ttscope::cli {
namespace {

using MappedText = std::shared_ptr<const MappedFile>;

Result<MappedText> open_file(const std::string& path) {
  if (path.empty()) return MappedText();
  return MappedFile::open(path);
}

/// Both files are needed: ops without times cannot be ordered, times without ops have no names.
Result<void> read_host(const PerfFiles& files, HostCapture& host) {
  const Result<MappedText> messages = open_file(files.host_messages);
  if (!messages) return failure(messages.error());
  const Result<MappedText> times = open_file(files.host_times);
  if (!times) return failure(times.error());
  if (*messages == nullptr) return {};
  host.has_files = true;
  input::read_host_messages((*messages)->bytes(), host);
  if (*times != nullptr) input::read_host_zones((*times)->bytes(), host);
  return {};
}

Result<void> read_log(const PerfFiles& files, const PerfCaptureOptions& options, PerfCapture& capture) {
  Result<MappedText> file = open_file(files.device_log);
  if (!file) return failure(file.error());
  if (*file == nullptr) return {};
  capture.log_file = *file;
  Result<DeviceProfile> log =
      input::read_device_log(capture.log_file->bytes(), {.threads = options.threads, .unwrap = !options.compat});
  if (!log) {
    // A damaged or empty log must not cost the report that the other files give.
    capture.problems.add(PerfProblem::kRowUnreadable,
                         fmt::format("{}: {}", files.device_log, log.error().message));
    return {};
  }
  capture.log = std::move(*log);
  capture.quasar = capture.log->quasar;
  capture.problems.merge(capture.log->problems);
  return {};
}

Result<std::vector<Execution>> read_cpp(const PerfFiles& files, PerfCapture& capture) {
  const Result<MappedText> file = open_file(files.cpp_report);
  if (!file) return failure(file.error());
  if (*file == nullptr) return std::vector<Execution>();
  return input::read_cpp_report((*file)->bytes(), capture.problems);
}

/// The executions of the device files; `cpp_rows` tells which the reference would have used.
std::vector<Execution> device_executions(PerfCapture& capture, std::vector<Execution> rows,
                                         const PerfCaptureOptions& options) {
  if (!capture.log) return rows;
  if (options.compat && !rows.empty()) {
    analysis::add_sub_devices(*capture.log, rows);
    return rows;
  }
  std::vector<Execution> measured =
      analysis::measure_executions(*capture.log, capture.clocks, !options.compat, capture.problems);
  if (!options.compat) analysis::find_skewed_timers(*capture.log, capture.problems);
  return analysis::join_device_files(std::move(rows), std::move(measured), capture.problems);
}

}  // namespace

Result<PerfCapture> read_perf_capture(const PerfFiles& files, const PerfCaptureOptions& options) {
  PerfCapture capture;
  capture.files = files;
  Result<void> read = options.device_only ? Result<void>() : read_host(files, capture.host);
  if (read) read = read_log(files, options, capture);
  if (!read) return failure(read.error());
  Result<std::vector<Execution>> rows = std::vector<Execution>();
  if (!options.from_device_log && !(options.compat && options.device_only)) rows = read_cpp(files, capture);
  if (!rows) return failure(rows.error());
  capture.problems.merge(capture.host.problems);
  capture.clocks = analysis::find_clocks(capture.log ? &*capture.log : nullptr, *rows, {});
  capture.device_only = options.device_only || capture.host.ops.empty();
  analysis::OpsReportOptions report;
  report.compat = options.compat;
  report.cpp_rows = !rows->empty();
  report.device_only = capture.device_only;
  report.clock_mhz = capture.log ? capture.log->clock_mhz : 0;
  report.clocks.assign(capture.clocks.begin(), capture.clocks.end());
  std::vector<Execution> executions = device_executions(capture, std::move(*rows), options);
  capture.report = analysis::build_ops_report(capture.host, std::move(executions), report);
  capture.problems.merge(capture.report.problems);
  return capture;
}

}  // namespace ttscope::cli
