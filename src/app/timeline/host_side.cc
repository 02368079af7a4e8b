#include "app/timeline/host_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/number_text.h"
#include "base/profiler_names.h"
#include "io/whole_text.h"
#include "timeline/analyse/join.h"
#include "timeline/analyse/op_tracks.h"
#include "timeline/analyse/told_op.h"
#include "timeline/load.h"
#include "timeline/read/host_csv/host_csv.h"
#include "timeline/read/recording/recording_reader.h"

namespace ttscope::app {
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
std::string capture_beside(const perf::CaptureFiles& files) {
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
    const Result<io::WholeText> text = io::open_whole_text(path);
    if (!text) return failure(text.error());
    if (!text->warning.empty()) timeline.findings.push_back(timeline::reader_warning(text->warning));
    const bool is_times = path == files.host_times;
    if (is_times) {
      timeline::add_host_times(text->bytes(), group, timeline);
    } else {
      timeline::add_host_messages(text->bytes(), timeline);
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
  const std::string path = !given.empty() ? given : capture_beside(capture.files);
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
  if (const Result<void> added = add_host_tables(capture, timeline); !added) return failure(added.error());
  HostSide side = side_of(std::move(timeline));
  name_host(capture.host_name, side);
  return side;
}

std::vector<ToldOps> join_hosts(std::vector<HostSide>& hosts, Timeline& into) {
  std::vector<ToldOps> told;
  constexpr double kMost = 4e18;
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
    const auto shift_ns = static_cast<std::int64_t>(std::clamp(host.clock.shift_ns, -kMost, kMost));
    told.push_back(told_ops(host.timeline, shift_ns));
    const std::size_t first = timeline::append_timeline(std::move(host.timeline), shift_ns, into);
    for (auto& [op, zone] : host.zones) zone += first;
  }
  if (hosts.size() > 1) into.merge_equal_locations();
  return told;
}

}  // namespace ttscope::app
