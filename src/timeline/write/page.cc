#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <vector>

#include "base/json_writer.h"
#include "base/resources.h"
#include "base/text.h"
#include "timeline/analyze/window.h"
#include "timeline/tables/tables.h"
#include "timeline/write/outputs.h"
#include "ui/json_text.h"
#include "ui/page.h"
#include "ui/text.h"

namespace ttscope::timeline {
namespace {

constexpr std::string_view kDataPlaceholder = "<!--ttscope:data-->";
constexpr std::string_view kRequestsPlaceholder = "<!--ttscope:requests-->";

void add_zone_columns(ui::PageBlobs& blobs, const Timeline& timeline, const ZoneRows& rows) {
  const Zones& zones = timeline.zones;
  const std::size_t count = rows.zones.size();
  const std::vector<std::uint32_t>& at = rows.zones;
  blobs.add<std::int64_t>("z.start", count, ui::ColumnEncoding::kDelta,
                          [&](std::size_t i) { return zones.start_ns[at[i]] - timeline.first_ns; });
  blobs.add<std::int64_t>("z.length", count, ui::ColumnEncoding::kPlain,
                          [&](std::size_t i) { return zones.length_ns(at[i]); });
  blobs.add<std::uint32_t>("z.location", count, ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return zones.location[at[i]]; });
  blobs.add<std::uint32_t>("z.detail", count, ui::ColumnEncoding::kDelta,
                           [&](std::size_t i) { return zones.detail[at[i]]; });
}

void add_catalog_columns(ui::PageBlobs& blobs, const Timeline& timeline) {
  const std::vector<Location>& places = timeline.locations;
  blobs.add<std::uint32_t>("l.name", places.size(), ui::ColumnEncoding::kPlain, [&](std::size_t i) {
    return places[i].name != 0 ? places[i].name : places[i].function;
  });
  blobs.add<std::uint32_t>("l.file", places.size(), ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return places[i].file; });
  blobs.add<std::uint32_t>("l.line", places.size(), ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return places[i].line; });
  const std::vector<ZoneDetail>& details = timeline.details;
  blobs.add<std::uint32_t>("d.text", details.size(), ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return details[i].text; });
  blobs.add<std::uint32_t>("d.name", details.size(), ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return details[i].name; });
  blobs.add<std::int64_t>("d.op", details.size(), ui::ColumnEncoding::kPlain, [&](std::size_t i) {
    return details[i].op > INT64_MAX ? -1 : static_cast<std::int64_t>(details[i].op);
  });
  const std::vector<Message>& messages = timeline.messages;
  blobs.add<std::int64_t>("m.time", messages.size(), ui::ColumnEncoding::kDelta,
                          [&](std::size_t i) { return messages[i].time_ns - timeline.first_ns; });
  blobs.add<std::uint32_t>("m.text", messages.size(), ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return messages[i].text; });
  blobs.add<std::uint32_t>("m.track", messages.size(), ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return messages[i].track; });
  std::vector<std::string> texts;
  texts.reserve(timeline.texts.size());
  for (TextId i = 0; i < timeline.texts.size(); ++i) texts.emplace_back(timeline.text(i));
  blobs.add_strings("text", std::move(texts));
}

/// Arrows as places in the page.
void add_links(ui::PageBlobs& blobs, const Timeline& timeline, const ZoneRows& rows) {
  auto place = std::make_shared<std::vector<std::uint32_t>>();
  if (!timeline.links.empty()) {
    place->resize(rows.zones.size());
    for (std::uint32_t i = 0; i < rows.zones.size(); ++i) (*place)[rows.zones[i]] = i;
  }
  blobs.add<std::uint32_t>(
      "k.from", timeline.links.size(), ui::ColumnEncoding::kPlain,
      [&timeline, place](std::size_t i) { return (*place)[timeline.links[i].from_zone]; });
  blobs.add<std::uint32_t>("k.to", timeline.links.size(), ui::ColumnEncoding::kPlain,
                           [&timeline, place](std::size_t i) { return (*place)[timeline.links[i].to_zone]; });
}

/// The points of all plots, one plot behind the other. Values are stored by their bits.
void add_plot_columns(ui::PageBlobs& blobs, const Timeline& timeline) {
  auto points = std::make_shared<std::vector<PlotPoint>>();
  for (const Plot& plot : timeline.plots)
    points->insert(points->end(), plot.points.begin(), plot.points.end());
  blobs.add<std::int64_t>(
      "p.time", points->size(), ui::ColumnEncoding::kDelta,
      [&timeline, points](std::size_t i) { return (*points)[i].time_ns - timeline.first_ns; });
  blobs.add<std::int64_t>("p.value", points->size(), ui::ColumnEncoding::kPlain, [points](std::size_t i) {
    return std::bit_cast<std::int64_t>((*points)[i].value);
  });
}

