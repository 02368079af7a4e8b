#include "timeline/write/viewer_limits.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "report/number_text.h"

namespace ttscope::timeline {
namespace {

/// A text of V8 has 512 MB at most, and chrome://tracing takes a file as one.
constexpr std::uint64_t kMostChromeBytes = 500'000'000;
/// The memory of ui.perfetto.dev is about 2 GB, and it needs two to four times the file.
constexpr std::uint64_t kMostPerfettoBytes = 700'000'000;

constexpr std::string_view kCutAdvice = "write a part of it (--from, --to, --op, --core)";

/// What the names and texts of all zones take; `place` says what a place of the source adds.
template <typename OfPlace>
std::uint64_t text_bytes(const Timeline& timeline, OfPlace place) {
  std::vector<std::uint64_t> places;
  for (const Location& location : timeline.locations) places.push_back(place(location));
  std::uint64_t sum = 0;
  for (std::size_t zone = 0; zone < timeline.zones.size(); ++zone) {
    const ZoneDetail& detail = timeline.details[timeline.zones.detail[zone]];
    sum += places[timeline.zones.location[zone]] + timeline.text(detail.text).size() +
           (detail.op != kNoOp ? 18 : 0);
  }
  for (const Message& message : timeline.messages) sum += timeline.text(message.text).size();
  return sum;
}

std::uint64_t point_count(const Timeline& timeline) {
  std::uint64_t points = 0;
  for (const Plot& plot : timeline.plots) points += plot.points.size();
  return points;
}

}  // namespace

std::uint64_t chrome_bytes(const Timeline& timeline) {
  constexpr std::uint64_t kZone = 78, kMessage = 65, kPoint = 110, kArrow = 180;
  const std::uint64_t texts = text_bytes(timeline, [&](const Location& place) {
    const std::size_t file = place.file == 0 ? 0 : timeline.text(place.file).size() + 14;
    return timeline.text(place.name).size() + file;
  });
  return texts + kZone * timeline.zones.size() + kMessage * timeline.messages.size() +
         kPoint * point_count(timeline) + kArrow * timeline.links.size();
}

std::uint64_t perfetto_bytes(const Timeline& timeline) {
  constexpr std::uint64_t kZone = 48, kMessage = 28, kPoint = 30, kArrow = 22;
  // Names and places are written once.
  const std::uint64_t texts = text_bytes(timeline, [](const Location&) { return std::uint64_t{0}; });
  return texts + kZone * timeline.zones.size() + kMessage * timeline.messages.size() +
         kPoint * point_count(timeline) + kArrow * timeline.links.size();
}

std::string chrome_size_warning(std::uint64_t bytes) {
  if (bytes <= kMostChromeBytes) return {};
  return fmt::format("about {}, and browsers open no more than {} of JSON; {}, or .pftrace or .tracy",
                     report::size_text(static_cast<std::int64_t>(bytes)),
                     report::size_text(static_cast<std::int64_t>(kMostChromeBytes)), kCutAdvice);
}

std::string perfetto_size_warning(std::uint64_t bytes) {
  if (bytes <= kMostPerfettoBytes) return {};
  return fmt::format(
      "about {}, more than ui.perfetto.dev opens in the memory of a browser; {}, or open it beside "
      "`trace_processor --httpd`",
      report::size_text(static_cast<std::int64_t>(bytes)), kCutAdvice);
}

}  // namespace ttscope::timeline
