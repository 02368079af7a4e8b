#include "app/timeline/open_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "app/formats.h"
#include "app/timeline/device_tracks.h"
#include "app/timeline/memory_curves.h"
#include "base/file_names.h"
#include "base/number_text.h"
#include "base/result.h"
#include "base/writer.h"
#include "io/input_files.h"
#include "io/open_input.h"
#include "perf/load.h"
#include "timeline/analyze/edits.h"
#include "timeline/analyze/op_tracks.h"
#include "timeline/load.h"
#include "timeline/read/host_csv.h"
#include "timeline/read/recording_reader.h"
#include "timeline/tables/tables.h"
#include "timeline/write/exports.h"

namespace ttscope::app {
namespace {

std::string table_of(const timeline::Profile& profile, timeline::CsvForm form) {
  StringWriter out;
  timeline::CsvOptions options;
  options.form = form;
  timeline::write_csv(profile, options, out);
  return out.finish() ? out.text() : std::string();
}

}  // namespace

Result<perf::HostTables> host_tables_of(const std::string& path) {
  Result<timeline::Timeline> timeline = timeline::load_timeline({path});
  if (!timeline) return failure(timeline.error());
  perf::HostTables tables;
  tables.is_simulated = timeline->has_simulated_chips();
  for (const timeline::Finding& finding : timeline->findings) {
    if (finding.kind == timeline::FindingKind::kSimulatedChips) continue;
    tables.warning += (tables.warning.empty() ? "" : "; ") + timeline::finding_text(finding);
  }
  timeline::Profile profile;
  profile.timeline = std::move(*timeline);
  tables.times = table_of(profile, timeline::CsvForm::kOpsTimes);
  tables.messages = table_of(profile, timeline::CsvForm::kOpsData);
  return tables;
}

namespace {

namespace fs = std::filesystem;
using timeline::AlignmentBasis;
using timeline::kNoOp;
using timeline::Timeline;

/// The zones of threads that are ops, and when they begin.
void find_ops(HostSide& host) {
  Timeline& timeline = host.timeline;
  for (timeline::ZoneDetail& detail : timeline.details) {
    if (detail.op == kNoOp) detail.op = timeline::op_of_text(timeline.text(detail.text));
  }
  for (const timeline::Track& track : timeline.tracks) {
    if (track.kind != timeline::TrackKind::kThread) continue;
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      const std::uint64_t op = timeline.details[timeline.zones.detail[zone]].op;
      if (op == kNoOp) continue;
      const std::int64_t start = timeline.zones.start_ns[zone];
      const auto [known, is_new] = host.clock.starts.try_emplace(op, start);
      if (is_new || start < known->second) {
        known->second = start;
        host.zones[op] = zone;
      }
    }
  }
}

HostSide side_of(Timeline timeline) {
  HostSide host;
  host.timeline = std::move(timeline);
  host.timeline.find_span();
  find_ops(host);
  host.clock.first_ns = host.timeline.first_ns;
  host.clock.has_content = host.timeline.has_content();
  if (!host.timeline.sources.empty()) {
    host.clock.captured_at_ns = host.timeline.sources.front().captured_at_ns;
    host.clock.captured_within_ns = host.timeline.sources.front().captured_within_ns;
  }
  return host;
}

/// The capture that the profiler leaves beside its files; empty: none. Where it was made of a recording, that
/// is taken: it tells when it began more exactly than to the second.
std::string capture_next_to(const perf::CaptureFiles& files) {
  std::error_code error;
  for (const std::string& file : files.all()) {
    const fs::path folder = fs::path(file).parent_path();
    const fs::path recording = folder / profiler_names::kRecording;
    if (fs::is_directory(recording, error) && !timeline::recording_files(recording.string()).empty())
      return recording.string();
    const fs::path capture = folder / profiler_names::kHostCapture;
    if (fs::is_regular_file(capture, error)) return capture.string();
  }
  return is_recording(files.host_capture) ? files.host_capture : std::string();
}

/// Zones and messages of the tables that csvexport made.
Result<void> add_host_tables(const perf::Capture& capture, Timeline& timeline) {
  const perf::CaptureFiles& files = capture.files;
  if (!files.has_host()) return {};
  timeline.groups.push_back({timeline.texts.intern("Host"), kNone});
  const auto group = static_cast<std::uint32_t>(timeline.groups.size() - 1);
  for (const std::string& path : {files.host_times, files.host_messages}) {
    if (path.empty()) continue;
    ASSIGN_OR_RETURN(const io::WholeText text, io::open_whole_text(path));
    if (!text.warning.empty()) timeline.findings.push_back(timeline::reader_warning(text.warning));
    const bool is_times = path == files.host_times;
    if (is_times) {
      timeline::add_host_times(text.bytes(), group, timeline);
    } else {
      timeline::add_host_messages(text.bytes(), timeline);
    }
    timeline.sources.push_back(
        {.path = path, .format = is_times ? "zones of csvexport" : "messages of csvexport"});
  }
  timeline.alignments.push_back({.what = "Host", .basis = AlignmentBasis::kAxis});
  return {};
}

/// It is said of the device log.
void forget_simulated_chips(Timeline& timeline) {
  std::erase_if(timeline.findings, [](const timeline::Finding& finding) {
    return finding.kind == timeline::FindingKind::kSimulatedChips;
  });
}

/// Device zones of the capture itself stand behind those of threads.
void drop_device_tracks(Timeline& timeline) {
  const auto first = std::find_if(timeline.tracks.begin(), timeline.tracks.end(),
                                  [](const timeline::Track& track) { return track.is_of_device(); });
  if (first == timeline.tracks.end()) return;
  const std::size_t zones = first->first_zone;
  const auto kept = static_cast<std::uint32_t>(first - timeline.tracks.begin());
  timeline.tracks.erase(first, timeline.tracks.end());
  timeline.zones.start_ns.resize(zones);
  timeline.zones.end_ns.resize(zones);
  timeline.zones.location.resize(zones);
  timeline.zones.detail.resize(zones);
  timeline.zones.depth.resize(zones);
  timeline.groups.resize(1);
  std::erase_if(timeline.messages, [&](const timeline::Message& message) {
    return message.track != kNone && message.track >= kept;
  });
  timeline.findings.push_back({.kind = timeline::FindingKind::kDeviceZonesDropped});
}

}  // namespace