void write_tracks(JsonWriter& json, const Timeline& timeline, const ZoneRows& rows) {
  json.array("tracks", [&] {
    for (std::size_t i = 0; i < timeline.tracks.size(); ++i) {
      const Track& track = timeline.tracks[i];
      json.object([&] {
        json.field("name", timeline.text(track.name));
        json.field("kind", key_of(track.kind));
        json.field("group", track.group);
        json.field("first", track.first_zone);
        json.list("rows", rows.counts[i]);
      });
    }
  });
}

std::string page_header(const Profile& profile, const ZoneRows& rows, const ui::PageBlobs& blobs,
                        const TimelinePageOptions& options) {
  const Timeline& timeline = profile.timeline;
  ui::TextCatcher text;
  JsonWriter json(text);
  json.object([&] {
    json.field("format", "ttscope.timeline_page/1");
    json.field("name", options.name);
    json.field("version", options.tool_version);
    json.field("windows", options.windows);
    json.field("first_ns", timeline.first_ns);
    json.field("last_ns", timeline.last_ns);
    json.field("content", content_text(timeline));
    json.objects("groups", timeline.groups, [&](const TrackGroup& group) {
      json.field("name", timeline.text(group.name));
      json.field("parent", id_or_null(group.parent));
    });
    write_tracks(json, timeline, rows);
    json.field("simulated", timeline.has_simulated_chips());
    json.objects("plots", timeline.plots, [&](const Plot& plot) {
      json.field("name", timeline.text(plot.name));
      json.field("unit", key_of(plot.unit));
      json.field("derived", plot.made);
      json.field("group", id_or_null(plot.group));
      json.field("points", plot.points.size());
    });
    json.list("sources", timeline.sources,
              [&](const TimelineSource& source) { json.value(source.path + ": " + source.format); });
    json.list("alignments", timeline.alignments, [&](const Alignment& alignment) {
      json.value(alignment.what + ": " + alignment_text(alignment));
    });
    json.array("problems", [&] {
      for (std::size_t i = 0; i < kTimelineProblemCount; ++i) {
        const auto problem = static_cast<TimelineProblem>(i);
        const std::uint64_t count = timeline.problems.count(problem);
        if (count > 0) json.value(ui::count_text(count) + " " + std::string(info_of(problem).sentence));
      }
    });
    json.list("warnings", warning_texts(timeline));
    ui::write_columns(json, blobs);
  });
  return std::string(text.text());
}

}  // namespace

Result<void> write_timeline_page(const Profile& profile, const TimelinePageOptions& options, Writer& out) {
  const Timeline& timeline = profile.timeline;
  const ZoneRows rows = rows_of(timeline);
  ui::PageBlobs blobs;
  if (!options.windows) {
    add_zone_columns(blobs, timeline, rows);
    add_links(blobs, timeline, rows);
  }
  const std::size_t large = blobs.list().size();
  add_catalog_columns(blobs, timeline);
  add_plot_columns(blobs, timeline);
  std::vector<std::string> encoded(blobs.list().size());
  const auto encode = [&](std::size_t i) { encoded[i] = ui::encode_blob(blobs.list()[i]); };
  // Columns of zones one at a time: unpacked, one has up to eight bytes for each zone.
  for (std::size_t i = 0; i < large; ++i) encode(i);
  run_parallel(encoded.size() - large, options.threads, [&](std::size_t i) { encode(large + i); });
  const std::string header = page_header(profile, rows, blobs, options);
  const std::size_t size_bytes =
      std::accumulate(encoded.begin(), encoded.end(), header.size(),
                      [](std::size_t sum, const std::string& one) { return sum + one.size(); });
  if (size_bytes > options.most_bytes) {
    return failure(bad_input("the page would have " + ui::count_text(size_bytes / 1'000'000) + " MB; " +
                             std::string(kTooLargeAdvice)));
  }
  std::string_view rest = timeline_page_template();
  rest = ui::write_page_until(out, rest, kRequestsPlaceholder, rest.find(kRequestsPlaceholder));
  if (options.windows) out.write(" connect-src 'self';");
  if (options.refresh_s > 0) {
    rest = ui::write_page_until(out, rest, {}, rest.find("<title>"));
    out.write(fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", options.refresh_s));
  }
  rest = ui::write_page_until(out, rest, ui::kTitlePlaceholder, rest.find(ui::kTitlePlaceholder));
  out.write(markup_text(options.name));
  rest = ui::write_page_until(out, rest, ui::kHeadPlaceholder, rest.find(ui::kHeadPlaceholder));
  ui::write_page_block(out, "application/json", "ttscope-page", header);
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    ui::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded[i]);
    encoded[i] = {};
  }
  rest = ui::write_page_until(out, rest, kDataPlaceholder, rest.rfind(kDataPlaceholder));
  out.write(rest);
  return {};
}

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

