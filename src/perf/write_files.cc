#include "perf/write_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "base/result.h"
#include "base/writer.h"
#include "perf/analyze/device_stats.h"
#include "perf/compat/captures.h"
#include "perf/read/log_rows.h"
#include "perf/read/ops_report.h"
#include "perf/write/capture_sections.h"
#include "perf/write/device_stats.h"
#include "perf/write/ops_csv.h"

namespace ttscope::perf {
namespace {

template <typename Write>
Result<void> write_noted(const std::string& path, std::vector<std::string>& written, Write write) {
  Result<void> done = write_file(path, write);
  if (done) written.push_back(path);
  return done;
}

Result<void> write_analysis_files(const Capture& capture, bool compat, const OutputFolder& folder,
                                  std::vector<std::string>& written) {
  const MarkerLog log = find_marker_lanes(capture.log_text.bytes());
  std::vector<std::unique_ptr<DeviceTimelines>> devices;
  std::vector<DeviceStats> stats;
  for (const DeviceMarkers& device : log.devices) {
    devices.push_back(std::make_unique<DeviceTimelines>(device, *log.rows, compat));
    stats.push_back(compute_device_stats(*devices.back()));
  }
  const std::string text_path = folder.new_path("device_stats", ".txt");
  Result<void> done =
      write_noted(text_path, written, [&](Writer& out) { out.write(device_stats_text(stats, compat)); });
  if (!done) return done;
  const std::string json_path = folder.new_path("device_analysis_data", ".json");
  const auto name_of = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  const AnalysisSetup setup{capture.files.device_log, folder.folder, name_of(json_path), name_of(text_path),
                            compat};
  return write_noted(json_path, written, [&](Writer& out) {
    write_device_analysis({*capture.log, devices, stats, setup}, out);
  });
}

/// What the options ask for beside the report.
Result<void> write_side_files(const Capture& capture, const WriteOptions& options, const OutputFolder& folder,
                              std::vector<std::string>& written) {
  Result<void> done;
  if (capture.log && options.per_core_times) {
    done = write_noted(folder.new_path("per_core_op_to_op_times", ".csv"), written, [&](Writer& out) {
      if (options.compat) return compat::write_core_gaps(*capture.log, out);
      write_core_gaps(*capture.log, capture.clocks, out);
    });
  }
  if (done && capture.log && options.device_analysis)
    done = write_analysis_files(capture, options.compat, folder, written);
  if (done && !capture.noc.empty()) {
    done = write_noted(folder.new_path("noc_summary", ".csv"), written,
                       [&](Writer& out) { write_noc_summary(capture.noc, out); });
  }
  if (done && capture.zones) {
    done = write_noted(folder.new_path("zones", ".csv"), written,
                       [&](Writer& out) { write_zone_csv(*capture.zones, out); });
  }
  return done;
}

/// Whoever opens the report alone has to know it, too. A word that is there is of a report of this name that
/// is no more, or of a run, which says it as well.
Result<void> update_simulated_marker(const std::string& report, bool is_simulated,
                                     std::vector<std::string>& written) {
  const std::string word = simulated_marker_path(report);
  std::error_code ignored;
  const bool is_there = !word.empty() && std::filesystem::exists(word, ignored);
  if (!is_simulated) {
    if (is_there && is_marker_of_report(word, report)) std::filesystem::remove(word, ignored);
    return {};
  }
  if (word.empty() || is_there) return {};
  return write_noted(word, written, [&](Writer& out) { out.write(simulated_marker_text(report)); });
}

bool are_simulated(const std::vector<Capture>& captures) {
  return std::any_of(captures.begin(), captures.end(), [](const Capture& capture) {
    return capture.problems.count(PerfProblem::kSimulatedChips) > 0;
  });
}

}  // namespace

Result<std::vector<std::string>> write_files(const std::vector<Capture>& captures,
                                             const WriteOptions& options, const OutputTarget& place) {
  const Result<OutputFolder> folder = make_output_folder(place);
  if (!folder) return failure(folder.error());
  std::vector<std::string> written;
  Result<void> done;
  if (options.compat || has_report(captures)) {
    const std::string report = folder->new_path("ops_perf_results", ".csv");
    done = write_noted(report, written, [&](Writer& out) {
      if (options.compat) return compat::write_ops_csv(rows_of(captures), form_of(captures), out);
      write_ops_csv(rows_of(captures), form_of(captures), out);
    });
    if (done) done = update_simulated_marker(report, are_simulated(captures), written);
  }
  for (std::size_t i = 0; done && i < captures.size(); ++i) {
    const std::string& host = captures[i].host_name;
    const OutputFolder own{folder->folder, folder->suffix + (host.empty() ? "" : "_" + host)};
    done = write_side_files(captures[i], options, own, written);
  }
  if (!done) return failure(done.error());
  return written;
}

Result<std::vector<std::string>> copy_reports(FoundFiles& files, const OutputTarget& place) {
  ASSIGN_OR_RETURN(const OutputFolder folder, make_output_folder(place));
  std::vector<std::string> written;
  for (const std::string& path : files.reports) {
    ASSIGN_OR_RETURN(const io::WholeText text, files.texts.open(path));
    const std::string report = folder.new_path("ops_perf_results", ".csv");
    Result<void> done = write_noted(report, written, [&](Writer& out) { out.write(text.bytes()); });
    if (done) done = update_simulated_marker(report, !find_simulated_marker(path).empty(), written);
    if (!done) return failure(done.error());
  }
  return written;
}

namespace fs = std::filesystem;

std::string OutputFolder::new_path(const std::string& base, const std::string& extension) const {
  for (int number = 1;; ++number) {
    const std::string count = number == 1 ? "" : fmt::format("_{}", number);
    const fs::path path = fs::path(folder) / fmt::format("{}{}{}{}", base, suffix, count, extension);
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) return path.string();
  }
}

Result<OutputFolder> make_output_folder(const OutputTarget& place) {
  OutputFolder result;
  if (!place.name.empty()) result.suffix += "_" + place.name;
  if (place.dates_files || place.folder.empty()) result.suffix += "_" + place.date;
  fs::path folder = place.folder;
  if (place.folder.empty()) {
    folder = fs::path("generated") / "profiler" / "reports";
    if (!place.name.empty()) folder /= place.name;
    folder /= place.date;
  }
  RETURN_IF_ERROR(check_output_path(folder.string()));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failure(write_failed(fmt::format("{}: {}", folder.string(), error.message())));
  result.folder = folder.string();
  return result;
}

}  // namespace ttscope::perf