bool is_recording(const std::string& path) {
  std::error_code error;
  return path.ends_with(".ttrec") || fs::is_directory(path, error);
}

Result<HostSide> host_of_capture(const std::vector<std::string>& paths) {
  Result<Timeline> timeline = timeline::load_timeline(paths);
  if (!timeline) return failure(timeline.error());
  timeline::add_ops_of_lanes(*timeline);
  return side_of(std::move(*timeline));
}

void name_host(const std::string& name, HostSide& host) {
  Timeline& timeline = host.timeline;
  if (name.empty() || timeline.groups.empty()) return;
  for (timeline::TrackGroup& group : timeline.groups) {
    if (group.parent != kNone) continue;
    const std::string own = fmt::format("{} {}", timeline.text(group.name), name);
    group.name = timeline.texts.intern(own);
  }
  for (timeline::Alignment& alignment : timeline.alignments) alignment.what = "host " + name;
}

Result<HostSide> host_of_run(const perf::Capture& capture, const std::string& given) {
  const std::string path = !given.empty() ? given : capture_next_to(capture.files);
  Timeline timeline;
  if (!path.empty()) {
    Result<Timeline> host = timeline::load_timeline({path});
    if (host) {
      if (capture.problems.count(perf::PerfProblem::kSimulatedChips) > 0) forget_simulated_chips(*host);
      // The log has the ops, and times of its own.
      if (capture.log) drop_device_tracks(*host);
      if (!capture.log) timeline::add_ops_of_lanes(*host);
      HostSide side = side_of(std::move(*host));
      name_host(capture.host_name, side);
      return side;
    }
    if (!given.empty()) return failure(host.error());
    timeline.findings.push_back(timeline::reader_warning(host.error().message));
  }
  RETURN_IF_ERROR(add_host_tables(capture, timeline));
  HostSide side = side_of(std::move(timeline));
  name_host(capture.host_name, side);
  return side;
}

