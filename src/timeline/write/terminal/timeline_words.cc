#include "timeline/write/terminal/timeline_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/number_text.h"

namespace ttscope::timeline {

std::string time_words(std::int64_t ns) {
  const double value = static_cast<double>(ns);
  const double size = value < 0 ? -value : value;
  if (size < 1e3) return fmt::format("{} ns", ns);
  if (size < 1e6) return fmt::format("{:.3f} µs", value / 1e3);
  if (size < 1e9) return fmt::format("{:.3f} ms", value / 1e6);
  return fmt::format("{:.3f} s", value / 1e9);
}

std::string place_words(const Timeline& timeline, std::uint32_t location) {
  const Location& place = timeline.locations[location];
  std::string_view file = timeline.text(place.file);
  // Of a place without a line the function tells more.
  const std::string_view function = timeline.text(place.function);
  if (place.line == 0 && !function.empty() && function != timeline.name_of_location(location))
    return std::string(function);
  if (file.empty()) return {};
  file = file.substr(file.find_last_of("/\\") + 1);
  return fmt::format("{}:{}", file, place.line);
}

std::string whereabouts_words(const Timeline& timeline, const ZoneStat& stat) {
  const std::string_view processor = timeline.text(stat.track_name);
  const bool is_told = timeline.name_of_location(stat.location).starts_with(processor);
  if (stat.kind == TrackKind::kLane && !is_told) return std::string(processor);
  return place_words(timeline, stat.location);
}

namespace {

/// What is taken for granted where nothing tells how fast a device truly counted.
std::string rate_words(const Alignment& alignment) {
  if (alignment.cycles_per_ns <= 0) return {};
  return fmt::format(" as far as it kept to {:g} MHz", std::round(alignment.cycles_per_ns * 1e6) / 1e3);
}

std::string known_words(std::uint64_t count, std::string_view samples, double worst_ns) {
  if (count == 0) return {};
  std::string text = fmt::format(" ({}", report::counted(count, samples));
  if (worst_ns >= 0) text += fmt::format(", all within {}", time_words(std::llround(worst_ns)));
  return text + ")";
}

/// How a device lies beside the others and, by another way, beside the host.
std::string peer_words(const PeerExchanges& peers) {
  const std::string text = "to the other devices by exchanges with a simulated host" +
                           known_words(peers.count, "exchange", peers.worst_ns);
  if (peers.to_host == PeerExchanges::ToHost::kOtherOps)
    return text + "; to the host of the zones by their ops, none of which begins before it was sent";
  return text + "; how far from the host of the zones is not known";
}

}  // namespace

std::string alignment_words(const Alignment& alignment) {
  const auto known = [&](std::string_view samples) {
    return known_words(alignment.samples, samples, alignment.worst_ns);
  };
  switch (alignment.basis) {
    case AlignmentBasis::kAxis:
      return "its clock is the axis";
    case AlignmentBasis::kRecorded:
      return "times as the capture has them";
    case AlignmentBasis::kSync:
      if (alignment.peers.count > 0) return peer_words(alignment.peers);
      return "by exchanges between host and device" + known("exchange");
    case AlignmentBasis::kHostOps:
      return "by the host: no op begins before it was sent, so the true times are this or later" +
             rate_words(alignment) + known("shared op") +
             (alignment.peers.count > 0
                  ? "; to the other devices by exchanges" +
                        known_words(alignment.peers.count, "exchange", alignment.peers.worst_ns)
                  : std::string());
    case AlignmentBasis::kCollectives:
      return "by collectives, which all devices leave together" + known("collective");
    case AlignmentBasis::kDeviceOps:
      return "by the ops that the devices share, taken to begin together; how far apart they truly began is "
             "not known";
    case AlignmentBasis::kOps:
      return "by ops that both name" + known("shared op");
    case AlignmentBasis::kStamps:
      return "by the time of day that both say" + known("stamp");
    case AlignmentBasis::kStart:
      break;
  }
  return "nothing is shared with the others: it begins where they begin, offsets between them mean nothing";
}

std::string content_words(const Timeline& timeline) {
  std::string text = fmt::format("{}, {}, {}", report::counted(timeline.tracks.size(), "track"),
                                 report::counted(timeline.zones.size(), "zone"),
                                 report::counted(timeline.messages.size(), "message"));
  if (!timeline.plots.empty()) text += ", " + report::counted(timeline.plots.size(), "plot");
  if (!timeline.links.empty()) text += ", " + report::counted(timeline.links.size(), "link");
  return text + fmt::format(" from {} to {}", time_words(timeline.first_ns), time_words(timeline.last_ns));
}

std::string_view kind_title(TrackKind kind) {
  constexpr std::array<std::string_view, 5> kTitles = {"Zones of threads", "Frames",
                                                       "Zones of device processors", "Ops on devices",
                                                       "Devices between their ops"};
  return kTitles[static_cast<std::size_t>(kind)];
}

std::string nothing_words(const std::vector<std::string>& paths) {
  return fmt::format("{}: no zone, no message and no plot in it", paths.front());
}

std::vector<const ZoneStat*> stats_of_kind(const Profile& profile, TrackKind kind) {
  std::vector<const ZoneStat*> stats;
  for (const ZoneStat& stat : profile.stats) {
    if (stat.kind == kind) stats.push_back(&stat);
  }
  std::stable_sort(stats.begin(), stats.end(),
                   [](const ZoneStat* a, const ZoneStat* b) { return a->total_ns > b->total_ns; });
  return stats;
}

const std::vector<TrackKind>& shown_kinds() {
  static const std::vector<TrackKind> kKinds = {TrackKind::kOps, TrackKind::kGaps, TrackKind::kThread,
                                                TrackKind::kLane, TrackKind::kFrames};
  return kKinds;
}

}  // namespace ttscope::timeline
