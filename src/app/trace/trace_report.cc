#include "app/trace/trace_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "app/timeline/open_timeline.h"
#include "app/trace/log_remedies.h"
#include "base/file_names.h"
#include "base/result.h"
#include "base/writer.h"
#include "perf/analyze/report_rows.h"
#include "perf/load.h"
#include "perf/model/capture_files.h"
#include "perf/write/notes_text.h"
#include "perf/write_files.h"
#include "timeline/tables/tables.h"
#include "timeline/write/exports.h"
#include "ui/text.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;

bool has_files(const std::string& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && !fs::is_empty(folder, error) && !error;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Writes a file, all or nothing. One that is there stays as it is, unless it is to be renewed.
template <typename Write>
void write_new(const fs::path& path, TraceReport& report, Write write, bool renews = false) {
  if (!renews && is_file(path)) return;
  Result<std::unique_ptr<Writer>> out = open_writer(path.string());
  Result<void> done = out ? write(**out) : failure(out.error());
  if (done) done = (*out)->finish();
  if (done) {
    report.files.push_back(path.string());
  } else {
    report.notes.push_back(
        fmt::format("{} was not written: {}", path.filename().string(), done.error().message));
  }
}

bool is_of_python(std::string_view file) { return file.ends_with(".py") || file.starts_with("<"); }

/// By the zones of recorded tracks: those of ops and gaps are made of them, and cost nothing.
ProfilingOverhead overhead_of(const timeline::Timeline& timeline, bool of_device) {
  const timeline::TrackKind kind = of_device ? timeline::TrackKind::kLane : timeline::TrackKind::kThread;
  std::vector<bool> is_python;
  for (const timeline::Location& location : timeline.locations)
    is_python.push_back(!of_device && is_of_python(timeline.text(location.file)));
  ProfilingOverhead overhead;
  double covered_ns = 0;
  for (const timeline::Track& track : timeline.tracks) {
    if (track.kind != kind) continue;
    for (std::size_t i = track.first_zone; i < track.first_zone + track.zone_count; ++i) {
      const std::int64_t length_ns = timeline.zones.end_ns[i] - timeline.zones.start_ns[i];
      if (timeline.zones.depth[i] == 0)
        covered_ns += static_cast<double>(std::max<std::int64_t>(length_ns, 0));
      ++overhead.zones;
      if (is_python[timeline.zones.location[i]]) ++overhead.python_zones;
    }
  }
  const double others_ns = of_device ? kDeviceZoneCostNs : kHostZoneCostNs;
  const double cost_ns = static_cast<double>(overhead.python_zones) * kPythonZoneCostNs +
                         static_cast<double>(overhead.zones - overhead.python_zones) * others_ns;
  // Part of the cost lies around the zones: of many short ones it is more than they cover.
  if (overhead.zones > 0) overhead.percent = 100.0 * cost_ns / std::max(covered_ns, cost_ns);
  return overhead;
}

/// A capture tells ends alone: that the program did not reach them would be lost.
void note_open_zones(const timeline::Timeline& timeline, TraceReport& report) {
  constexpr auto kOpen = timeline::TimelineProblem::kZoneWithoutEnd;
  const std::uint64_t count = timeline.problems.count(kOpen);
  if (count == 0) return;
  const auto& places = timeline.problems.places(kOpen);
  report.notes.push_back(fmt::format("the program ended inside of {}{}; drawn up to the last event known",
                                     ui::counted(count, "zone"),
                                     places.empty() ? "" : " of the " + places.front()));
}

/// What the recording lacks: the files that are made of it do not tell.
void note_losses(const timeline::Timeline& timeline, TraceReport& report) {
  using timeline::FindingKind;
  for (const timeline::Finding& finding : timeline.findings) {
    if (finding.kind == FindingKind::kEventsDroppedRoom || finding.kind == FindingKind::kEventsDroppedDisk)
      report.notes.push_back(timeline::finding_text(finding));
  }
}

void write_tables(const TraceReportRequest& request, const timeline::Profile& profile, bool renews,
                  TraceReport& report) {
  timeline::CsvOptions options;
  options.child_names.insert(options.child_names.end(), request.child_functions.begin(),
                             request.child_functions.end());
  const auto write = [&](const char* name, timeline::CsvForm form, bool is_renewed) {
    options.form = form;
    const auto write_table = [&](Writer& out) -> Result<void> {
      timeline::write_csv(profile, options, out);
      return {};
    };
    write_new(fs::path(request.folders.logs) / name, report, write_table, is_renewed);
  };
  write(launch::kOpTimes, timeline::CsvForm::kOpsTimes, renews || request.renews_times);
  write(launch::kOpMessages, timeline::CsvForm::kOpsData, renews);
}

/// `reports/[NAME/]DATE`, with _2, _3 behind it where that exists.
Result<std::string> new_report_folder(const TraceReportRequest& request) {
  constexpr int kMax = 10000;
  fs::path base = request.folders.reports;
  if (!request.name.empty()) base /= request.name;
  std::error_code error;
  fs::create_directories(base, error);
  for (int number = 1; !error && number < kMax; ++number) {
    const fs::path folder =
        base / (number == 1 ? request.folders.date : fmt::format("{}_{}", request.folders.date, number));
    if (fs::create_directory(folder, error)) return folder.string();
  }
  return failure(write_failed(
      fmt::format("{}: cannot make a folder for the report: {}", base.string(), error.message())));
}

void copy_logs(const TraceReportRequest& request, TraceReport& report) {
  std::error_code error;
  for (const char* name :
       {launch::kHostCapture, launch::kOpTimes, launch::kOpMessages, profiler_names::kDeviceLog,
        profiler_names::kProgramReport, profiler_names::kSyncInfo, perf::kSimulatedChips}) {
    const fs::path from = fs::path(request.folders.logs) / name;
    if (!is_file(from)) continue;
    const fs::path to = fs::path(report.folder) / name;
    if (fs::copy_file(from, to, error)) {
      report.files.push_back(to.string());
    } else {
      report.notes.push_back(fmt::format("{} was not copied: {}", name, error.message()));
    }
  }
}

void count_rows(const perf::Capture& capture, TraceReport& report) {
  for (const perf::ReportRow& row : capture.report.rows) {
    const bool is_signpost = row.kind == perf::ReportRowKind::kSignpost;
    ++(is_signpost ? report.signposts : report.ops);
  }
}

/// NoC traces that were sent elsewhere belong to the run; those that lay there before do not.
void take_noc_traces(const TraceReportRequest& request, perf::FoundFiles& files) {
  std::error_code error;
  if (request.noc_traces.empty() || files.captures.empty() ||
      fs::equivalent(request.noc_traces, request.folders.logs, error))
    return;
  const Result<perf::FoundFiles> found = perf::find_files({request.noc_traces});
  if (!found) return;
  for (const perf::CaptureFiles& capture : found->captures) {
    for (const std::string& path : capture.noc_traces) {
      if (fs::last_write_time(path, error) >= request.begin && !error)
        files.captures.front().noc_traces.push_back(path);
    }
  }
}

}  // namespace