std::vector<HostOps> join_hosts(std::vector<HostSide>& hosts, Timeline& into) {
  std::vector<HostOps> host_ops;
  constexpr double kMax = 4e18;
  constexpr unsigned kHostShift = 40;  // ids of threads are smaller
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    HostSide& host = hosts[i];
    for (timeline::Alignment& alignment : host.timeline.alignments) {
      if (i == 0) break;
      alignment.basis = host.clock.basis;
      alignment.samples = host.clock.samples;
      alignment.worst_ns = host.clock.worst_ns;
    }
    for (timeline::Track& track : host.timeline.tracks) {
      if (track.kind == timeline::TrackKind::kThread) track.id |= std::uint64_t{i} << kHostShift;
    }
    const auto shift_ns = static_cast<std::int64_t>(std::clamp(host.clock.shift_ns, -kMax, kMax));
    host_ops.push_back(collect_host_ops(host.timeline, shift_ns));
    const std::size_t first = timeline::append_timeline(std::move(host.timeline), shift_ns, into);
    for (auto& [op, zone] : host.zones) zone += first;
  }
  if (hosts.size() > 1) into.merge_equal_locations();
  return host_ops;
}

namespace {

/// Whether the profiler wrote into this folder.
bool has_run_files(const fs::path& folder) {
  std::error_code error;
  for (const char* name : {profiler_names::kDeviceLog, profiler_names::kHostCapture, profiler_names::kOpTimes,
                           profiler_names::kProgramReport}) {
    if (fs::is_regular_file(folder / name, error)) return true;
  }
  return false;
}

/// The recording that a run without any other file left, as one whose profiler was killed.
bool has_recording(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && !timeline::recording_files(folder.string()).empty();
}

/// What is read of a folder of a run; empty: it is none.
std::string run_in(const fs::path& folder) {
  if (has_run_files(folder) || has_run_files(folder / ".logs")) return folder.string();
  for (const fs::path& recording :
       {folder / profiler_names::kRecording, folder / ".logs" / profiler_names::kRecording}) {
    if (has_recording(recording)) return recording.string();
  }
  return {};
}

/// A run below the folder that was given.
struct NestedRun {
  std::string path;         ///< what is read of it
  fs::path owner;           ///< the folder of the profiler or the rank that it belongs to
  bool is_of_rank = false;  ///< by its name, or it is the last run of a folder of the profiler
  bool is_last = false;     ///< not an earlier one, and no copy
};

bool is_rank_name(const std::string& name) {
  return name.size() > 4 && name.starts_with("rank") &&
         name.find_first_not_of("0123456789", 4) == std::string::npos;
}

NestedRun run_below(const fs::path& base, const fs::path& folder, std::string run) {
  NestedRun below;
  below.path = std::move(run);
  below.owner = base;
  below.is_last = true;
  std::error_code ignored;
  below.is_of_rank = fs::is_directory(folder / ".logs", ignored);
  for (const fs::path& part : folder.lexically_relative(base)) {
    if (part == "reports" || part == "earlier_logs") {
      below.is_last = false;
      break;
    }
    below.owner /= part;
    below.is_of_rank = below.is_of_rank || is_rank_name(part.string());
  }
  return below;
}

std::vector<NestedRun> find_runs_below(const fs::path& base) {
  constexpr int kMaxDepth = 4;
  std::vector<NestedRun> runs;
  std::error_code error;
  fs::recursive_directory_iterator at(base, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (!at->is_directory(error)) continue;
    if (at.depth() >= kMaxDepth) {
      at.disable_recursion_pending();
      continue;
    }
    std::string run = run_in(at->path());
    if (run.empty()) continue;
    runs.push_back(run_below(base, at->path(), std::move(run)));
    at.disable_recursion_pending();
  }
  return runs;
}

/// When the newest file of a run was written.
fs::file_time_type last_written(const std::string& folder) {
  fs::file_time_type latest = fs::file_time_type::min();
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code no_time;
    const fs::file_time_type time = at->last_write_time(no_time);
    if (!no_time && at->is_regular_file(no_time)) latest = std::max(latest, time);
  }
  return latest;
}

