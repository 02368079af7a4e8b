#include "app/timeline/open_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/identify.h"
#include "app/timeline/device_tracks.h"
#include "app/timeline/host_side.h"
#include "app/timeline/host_tables.h"
#include "app/timeline/memory_curves.h"
#include "app/timeline/run_folders.h"
#include "io/input_names.h"
#include "perf/load.h"
#include "timeline/load.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using timeline::FindingKind;
using timeline::Timeline;

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
    const Result<Identified> found = identify(path);
    if (!found) return failure(found.error());
    if (found->format == nullptr || !found->format->subject) {
      const bool is_empty = found->format != nullptr && found->format->key == "empty";
      const std::string message = not_a_profile_message(path, *found);
      return failure(is_empty ? nothing_found(message) : bad_input(message));
    }
    switch (*found->format->subject) {
      case Subject::kTimeline:
        inputs.captures.push_back(path);
        break;
      case Subject::kPerf:
        inputs.profiler_files.push_back(path);
        break;
      case Subject::kMem:
        if (found->format->key == "runtime_log") {
          inputs.memory_logs.push_back(path);
          break;
        }
        [[fallthrough]];
      default:
        return failure(bad_input(wrong_kind_message(path, found->format, Subject::kTimeline)));
    }
  }
  return inputs;
}

Result<perf::Profile> load_run(const std::vector<std::string>& paths, unsigned threads) {
  Result<perf::FoundFiles> files = perf::find_files(paths);
  if (!files) return failure(files.error());
  perf::LoadOptions load;
  load.capture.threads = threads;
  load.capture.read_host_capture = host_tables_of;
  if (std::string refusal = perf::refusal_of(*files, load.capture); !refusal.empty()) {
    return failure(bad_input(std::move(refusal)));
  }
  Result<perf::Profile> run = perf::read_files(*files, load.capture);
  if (!run) return run;
  load.shown.ignore_signposts = true;  // an axis has all ops
  const Result<void> analysed = perf::analyse_ops(load, *run);
  // A run without ops may still have zones.
  if (!analysed && analysed.error().code != ErrorCode::kNothingFound) return failure(analysed.error());
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

Result<std::vector<ToldOps>> add_run(const TimelineInputs& inputs, const TimelineOptions& options,
                                     Timeline& timeline) {
  // What ops are called is in the capture; beside a folder it would be another host.
  std::vector<std::string> paths = inputs.profiler_files;
  std::error_code error;
  const bool has_folder = std::any_of(paths.begin(), paths.end(),
                                      [&](const std::string& path) { return fs::is_directory(path, error); });
  if (!has_folder && inputs.captures.size() == 1) paths.push_back(inputs.captures.front());
  const Result<perf::Profile> run = load_run(paths, options.threads);
  if (!run) return failure(run.error());
  const Result<std::vector<std::string>> given = captures_of_runs(inputs, *run);
  if (!given) return failure(given.error());
  std::vector<HostSide> hosts;
  std::vector<HostClock> clocks;
  for (std::size_t i = 0; i < run->captures.size(); ++i) {
    Result<HostSide> host = host_of_run(run->captures[i], (*given)[i]);
    if (!host) return failure(host.error());
    hosts.push_back(std::move(*host));
    clocks.push_back(hosts.back().clock);
  }
  DeviceRun devices = {*run, device_clocks(*run, clocks), {}, options.threads};
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i].clock = std::move(clocks[i]);
  std::vector<ToldOps> told = join_hosts(hosts, timeline);
  for (HostSide& host : hosts) devices.host_zones.push_back(std::move(host.zones));
  for (const perf::Capture& capture : run->captures) {
    if (capture.log) timeline.sources.push_back({.path = capture.files.device_log, .format = "device log"});
  }
  add_device_tracks(std::move(devices), timeline);
  for (const std::string& warning : run->warnings)
    timeline.findings.push_back(timeline::reader_warning(warning));
  add_problems_of_files(*run, timeline);
  return told;
}

/// What several captures are called: each by its first file.
std::vector<std::string> names_of_sets(const std::vector<std::vector<std::string>>& sets) {
  std::vector<std::string> first;
  first.reserve(sets.size());
  for (const std::vector<std::string>& set : sets) first.push_back(set.front());
  return io::input_names(first);
}

Result<std::vector<ToldOps>> add_captures(const std::vector<std::string>& paths, Timeline& timeline) {
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
    Result<HostSide> host = host_of_capture(set);
    if (!host) return failure(host.error());
    hosts.push_back(std::move(*host));
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
  const Result<TimelineInputs> inputs = sorted_inputs(paths);
  if (!inputs) return failure(inputs.error());
  Timeline timeline;
  const bool has_run = !inputs->profiler_files.empty();
  const Result<std::vector<ToldOps>> told =
      has_run ? add_run(*inputs, options, timeline) : add_captures(inputs->captures, timeline);
  if (!told) return failure(told.error());
  for (const std::string& remark : inputs->remarks)
    timeline.findings.push_back(timeline::reader_warning(remark));
  timeline.find_span();
  for (const MemoryLog& log : named_logs(inputs->memory_logs)) {
    const Result<void> added = add_memory_curves(log, *told, options.threads, timeline);
    if (!added) return failure(added.error());
  }
  timeline.find_span();
  timeline::cut(options.cut, timeline);
  return timeline::profile_of(paths.front(), std::move(timeline));
}

}  // namespace ttscope::app
