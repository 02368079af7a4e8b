#include "timeline/write/tracy/tracy_contexts.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace ttscope::timeline {
namespace {

std::string context_name(const Timeline& timeline, const Track& track) {
  if (track.kind == TrackKind::kOps || track.kind == TrackKind::kGaps) {
    return fmt::format("Device: {}, {}", track.device, key_of(track.kind));
  }
  if (track.device == kNone) return std::string(timeline.text(timeline.groups[track.group].name));
  // The logical place of a core is not in the log: only the physical one is told.
  return fmt::format("Device: {}, Logical (?,?) Physical ({},{})", track.device, track.core_x, track.core_y);
}

}  // namespace

std::vector<TracyContext> tracy_contexts(const Timeline& timeline) {
  std::vector<TracyContext> contexts;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> known;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (!track.is_of_device()) continue;
    const auto [found, is_new] =
        known.try_emplace({track.group, context_name(timeline, track)}, contexts.size());
    if (is_new) contexts.push_back({found->first.second, {}});
    contexts[found->second].tracks.push_back(i);
  }
  return contexts;
}

MessagesOf messages_by_track(const Timeline& timeline) {
  MessagesOf messages(timeline.tracks.size() + 1);
  for (std::size_t i = 0; i < timeline.messages.size(); ++i) {
    const std::uint32_t track = timeline.messages[i].track;
    const bool is_known = track != kNone && timeline.tracks[track].kind != TrackKind::kFrames;
    messages[is_known ? track : timeline.tracks.size()].push_back(i);
  }
  return messages;
}

std::vector<MarkThread> mark_threads(const Timeline& timeline, const MessagesOf& messages) {
  std::vector<MarkThread> threads;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.is_of_device() && !messages[i].empty()) threads.push_back({i, full_name(timeline, track)});
  }
  return threads;
}

}  // namespace ttscope::timeline