/// Of copied files, which have one time, the name decides: it has the date.
const NestedRun& newest_of(const std::vector<NestedRun>& runs) {
  const auto is_older = [](const NestedRun& a, const NestedRun& b) {
    const fs::file_time_type first = last_written(a.path);
    const fs::file_time_type second = last_written(b.path);
    return first != second ? first < second : fs::path(a.path).filename() < fs::path(b.path).filename();
  };
  return *std::max_element(runs.begin(), runs.end(), is_older);
}

void take_newest(const std::vector<NestedRun>& runs, const fs::path& folder, RunFolders& found) {
  const NestedRun& newest = newest_of(runs);
  found.remarks.push_back(runs.size() == 1
                              ? fmt::format("reading {}", newest.path)
                              : fmt::format("reading {}, the newest of {} runs and copies of runs below {}",
                                            newest.path, runs.size(), folder.string()));
  found.paths.push_back(newest.path);
}

/// The ranks below a folder; where there are none, its newest run.
void take_below(const fs::path& base, RunFolders& found) {
  const std::vector<NestedRun> runs = find_runs_below(base);
  std::map<fs::path, std::vector<NestedRun>> ranks;
  for (const NestedRun& run : runs) {
    if (run.is_of_rank) ranks[run.owner].push_back(run);
  }
  if (ranks.empty()) {
    if (!runs.empty()) take_newest(runs, base, found);
    return;
  }
  for (const auto& [owner, own] : ranks) {
    const auto last = std::find_if(own.begin(), own.end(), [](const NestedRun& run) { return run.is_last; });
    if (last == own.end()) {
      take_newest(own, owner, found);
    } else {
      found.paths.push_back(last->path);
    }
  }
}

}  // namespace

RunFolders runs_of_folders(const std::vector<std::string>& paths) {
  RunFolders found;
  std::error_code error;
  for (const std::string& path : paths) {
    const std::size_t before = found.paths.size();
    const std::string own = fs::is_directory(path, error) ? run_in(path) : path;
    if (own.empty()) take_below(path, found);
    if (found.paths.size() == before) found.paths.push_back(own.empty() ? path : own);
  }
  return found;
}

