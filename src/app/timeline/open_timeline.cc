#include "app/timeline/open_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/identify.h"
#include "app/timeline/device_tracks.h"
#include "app/timeline/host_tables.h"
#include "io/whole_text.h"
#include "perf/load.h"
#include "timeline/load.h"
#include "timeline/read/host_csv/host_csv.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using timeline::AlignmentBasis;
using timeline::Timeline;

/// The inputs by what reads them.
struct TimelineInputs {
  std::vector<std::string> captures;        ///< of Tracy, or recordings
  std::vector<std::string> profiler_files;  ///< and folders
};

Result<TimelineInputs> sorted_inputs(const std::vector<std::string>& paths) {
  TimelineInputs inputs;
  for (const std::string& path : paths) {
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
      default:
        return failure(bad_input(wrong_kind_message(path, found->format, Subject::kTimeline)));
    }
  }
  return inputs;
}

/// The capture that the profiler leaves beside its files; empty: none.
std::string capture_beside(const perf::CaptureFiles& files) {
  std::error_code error;
  for (const std::string& file : files.all()) {
    const fs::path capture = fs::path(file).parent_path() / "tracy_profile_log_host.tracy";
    if (fs::is_regular_file(capture, error)) return capture.string();
  }
  const bool is_recording = files.host_capture.ends_with(".ttrec") || fs::is_directory(files.host_capture, error);
  return is_recording ? files.host_capture : std::string();
}

/// Zones and messages of the tables that csvexport made.
Result<void> add_host_tables(const perf::Capture& capture, Timeline& timeline) {
  const perf::CaptureFiles& files = capture.files;
  if (!files.has_host()) return {};
  const std::string name = capture.host_name.empty() ? "Host" : "Host " + capture.host_name;
  timeline.groups.push_back({timeline.texts.intern(name), kNone});
  const auto group = static_cast<std::uint32_t>(timeline.groups.size() - 1);
  for (const std::string& path : {files.host_times, files.host_messages}) {
    if (path.empty()) continue;
    const Result<io::WholeText> text = io::open_whole_text(path);
    if (!text) return failure(text.error());
    if (!text->warning.empty()) timeline.warnings.push_back(text->warning);
    const bool is_times = path == files.host_times;
    if (is_times) {
      timeline::add_host_times(text->bytes(), group, timeline);
    } else {
      timeline::add_host_messages(text->bytes(), timeline);
    }
    timeline.sources.push_back({.path = path, .format = is_times ? "zones of csvexport" : "messages of csvexport"});
  }
  timeline.alignments.push_back({.what = name, .basis = AlignmentBasis::kAxis});
  return {};
}

/// Device zones of the capture itself stand behind those of threads.
void drop_device_tracks(Timeline& timeline) {
  const auto first = std::find_if(timeline.tracks.begin(), timeline.tracks.end(),
                                  [](const timeline::Track& track) { return track.is_of_device(); });
  if (first == timeline.tracks.end()) return;
  const std::size_t zones = first->first_zone;
  timeline.tracks.erase(first, timeline.tracks.end());
  timeline.zones.start_ns.resize(zones);
  timeline.zones.end_ns.resize(zones);
  timeline.zones.location.resize(zones);
  timeline.zones.detail.resize(zones);
  timeline.zones.depth.resize(zones);
  timeline.groups.resize(1);
  timeline.warnings.push_back(
      "the device zones of the capture are left out: the log of the device profiler has them with their ops");
}

bool has_device_log(const perf::Profile& run) {
  return std::any_of(run.captures.begin(), run.captures.end(),
                     [](const perf::Capture& capture) { return capture.log.has_value(); });
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
  const Result<void> analysed = perf::analyse_ops(load, *run);
  // A run without ops may still have zones.
  if (!analysed && analysed.error().code != ErrorCode::kNothingFound) return failure(analysed.error());
  return run;
}

Result<void> add_run(const TimelineInputs& inputs, const TimelineOptions& options, Timeline& timeline) {
  // What ops are called is in the capture; beside a folder it would be another host.
  std::vector<std::string> paths = inputs.profiler_files;
  std::error_code error;
  const bool has_folder = std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return fs::is_directory(path, error);
  });
  if (!has_folder) paths.insert(paths.end(), inputs.captures.begin(), inputs.captures.end());
  const Result<perf::Profile> run = load_run(paths, options.threads);
  if (!run) return failure(run.error());
  const bool has_capture = !timeline.sources.empty();
  for (const perf::Capture& capture : run->captures) {
    const std::string beside = has_capture || run->captures.size() > 1 ? "" : capture_beside(capture.files);
    if (!beside.empty()) {
      Result<Timeline> host = timeline::load_timeline({beside});
      if (host) {
        timeline = std::move(*host);
        continue;
      }
      timeline.warnings.push_back(host.error().message);
    }
    if (!has_capture) {
      if (const Result<void> added = add_host_tables(capture, timeline); !added) return added;
    }
  }
  if (has_device_log(*run)) drop_device_tracks(timeline);
  for (const perf::Capture& capture : run->captures) {
    if (capture.log) timeline.sources.push_back({.path = capture.files.device_log, .format = "device log"});
  }
  add_device_tracks(*run, options.threads, timeline);
  for (const std::string& warning : run->warnings) timeline.warnings.push_back(warning);
  return {};
}

}  // namespace

Result<timeline::Profile> open_timeline(const std::vector<std::string>& paths, const TimelineOptions& options) {
  const Result<TimelineInputs> inputs = sorted_inputs(paths);
  if (!inputs) return failure(inputs.error());
  Timeline timeline;
  if (!inputs->captures.empty()) {
    Result<Timeline> capture = timeline::load_timeline(inputs->captures);
    if (!capture) return failure(capture.error());
    timeline = std::move(*capture);
  }
  if (!inputs->profiler_files.empty()) {
    if (const Result<void> added = add_run(*inputs, options, timeline); !added) return failure(added.error());
    timeline.find_span();
  }
  timeline::cut(options.cut, timeline);
  return timeline::profile_of(paths.front(), std::move(timeline));
}

}  // namespace ttscope::app
