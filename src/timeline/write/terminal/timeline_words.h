#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// `12 ns`, `3.456 µs`, `1.234 s`.
std::string time_words(std::int64_t ns);
/// A place of the source, without its folders: `host.cpp:42`; empty where it is not known.
std::string place_words(const Timeline& timeline, std::uint32_t location);
/// What tells zones of the same name apart: their processor (`TRISC_0`) where it is one, else their place.
std::string whereabouts_words(const Timeline& timeline, const ZoneStat& stat);
/// How a source came onto the axis, and how well that is known.
std::string alignment_words(const Alignment& alignment);
/// What is in the timeline: `4 tracks, 31 zones, 9 messages, 1 plot over 562.733 ms`.
std::string content_words(const Timeline& timeline);
/// `Zones of threads`, `Zones of device processors`, ...
std::string_view kind_title(TrackKind kind);
/// Why nothing can be shown.
std::string nothing_words(const std::vector<std::string>& paths);

/// The statistics of tracks of one kind, the longest first.
std::vector<const ZoneStat*> stats_of_kind(const Profile& profile, TrackKind kind);
/// The kinds, in the order in which they are shown.
const std::vector<TrackKind>& shown_kinds();

}  // namespace ttscope::timeline