namespace {

using timeline::FindingKind;

/// The inputs by what reads them.
struct TimelineInputs {
  std::vector<std::string> captures;        ///< of Tracy, or recordings
  std::vector<std::string> profiler_files;  ///< and folders
  std::vector<std::string> memory_logs;     ///< of the runtime
  std::vector<std::string> remarks;         ///< which of several was chosen
};

Result<TimelineInputs> sorted_inputs(const std::vector<std::string>& paths) {
  TimelineInputs inputs;
  RunFolders runs = runs_of_folders(paths);
  inputs.remarks = std::move(runs.remarks);
  for (const std::string& path : runs.paths) {
    ASSIGN_OR_RETURN(const Detected found, detect(path));
    if (found.format == nullptr || !found.format->subject) {
      const std::string message = kind_text(found);
      return failure(found.is("empty") ? nothing_found(message) : bad_input(message));
    }
    switch (*found.format->subject) {
      case Subject::kTimeline:
        inputs.captures.push_back(path);
        break;
      case Subject::kPerf:
        inputs.profiler_files.push_back(path);
        break;
      case Subject::kMem:
        if (found.is("runtime_log")) {
          inputs.memory_logs.push_back(path);
          break;
        }
        [[fallthrough]];
      default:
        return failure(bad_input(kind_text(found)));
    }
  }
  return inputs;
}

Result<perf::Profile> load_run(const std::vector<std::string>& paths, unsigned threads) {
  ASSIGN_OR_RETURN(perf::FoundFiles files, perf::find_files(paths));
  perf::LoadOptions load;
  load.capture.threads = threads;
  load.capture.read_host_capture = host_tables_of;
  if (std::string refusal = perf::refusal_of(files, load.capture); !refusal.empty()) {
    return failure(bad_input(std::move(refusal)));
  }
  Result<perf::Profile> run = perf::read_files(files, load.capture);
  if (!run) return run;
  load.shown.ignore_signposts = true;  // an axis has all ops
  const Result<void> analyzed = perf::analyze_profile(load, *run);
  // A run without ops may still have zones.
  if (!analyzed && analyzed.error().code != ErrorCode::kNothingFound) return failure(analyzed.error());
  return run;
}

/// Which capture of Tracy belongs to which run: those of its folder, else in the order in which they were
/// given.
Result<std::vector<std::string>> captures_of_runs(const TimelineInputs& inputs, const perf::Profile& run) {
  std::vector<std::string> given(run.captures.size());
  std::vector<std::string> rest = inputs.captures;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto own = std::find(rest.begin(), rest.end(), run.captures[i].files.host_capture);
    if (own == rest.end() || run.captures[i].files.host_capture.empty()) continue;
    given[i] = *own;
    rest.erase(own);
  }
  std::size_t next = 0;
  for (std::string& path : given) {
    if (path.empty() && next < rest.size()) path = rest[next++];
  }
  if (next < rest.size()) {
    return failure(bad_input(
        fmt::format("{}: of {} there are fewer than of Tracy's captures; give a folder for each host",
                    rest[next], "the profiler's folders")));
  }
  return given;
}

/// Ops that only one side knows have no track of their own, whatever their zones show.
void add_unmatched_ops(const perf::Capture& capture, Timeline& timeline) {
  using perf::PerfProblem;
  for (const auto& [problem, kind] :
       {std::pair(PerfProblem::kDeviceOpWithoutHost, FindingKind::kOpsWithoutHost),
        std::pair(PerfProblem::kOpWithoutDeviceData, FindingKind::kOpsWithoutDevice)}) {
    const std::uint64_t count = capture.report.problems.count(problem);
    if (count == 0) continue;
    const auto& places = capture.report.problems.places(problem);
    timeline.findings.push_back(
        {.kind = kind, .place = places.empty() ? std::string() : places.front(), .count = count});
  }
}

/// What of the profiler's files could not be read; the rest of what perf finds in them is about its report.
void add_problems_of_files(const perf::Profile& run, Timeline& timeline) {
  using perf::PerfProblem;
  for (const perf::Capture& capture : run.captures) {
    if (capture.files.has_device()) add_unmatched_ops(capture, timeline);
    if (capture.problems.count(PerfProblem::kSimulatedChips) > 0)
      timeline.findings.push_back({.kind = FindingKind::kSimulatedChips, .file = capture.files.device_log});
    for (const PerfProblem problem :
         {PerfProblem::kRowUnreadable, PerfProblem::kHeaderIncomplete, PerfProblem::kTimestampWrapped,
          PerfProblem::kOpMessageCut, PerfProblem::kMessageMalformed, PerfProblem::kQuoteUnclosed,
          PerfProblem::kFileCut, PerfProblem::kMarkersDropped}) {
      const std::uint64_t count = capture.problems.count(problem);
      if (count == 0) continue;
      const auto& places = capture.problems.places(problem);
      timeline.findings.push_back({.kind = FindingKind::kBadRecords,
                                   .problem = std::string(perf::info_of(problem).key),
                                   .text = std::string(perf::info_of(problem).sentence),
                                   .place = places.empty() ? std::string() : places.front(),
                                   .count = count});
    }
  }
}

