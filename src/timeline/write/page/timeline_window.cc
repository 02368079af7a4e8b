#include "timeline/write/page/timeline_window.h"

#include <algorithm>

#include "base/json_writer.h"
#include "report/column_codec.h"
#include "report/json_text.h"
#include "report/page_columns.h"

namespace ttscope::timeline {
namespace {

/// Arrows between zones of the window, as their places in it.
std::vector<std::pair<std::uint32_t, std::uint32_t>> links_in(const WindowIndex& index,
                                                              const Window& window) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> zones;  // and where they are in the window
  zones.reserve(window.places.size());
  for (std::uint32_t i = 0; i < window.places.size(); ++i)
    zones.emplace_back(index.zone(window.places[i]), i);
  std::sort(zones.begin(), zones.end());
  const auto place_of = [&](std::uint64_t zone) {
    const auto at =
        std::lower_bound(zones.begin(), zones.end(), std::pair(static_cast<std::uint32_t>(zone), 0U));
    return at != zones.end() && at->first == zone ? at->second : kNone;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  for (const Link& link : index.timeline.links) {
    const std::uint32_t from = place_of(link.from_zone);
    const std::uint32_t to = from == kNone ? kNone : place_of(link.to_zone);
    if (to != kNone) links.emplace_back(from, to);
  }
  return links;
}

void add_columns(report::PageBlobs& blobs, const WindowIndex& index, const Window& window) {
  const std::size_t count = window.places.size();
  const std::vector<std::uint32_t>& at = window.places;
  const Zones& zones = index.timeline.zones;
  blobs.add<std::uint32_t>("z.id", count, report::Stored::kDelta, [&](std::size_t i) { return at[i]; });
  blobs.add<std::int64_t>("z.start", count, report::Stored::kDelta,
                          [&](std::size_t i) { return index.start_ns(at[i]) - index.timeline.first_ns; });
  blobs.add<std::int64_t>("z.length", count, report::Stored::kPlain,
                          [&](std::size_t i) { return index.length_ns(at[i]); });
  blobs.add<std::int64_t>("z.busy", count, report::Stored::kPlain,
                          [&](std::size_t i) { return window.busy_ns[i]; });
  blobs.add<std::uint32_t>("z.location", count, report::Stored::kPlain,
                           [&](std::size_t i) { return zones.location[index.zone(at[i])]; });
  blobs.add<std::uint32_t>("z.detail", count, report::Stored::kDelta,
                           [&](std::size_t i) { return zones.detail[index.zone(at[i])]; });
}

}  // namespace

std::string timeline_window_json(const WindowIndex& index, const WindowRequest& request,
                                 const Window& window) {
  const auto links = links_in(index, window);
  report::PageBlobs blobs;
  add_columns(blobs, index, window);
  blobs.add<std::uint32_t>("k.from", links.size(), report::Stored::kPlain,
                           [&](std::size_t i) { return links[i].first; });
  blobs.add<std::uint32_t>("k.to", links.size(), report::Stored::kPlain,
                           [&](std::size_t i) { return links[i].second; });
  report::TextCatcher text;
  JsonWriter json(text, report::kBlobStyle);
  json.begin_object();
  json.field("format", "ttscope.timeline_window/1");
  json.field("from", request.from_ns - index.timeline.first_ns);
  json.field("to", request.to_ns - index.timeline.first_ns);
  json.field("pixel", request.pixel_ns);
  json.field("hits", request.hits.size());
  json.key("rows");
  json.begin_array();
  for (const std::vector<std::uint32_t>& counts : window.counts) {
    json.begin_array();
    for (const std::uint32_t count : counts) json.value(count);
    json.end_array();
  }
  json.end_array();
  report::write_columns(json, blobs);
  json.key("blobs");
  json.begin_object();
  for (const report::PageBlob& blob : blobs.list()) json.field(blob.id, report::encode_blob(blob));
  json.end_object();
  json.end_object();
  return std::string(text.text());
}

std::string sums_json(const WindowIndex& index, const std::vector<NameSum>& sums) {
  report::TextCatcher text;
  JsonWriter json(text, report::kBlobStyle);
  json.begin_array();
  for (const NameSum& sum : sums) {
    json.begin_object();
    json.field("name", index.timeline.text(sum.name));
    json.field("count", sum.count);
    json.field("total", sum.total_ns);
    json.field("shortest", sum.shortest_ns);
    json.field("longest", sum.longest_ns);
    json.end_object();
  }
  json.end_array();
  return std::string(text.text());
}

std::pair<std::uint32_t, std::uint32_t> row_of_place(const WindowIndex& index, std::uint32_t place) {
  const std::uint32_t track = index.timeline.track_of_zone(index.zone(place));
  auto end = static_cast<std::uint32_t>(index.timeline.tracks[track].first_zone);
  std::uint32_t row = 0;
  for (const std::uint32_t count : index.rows.counts[track]) {
    end += count;
    if (place < end) break;
    ++row;
  }
  return {track, row};
}

std::string hit_json(const WindowIndex& index, std::span<const std::uint32_t> hits, std::uint32_t place) {
  report::TextCatcher text;
  JsonWriter json(text, report::kBlobStyle);
  json.begin_object();
  json.field("hits", hits.size());
  json.key("zone");
  if (place == kNone) {
    json.value(std::optional<std::uint32_t>());
  } else {
    const auto key = [&](std::uint32_t one) { return std::pair(index.start_ns(one), one); };
    const auto rank =
        std::count_if(hits.begin(), hits.end(), [&](std::uint32_t hit) { return key(hit) <= key(place); });
    const auto [track, row] = row_of_place(index, place);
    json.begin_object();
    json.field("id", place);
    json.field("track", track);
    json.field("row", row);
    json.field("start", index.start_ns(place) - index.timeline.first_ns);
    json.field("length", index.length_ns(place));
    json.field("rank", rank);
    json.end_object();
  }
  json.end_object();
  return std::string(text.text());
}

}  // namespace ttscope::timeline
