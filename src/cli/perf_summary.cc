#include "cli/perf_summary.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>

#include "base/text_escape.h"
#include "perf/analyse/device_stats/device_stats.h"
#include "perf/read/device_log/marker_lanes.h"
#include "perf/write/device_stats/counter_tables.h"
#include "perf/write/device_stats/device_analysis_json.h"
#include "perf/write/device_stats/device_stats_text.h"
#include "perf/write/noc_csv/noc_summary_csv.h"
#include "perf/write/words/perf_trust.h"
#include "report/number_text.h"

namespace ttscope::cli {
namespace {

template <typename Write>
Result<void> write_noted(const std::string& path, std::vector<std::string>& written, Write write) {
  const Result<void> done = write_file(path, write);
  if (done) written.push_back(path);
  return done;
}

Result<void> write_device_analysis(const PerfCapture& capture, bool compat, const PerfFolder& folder,
                                   std::vector<std::string>& written) {
  const perf::MarkerLog log = perf::find_marker_lanes(capture.log_text.bytes());
  std::vector<std::unique_ptr<perf::DeviceTimelines>> devices;
  std::vector<perf::DeviceStats> stats;
  for (const perf::DeviceMarkers& device : log.devices) {
    devices.push_back(std::make_unique<perf::DeviceTimelines>(device, *log.rows, compat));
    stats.push_back(perf::compute_device_stats(*devices.back()));
  }
  const std::string text_path = folder.new_path("device_stats", ".txt");
  const Result<void> done = write_noted(
      text_path, written, [&](Writer& out) { out.write(perf::device_stats_text(stats, compat)); });
  if (!done) return done;
  const std::string json_path = folder.new_path("device_analysis_data", ".json");
  const auto name_of = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  const perf::AnalysisSetup setup{capture.files.device_log, folder.folder, name_of(json_path),
                                  name_of(text_path), compat};
  return write_noted(json_path, written, [&](Writer& out) {
    perf::write_device_analysis({*capture.log, devices, stats, setup}, out);
  });
}

/// What the options ask for beside the report.
Result<void> write_files_beside(const PerfCapture& capture, const PerfCaptureOptions& options,
                                const PerfFolder& folder, std::vector<std::string>& written) {
  Result<void> done;
  if (capture.log && (options.per_core_times || options.device_only)) {
    done = write_noted(folder.new_path("per_core_op_to_op_times", ".csv"), written, [&](Writer& out) {
      perf::write_core_gaps(*capture.log, capture.clocks, options.compat, out);
    });
  }
  if (done && capture.log && options.device_analysis)
    done = write_device_analysis(capture, options.compat, folder, written);
  if (done && options.noc_traces && !capture.noc.empty()) {
    done = write_noted(folder.new_path("noc_summary", ".csv"), written,
                       [&](Writer& out) { perf::write_noc_summary(capture.noc, out); });
  }
  if (done && capture.zones) {
    done = write_noted(folder.new_path("zones", ".csv"), written,
                       [&](Writer& out) { perf::write_zone_csv(*capture.zones, out); });
  }
  return done;
}

std::string counters_text(const PerfCapture& capture) {
  if (!capture.log || capture.log->counters.empty()) return "No hardware counters in the device log\n";
  return perf::counter_table_text(perf::summarise_counters(*capture.log), capture.counter_figures);
}

std::string zones_text(const PerfCapture& capture, const PerfCaptureOptions& options) {
  if (!capture.zones) return options.zones ? "No device log, so no zones\n" : "";
  StringWriter out;
  perf::write_zone_table(*capture.zones, options.color, out);
  static_cast<void>(out.finish());
  return out.text() + "\n";
}

std::string device_line(const PerfCapture& capture) {
  std::set<std::uint32_t> devices;
  std::string arch;
  for (const perf::Execution& execution : capture.report.executions) {
    devices.insert(execution.key.device);
    if (arch.empty()) arch = execution.arch;
  }
  if (devices.empty()) return "  no device data\n";
  std::string clock = "clock unknown";
  const auto found = capture.clocks.find(*devices.begin());
  if (found != capture.clocks.end() && found->second > 0) clock = fmt::format("{:g} MHz", found->second);
  return fmt::format("  {} {}, {}, {}\n", report::counted(devices.size(), "device"),
                     terminal_safe(arch.empty() ? "of unknown architecture" : arch), clock,
                     report::counted(capture.report.executions.size(), "execution"));
}

std::string capture_text(const PerfCapture& capture) {
  std::string text = fmt::format("{}\n", terminal_safe(capture.files.name));
  std::uint64_t signposts = 0;
  for (const perf::ReportRow& row : capture.report.rows) {
    signposts += row.kind == perf::ReportRowKind::kSignpost ? 1 : 0;
  }
  text += fmt::format("  {}", report::counted(capture.report.rows.size(), "row"));
  if (!capture.device_only) {
    text += fmt::format(": {}, {} with device data", report::counted(capture.report.host_ops, "op"),
                        report::count_text(capture.report.ops_with_device_data));
    if (signposts > 0) text += ", " + report::counted(signposts, "signpost");
  } else {
    text += " of the device alone";
  }
  text += "\n" + device_line(capture);
  if (capture.log) text += fmt::format("  {} of the device log\n", report::counted(capture.log->rows, "row"));
  if (capture.lacks_op_ids()) text += fmt::format("  {}\n", kNoOpIds);
  if (capture.report.unmatched_device_ns > 0) {
    text += fmt::format("  {:.0f} ns of kernel time are in executions that the host does not know\n",
                        capture.report.unmatched_device_ns);
  }
  return text;
}

}  // namespace

Result<std::vector<std::string>> write_perf_files(const std::vector<PerfCapture>& captures,
                                                  const PerfCaptureOptions& options, const PerfPlace& place,
                                                  const std::string& report) {
  const Result<PerfFolder> folder = make_perf_folder(place);
  if (!folder) return failure(folder.error());
  std::vector<std::string> written;
  Result<void> done;
  if (!report.empty()) {
    done = write_noted(folder->new_path("ops_perf_results", ".csv"), written,
                       [&](Writer& out) { out.write(report); });
  }
  for (std::size_t i = 0; done && i < captures.size(); ++i) {
    const PerfFolder own{folder->folder,
                         folder->suffix + (captures.size() > 1 ? "_" + host_names(captures)[i] : "")};
    done = write_files_beside(captures[i], options, own, written);
  }
  if (!done) return failure(done.error());
  return written;
}

std::string perf_counters_text(const std::vector<PerfCapture>& captures) {
  std::string text;
  for (const PerfCapture& capture : captures) {
    if (captures.size() > 1) text += fmt::format("{}\n", terminal_safe(capture.files.name));
    text += counters_text(capture);
  }
  return text;
}

std::string perf_summary_text(const std::vector<PerfCapture>& captures, const PerfCaptureOptions& options,
                              const std::vector<std::string>& written) {
  std::string text;
  for (const PerfCapture& capture : captures) {
    text += capture_text(capture) + perf::perf_trust_text(capture.problems);
    text += zones_text(capture, options);
  }
  if (options.counter_tables) text += perf_counters_text(captures);
  if (!written.empty()) text += "Written\n";
  for (const std::string& path : written) text += fmt::format("  {}\n", terminal_safe(path));
  return text;
}

}  // namespace ttscope::cli