void write_host_files(const TraceReportRequest& request, TraceReport& report) {
  const fs::path capture = fs::path(request.folders.logs) / launch::kHostCapture;
  // The capture tool leaves what it said; without that all was made of the recording, and is as old as it
  // was.
  const bool is_ours = has_files(request.folders.recording) &&
                       !is_file(fs::path(request.folders.logs) / launch::kCaptureOutputLog);
  const bool renews = request.renews_recorded && is_ours;
  const bool has_capture = !renews && is_file(capture);
  const auto is_there = [&](const char* name) { return is_file(fs::path(request.folders.logs) / name); };
  report.has_simulated_chips = uses_simulated_chips(request.folders.logs);
  report.has_recording = has_capture || has_files(request.folders.recording) ||
                         is_there(profiler_names::kDeviceLog) || is_there(profiler_names::kProgramReport) ||
                         is_there(launch::kOpTimes) || is_there(launch::kOpMessages);
  if (!has_capture && !has_files(request.folders.recording)) return;
  const std::string host = has_capture ? capture.string() : request.folders.recording;
  TimelineOptions options;
  options.threads = request.threads;
  const Result<timeline::Profile> with_devices = open_timeline({request.folders.logs}, options);
  if (with_devices) report.device = overhead_of(with_devices->timeline, true);
  const Result<timeline::Profile> host_alone = open_timeline({host}, options);
  if (!host_alone) {
    report.notes.push_back(fmt::format("no .tracy file: {}", host_alone.error().message));
    return;
  }
  report.host = overhead_of(host_alone->timeline, false);
  note_losses(host_alone->timeline, report);
  note_open_zones(host_alone->timeline, report);
  write_tables(request, *host_alone, renews, report);
  if (has_capture) return;
  const timeline::Profile& shown = request.device_in_capture && with_devices ? *with_devices : *host_alone;
  write_new(
      capture, report,
      [&](Writer& out) -> Result<void> {
        const auto losses = timeline::write_tracy(shown.timeline, timeline::TracyVersion::kMinor11, out);
        return losses ? Result<void>{} : failure(losses.error());
      },
      renews);
}

Result<void> write_trace_report(const TraceReportRequest& request, TraceReport& report) {
  ASSIGN_OR_RETURN(std::string folder, new_report_folder(request));
  report.folder = folder;
  copy_logs(request, report);
  Result<perf::FoundFiles> files = perf::find_files({request.folders.logs});
  if (!files) {
    std::error_code ignored;
    // Never one that has something in it.
    if (fs::remove(report.folder, ignored)) report.folder.clear();
    return failure(files.error());
  }
  take_noc_traces(request, *files);
  perf::CaptureOptions options;
  options.from_device_log = request.from_device_log;
  options.noc_traces =
      std::any_of(files->captures.begin(), files->captures.end(),
                  [](const perf::CaptureFiles& capture) { return !capture.noc_traces.empty(); });
  options.threads = request.threads;
  options.read_host_capture = host_tables_of;
  ASSIGN_OR_RETURN(perf::Profile profile, perf::read_files(*files, options));
  for (perf::Capture& capture : profile.captures) {
    if (!request.analyses.empty()) perf::keep_analyses(request.analyses, capture.report);
  }
  for (const std::string& warning : profile.warnings) report.notes.push_back(warning);
  const perf::OutputTarget place = {report.folder, request.name, true, request.folders.date};
  ASSIGN_OR_RETURN(std::vector<std::string> written, perf::write_files(profile.captures, {}, place));
  report.files.insert(report.files.end(), written.begin(), written.end());
  report.is_ops_report = !written.empty();
  for (const perf::Capture& capture : profile.captures) {
    count_rows(capture, report);
    if (capture.problems.count(perf::PerfProblem::kSignpostUnplaced) > 0)
      report.notes.push_back(perf::perf_problem_text(capture.problems, perf::PerfProblem::kSignpostUnplaced));
  }
  return {};
}

}  // namespace ttscope::app