Result<std::vector<HostOps>> add_run(const TimelineInputs& inputs, const TimelineOptions& options,
                                     Timeline& timeline) {
  // What ops are called is in the capture; beside a folder it would be another host.
  std::vector<std::string> paths = inputs.profiler_files;
  std::error_code error;
  const bool has_folder = std::any_of(paths.begin(), paths.end(),
                                      [&](const std::string& path) { return fs::is_directory(path, error); });
  if (!has_folder && inputs.captures.size() == 1) paths.push_back(inputs.captures.front());
  ASSIGN_OR_RETURN(const perf::Profile run, load_run(paths, options.threads));
  ASSIGN_OR_RETURN(const std::vector<std::string> given, captures_of_runs(inputs, run));
  std::vector<HostSide> hosts;
  std::vector<HostClock> clocks;
  for (std::size_t i = 0; i < run.captures.size(); ++i) {
    ASSIGN_OR_RETURN(HostSide host, host_of_run(run.captures[i], given[i]));
    hosts.push_back(std::move(host));
    clocks.push_back(hosts.back().clock);
  }
  DeviceRun devices = {run, device_clocks(run, clocks), {}, options.threads};
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i].clock = std::move(clocks[i]);
  std::vector<HostOps> host_ops = join_hosts(hosts, timeline);
  for (HostSide& host : hosts) devices.host_zones.push_back(std::move(host.zones));
  for (const perf::Capture& capture : run.captures) {
    if (capture.log) timeline.sources.push_back({.path = capture.files.device_log, .format = "device log"});
  }
  add_device_tracks(std::move(devices), timeline);
  for (const std::string& warning : run.warnings)
    timeline.findings.push_back(timeline::reader_warning(warning));
  add_problems_of_files(run, timeline);
  return host_ops;
}

/// What several captures are called: each by its first file.
std::vector<std::string> names_of_sets(const std::vector<std::vector<std::string>>& sets) {
  std::vector<std::string> first;
  first.reserve(sets.size());
  for (const std::vector<std::string>& set : sets) first.push_back(set.front());
  return io::input_names(first);
}

Result<std::vector<HostOps>> add_captures(const std::vector<std::string>& paths, Timeline& timeline) {
  std::vector<HostSide> hosts;
  std::vector<HostClock> clocks;
  std::vector<std::vector<std::string>> sets;
  std::vector<std::string> recordings;
  for (const std::string& path : paths) {
    if (is_recording(path)) {
      recordings.push_back(path);
    } else {
      sets.push_back({path});
    }
  }
  if (!recordings.empty()) sets.push_back(recordings);
  for (const std::vector<std::string>& set : sets) {
    ASSIGN_OR_RETURN(HostSide host, host_of_capture(set));
    hosts.push_back(std::move(host));
    clocks.push_back(hosts.back().clock);
  }
  const std::vector<std::string> names = names_of_sets(sets);
  for (std::size_t i = 0; i < hosts.size() && hosts.size() > 1; ++i) name_host(names[i], hosts[i]);
  align_hosts_by_time(clocks);
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i].clock = std::move(clocks[i]);
  return join_hosts(hosts, timeline);
}

}  // namespace

Result<timeline::Profile> open_timeline(const std::vector<std::string>& paths,
                                        const TimelineOptions& options) {
  ASSIGN_OR_RETURN(const TimelineInputs inputs, sorted_inputs(paths));
  Timeline timeline;
  const bool has_run = !inputs.profiler_files.empty();
  ASSIGN_OR_RETURN(const std::vector<HostOps> host_ops,
                   has_run ? add_run(inputs, options, timeline) : add_captures(inputs.captures, timeline));
  for (const std::string& remark : inputs.remarks)
    timeline.findings.push_back(timeline::reader_warning(remark));
  timeline.find_span();
  for (const MemoryLog& log : named_logs(inputs.memory_logs)) {
    RETURN_IF_ERROR(add_memory_curves(log, host_ops, options.threads, timeline));
  }
  timeline.find_span();
  timeline::cut(options.cut, timeline);
  return timeline::profile_of(paths.front(), std::move(timeline));
}

}  // namespace ttscope::app
