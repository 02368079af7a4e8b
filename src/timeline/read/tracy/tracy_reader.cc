#include "timeline/read/tracy/tracy_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "timeline/read/tracy/tracy_file.h"

namespace ttscope::timeline {
namespace {

/// The parts in the order of the file. A file that is cut has no further ones.
void read_parts(TracyFile& file, TimelineSource& source) {
  Timeline& timeline = file.timeline;
  file.part = "head";
  read_head(file, source);
  const std::string_view shown = source.program.empty() ? std::string_view("Host") : source.program;
  timeline.groups.push_back({timeline.texts.intern(shown), kNone});
  constexpr std::uint32_t kProgram = 0;
  read_frames(file, kProgram);
  read_texts(file);
  name_frames(file);
  read_locations(file);
  read_locks(file, source);
  read_messages(file);
  read_extras(file);
  read_threads(file, kProgram, source);
  read_device_contexts(file);
  read_plots(file, kProgram);
  read_memory(file, kProgram);
}

/// Marks of a lane stand in a thread of its whole name, where this program wrote the file (tracy_writer.cc).
void give_back_marks(Timeline& timeline) {
  std::map<std::string, std::uint32_t, std::less<>> lanes;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    if (timeline.tracks[i].is_of_device()) lanes.emplace(full_name(timeline, timeline.tracks[i]), i);
  }
  std::vector<std::uint32_t> lane_of(timeline.tracks.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.kind != TrackKind::kThread || track.zone_count > 0) continue;
    const auto lane = lanes.find(timeline.text(track.name));
    if (lane != lanes.end()) lane_of[i] = lane->second;
  }
  if (std::all_of(lane_of.begin(), lane_of.end(), [](std::uint32_t lane) { return lane == kNone; })) return;
  std::vector<std::uint32_t> number(timeline.tracks.size(), kNone);
  std::vector<Track> tracks;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    if (lane_of[i] != kNone) continue;
    number[i] = static_cast<std::uint32_t>(tracks.size());
    tracks.push_back(timeline.tracks[i]);
  }
  timeline.tracks = std::move(tracks);
  for (Message& message : timeline.messages) {
    if (message.track == kNone) continue;
    const std::uint32_t lane = lane_of[message.track];
    message.track = number[lane == kNone ? message.track : lane];
  }
}

void note_end(TracyFile& file, const std::string& name) {
  const bool is_cut = !file.payload.is_whole();
  if (!is_cut) file.blocks.check_rest();
  const std::string& problem = file.blocks.problem();
  if (is_cut) {
    file.timeline.findings.push_back({.kind = FindingKind::kCaptureCut,
                                      .file = name,
                                      .text = problem,
                                      .place = file.part,
                                      .bytes = file.payload.taken_bytes()});
  } else if (!problem.empty()) {
    file.timeline.findings.push_back(
        {.kind = FindingKind::kCaptureRestUnread, .file = name, .text = problem});
  }
}

}  // namespace

Result<Timeline> read_tracy(std::string_view bytes, const std::string& name) {
  Timeline timeline;
  TracyFile file(bytes, timeline);
  if (!file.blocks.is_known()) {
    return failure(bad_input(fmt::format("{}: not a capture of Tracy: it does not begin like one", name)));
  }
  const std::string magic = file.payload.read_text(5);
  const auto major = file.payload.read<std::uint8_t>();
  const auto minor = file.payload.read<std::uint8_t>();
  const auto patch = file.payload.read<std::uint8_t>();
  if (!file.payload.is_whole() || magic != "tracy") {
    const std::string& problem = file.blocks.problem();
    return failure(bad_input(fmt::format("{}: nothing of this capture of Tracy can be read{}{}", name,
                                         problem.empty() ? "" : ": ", problem)));
  }
  constexpr std::uint8_t kOldest = 10;
  constexpr std::uint8_t kNewest = 14;
  if (major != 0 || minor < kOldest || minor > kNewest) {
    return failure(bad_input(fmt::format(
        "{}: a capture of Tracy {}.{}.{}; those of 0.{} to 0.{} are read{}", name, major, minor, patch,
        kOldest, kNewest, minor < kOldest ? " (Tracy's own `update` makes newer files of old ones)" : "")));
  }
  file.version = tracy_version(minor, patch);
  TimelineSource source;
  source.path = name;
  source.format = fmt::format("tracy {}.{}.{}", major, minor, patch);
  read_parts(file, source);
  note_end(file, name);
  give_back_marks(timeline);
  timeline.sources.push_back(std::move(source));
  timeline.alignments.push_back({.what = name, .basis = AlignmentBasis::kRecorded});
  // Threads send their messages by turns.
  std::stable_sort(timeline.messages.begin(), timeline.messages.end(),
                   [](const Message& a, const Message& b) { return a.time_ns < b.time_ns; });
  timeline.find_span();
  return timeline;
}

}  // namespace ttscope::timeline