void add_columns(ui::PageBlobs& blobs, const WindowIndex& index, const Window& window) {
  const std::size_t count = window.places.size();
  const std::vector<std::uint32_t>& at = window.places;
  const Zones& zones = index.timeline.zones;
  blobs.add<std::uint32_t>("z.id", count, ui::ColumnEncoding::kDelta, [&](std::size_t i) { return at[i]; });
  blobs.add<std::int64_t>("z.start", count, ui::ColumnEncoding::kDelta,
                          [&](std::size_t i) { return index.start_ns(at[i]) - index.timeline.first_ns; });
  blobs.add<std::int64_t>("z.length", count, ui::ColumnEncoding::kPlain,
                          [&](std::size_t i) { return index.length_ns(at[i]); });
  blobs.add<std::int64_t>("z.busy", count, ui::ColumnEncoding::kPlain,
                          [&](std::size_t i) { return window.busy_ns[i]; });
  blobs.add<std::uint32_t>("z.location", count, ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return zones.location[index.zone(at[i])]; });
  blobs.add<std::uint32_t>("z.detail", count, ui::ColumnEncoding::kDelta,
                           [&](std::size_t i) { return zones.detail[index.zone(at[i])]; });
}

}  // namespace

std::string timeline_window_json(const WindowIndex& index, const WindowRequest& request,
                                 const Window& window) {
  const auto links = links_in(index, window);
  ui::PageBlobs blobs;
  add_columns(blobs, index, window);
  blobs.add<std::uint32_t>("k.from", links.size(), ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return links[i].first; });
  blobs.add<std::uint32_t>("k.to", links.size(), ui::ColumnEncoding::kPlain,
                           [&](std::size_t i) { return links[i].second; });
  ui::TextCatcher text;
  JsonWriter json(text, ui::kBlobStyle);
  json.object([&] {
    json.field("format", "ttscope.timeline_window/1");
    json.field("from", request.from_ns - index.timeline.first_ns);
    json.field("to", request.to_ns - index.timeline.first_ns);
    json.field("pixel", request.pixel_ns);
    json.field("hits", request.hits.size());
    json.list("rows", window.counts, [&](const std::vector<std::uint32_t>& counts) {
      json.array([&] {
        for (const std::uint32_t count : counts) json.value(count);
      });
    });
    ui::write_columns(json, blobs);
    json.object("blobs", [&] {
      for (const ui::PageBlob& blob : blobs.list()) json.field(blob.id, ui::encode_blob(blob));
    });
  });
  return std::string(text.text());
}

std::string sums_json(const WindowIndex& index, const std::vector<NameSum>& sums) {
  ui::TextCatcher text;
  JsonWriter json(text, ui::kBlobStyle);
  json.array([&] {
    for (const NameSum& sum : sums)
      json.object([&] {
        json.field("name", index.timeline.text(sum.name));
        json.field("count", sum.count);
        json.field("total", sum.total_ns);
        json.field("shortest", sum.shortest_ns);
        json.field("longest", sum.longest_ns);
      });
  });
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
  ui::TextCatcher text;
  JsonWriter json(text, ui::kBlobStyle);
  json.object([&] {
    json.field("hits", hits.size());
    if (place == kNone) return json.field("zone", nullptr);
    const auto key = [&](std::uint32_t one) { return std::pair(index.start_ns(one), one); };
    const auto rank =
        std::count_if(hits.begin(), hits.end(), [&](std::uint32_t hit) { return key(hit) <= key(place); });
    json.object("zone", [&] {
      const auto [track, row] = row_of_place(index, place);
      json.field("id", place);
      json.field("track", track);
      json.field("row", row);
      json.field("start", index.start_ns(place) - index.timeline.first_ns);
      json.field("length", index.length_ns(place));
      json.field("rank", rank);
    });
  });
  return std::string(text.text());
}

}  // namespace ttscope::timeline
