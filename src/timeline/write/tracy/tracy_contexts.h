#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// A context of the file: the lanes of a core, or the ops of a device.
struct TracyContext {
  std::string name;
  std::vector<std::uint32_t> tracks;
};

/// Tracy keeps messages by thread: those of a lane get one of their own, which has its whole name.
struct MarkThread {
  std::uint32_t track = 0;
  std::string name;
};

std::vector<TracyContext> tracy_contexts(const Timeline& timeline);

/// The numbers of the messages of each track; the last list: those of none.
using MessagesOf = std::vector<std::vector<std::size_t>>;
MessagesOf messages_by_track(const Timeline& timeline);
std::vector<MarkThread> mark_threads(const Timeline& timeline, const MessagesOf& messages);

}  // namespace ttscope::timeline
