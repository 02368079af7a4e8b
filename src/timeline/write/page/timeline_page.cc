#include "timeline/write/page/timeline_page.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <vector>

#include "base/json_writer.h"
#include "base/parallel.h"
#include "base/text_escape.h"
#include "report/column_codec.h"
#include "report/json_text.h"
#include "report/number_text.h"
#include "report/page_frame.h"
#include "timeline/write/terminal/timeline_words.h"

namespace ttscope::timeline {
namespace {

constexpr std::string_view kDataMark = "<!--ttscope:data-->";
constexpr std::size_t kMostPageDepth = 255;

/// Zones in the order of the page: track by track, depth by depth, so that those of a row are a stretch in
/// order of time.
struct PageOrder {
  std::vector<std::uint32_t> zones;                       ///< by place in the page
  std::vector<std::vector<std::uint32_t>> row_counts;     ///< by track and depth
};

PageOrder order_of(const Timeline& timeline) {
  PageOrder order;
  order.zones.resize(timeline.zones.size());
  for (const Track& track : timeline.tracks) {
    std::vector<std::uint32_t>& counts = order.row_counts.emplace_back(
        std::min<std::size_t>(track.most_depth, kMostPageDepth) + 1, 0);
    const auto row_of = [&](std::size_t zone) {
      return std::min<std::size_t>(timeline.zones.depth[zone], counts.size() - 1);
    };
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) ++counts[row_of(zone)];
    std::vector<std::size_t> next(counts.size(), track.first_zone);
    for (std::size_t row = 1; row < next.size(); ++row) next[row] = next[row - 1] + counts[row - 1];
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      order.zones[next[row_of(zone)]++] = static_cast<std::uint32_t>(zone);
    }
  }
  return order;
}

void add_zone_columns(report::PageBlobs& blobs, const Timeline& timeline, const PageOrder& order) {
  const Zones& zones = timeline.zones;
  const std::size_t count = zones.size();
  const std::vector<std::uint32_t>& at = order.zones;
  blobs.add<std::int64_t>("z.start", count, report::Stored::kDelta,
                          [&](std::size_t i) { return zones.start_ns[at[i]] - timeline.first_ns; });
  blobs.add<std::int64_t>("z.length", count, report::Stored::kPlain,
                          [&](std::size_t i) { return zones.length_ns(at[i]); });
  blobs.add<std::uint32_t>("z.location", count, report::Stored::kPlain,
                           [&](std::size_t i) { return zones.location[at[i]]; });
  blobs.add<std::uint32_t>("z.detail", count, report::Stored::kDelta,
                           [&](std::size_t i) { return zones.detail[at[i]]; });
}

void add_catalog_columns(report::PageBlobs& blobs, const Timeline& timeline) {
  const std::vector<Location>& places = timeline.locations;
  blobs.add<std::uint32_t>("l.name", places.size(), report::Stored::kPlain, [&](std::size_t i) {
    return places[i].name != 0 ? places[i].name : places[i].function;
  });
  blobs.add<std::uint32_t>("l.file", places.size(), report::Stored::kPlain,
                           [&](std::size_t i) { return places[i].file; });
  blobs.add<std::uint32_t>("l.line", places.size(), report::Stored::kPlain,
                           [&](std::size_t i) { return places[i].line; });
  const std::vector<ZoneDetail>& details = timeline.details;
  blobs.add<std::uint32_t>("d.text", details.size(), report::Stored::kPlain,
                           [&](std::size_t i) { return details[i].text; });
  blobs.add<std::uint32_t>("d.name", details.size(), report::Stored::kPlain,
                           [&](std::size_t i) { return details[i].name; });
  blobs.add<std::int64_t>("d.op", details.size(), report::Stored::kPlain, [&](std::size_t i) {
    return details[i].op > INT64_MAX ? -1 : static_cast<std::int64_t>(details[i].op);
  });
  const std::vector<Message>& messages = timeline.messages;
  blobs.add<std::int64_t>("m.time", messages.size(), report::Stored::kDelta,
                          [&](std::size_t i) { return messages[i].time_ns - timeline.first_ns; });
  blobs.add<std::uint32_t>("m.text", messages.size(), report::Stored::kPlain,
                           [&](std::size_t i) { return messages[i].text; });
  blobs.add<std::uint32_t>("m.track", messages.size(), report::Stored::kPlain,
                           [&](std::size_t i) { return messages[i].track; });
  std::vector<std::string> texts;
  texts.reserve(timeline.texts.size());
  for (TextId i = 0; i < timeline.texts.size(); ++i) texts.emplace_back(timeline.text(i));
  blobs.add_strings("text", std::move(texts));
}

/// Arrows as places in the page.
void add_links(report::PageBlobs& blobs, const Timeline& timeline, const PageOrder& order) {
  auto place = std::make_shared<std::vector<std::uint32_t>>();
  if (!timeline.links.empty()) {
    place->resize(order.zones.size());
    for (std::uint32_t i = 0; i < order.zones.size(); ++i) (*place)[order.zones[i]] = i;
  }
  blobs.add<std::uint32_t>("k.from", timeline.links.size(), report::Stored::kPlain, [&timeline, place](std::size_t i) {
    return (*place)[timeline.links[i].from_zone];
  });
  blobs.add<std::uint32_t>("k.to", timeline.links.size(), report::Stored::kPlain, [&timeline, place](std::size_t i) {
    return (*place)[timeline.links[i].to_zone];
  });
}

/// The points of all plots, one plot behind the other. Values are stored by their bits.
void add_plot_columns(report::PageBlobs& blobs, const Timeline& timeline) {
  auto points = std::make_shared<std::vector<PlotPoint>>();
  for (const Plot& plot : timeline.plots) points->insert(points->end(), plot.points.begin(), plot.points.end());
  blobs.add<std::int64_t>("p.time", points->size(), report::Stored::kDelta, [&timeline, points](std::size_t i) {
    return (*points)[i].time_ns - timeline.first_ns;
  });
  blobs.add<std::int64_t>("p.value", points->size(), report::Stored::kPlain, [points](std::size_t i) {
    return std::bit_cast<std::int64_t>((*points)[i].value);
  });
}

void write_columns(JsonWriter& json, const report::PageBlobs& blobs) {
  json.key("columns");
  json.begin_object();
  for (const report::PageBlob& blob : blobs.list()) {
    if (!blob.column) continue;
    json.key(blob.id);
    json.begin_object();
    json.field("type", name_of(blob.column->type));
    json.field("count", blob.column->count);
    if (blob.column->stored == report::Stored::kDelta) json.field("delta", true);
    json.end_object();
  }
  json.end_object();
}

template <typename Items, typename Write>
void write_list(JsonWriter& json, std::string_view name, const Items& items, Write write) {
  json.key(name);
  json.begin_array();
  for (const auto& item : items) write(item);
  json.end_array();
}

void write_tracks(JsonWriter& json, const Timeline& timeline, const PageOrder& order) {
  json.key("tracks");
  json.begin_array();
  for (std::size_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    json.begin_object();
    json.field("name", timeline.text(track.name));
    json.field("kind", key_of(track.kind));
    json.field("group", track.group);
    json.field("first", track.first_zone);
    write_list(json, "rows", order.row_counts[i], [&](std::uint32_t count) { json.value(count); });
    json.end_object();
  }
  json.end_array();
}

std::string page_header(const Profile& profile, const PageOrder& order, const report::PageBlobs& blobs,
                        const TimelinePageOptions& options) {
  const Timeline& timeline = profile.timeline;
  report::TextCatcher text;
  JsonWriter json(text);
  json.begin_object();
  json.field("format", "ttscope.timeline_page/1");
  json.field("name", options.name);
  json.field("version", options.tool_version);
  json.field("first_ns", timeline.first_ns);
  json.field("last_ns", timeline.last_ns);
  json.field("content", content_words(timeline));
  write_list(json, "groups", timeline.groups, [&](const TrackGroup& group) {
    json.begin_object();
    json.field("name", timeline.text(group.name));
    json.field("parent", group.parent == kNone ? std::nullopt : std::optional(group.parent));
    json.end_object();
  });
  write_tracks(json, timeline, order);
  write_list(json, "plots", timeline.plots, [&](const Plot& plot) {
    json.begin_object();
    json.field("name", timeline.text(plot.name));
    json.field("unit", key_of(plot.unit));
    json.field("derived", plot.made);
    json.field("group", plot.group == kNone ? std::nullopt : std::optional(plot.group));
    json.field("points", plot.points.size());
    json.end_object();
  });
  write_list(json, "sources", timeline.sources, [&](const TimelineSource& source) {
    json.value(source.path + ": " + source.format);
  });
  write_list(json, "alignments", timeline.alignments, [&](const Alignment& alignment) {
    json.value(alignment.what + ": " + alignment_words(alignment));
  });
  json.key("problems");
  json.begin_array();
  for (std::size_t i = 0; i < kTimelineProblemCount; ++i) {
    const auto problem = static_cast<TimelineProblem>(i);
    const std::uint64_t count = timeline.problems.count(problem);
    if (count > 0) json.value(report::count_text(count) + " " + std::string(info_of(problem).sentence));
  }
  json.end_array();
  write_list(json, "warnings", timeline.warnings, [&](const std::string& warning) { json.value(warning); });
  write_columns(json, blobs);
  json.end_object();
  return std::string(text.text());
}

}  // namespace

void write_timeline_page(const Profile& profile, const TimelinePageOptions& options, Writer& out) {
  const Timeline& timeline = profile.timeline;
  const PageOrder order = order_of(timeline);
  report::PageBlobs blobs;
  add_zone_columns(blobs, timeline, order);
  add_catalog_columns(blobs, timeline);
  add_links(blobs, timeline, order);
  add_plot_columns(blobs, timeline);
  std::vector<std::string> encoded(blobs.list().size());
  run_parallel(encoded.size(), options.threads,
               [&](std::size_t i) { encoded[i] = report::encode_blob(blobs.list()[i]); });
  std::string_view rest = timeline_page_template();
  rest = report::write_page_until(out, rest, report::kTitleMark, rest.find(report::kTitleMark));
  out.write(markup_text(options.name));
  rest = report::write_page_until(out, rest, report::kHeadMark, rest.find(report::kHeadMark));
  report::write_page_block(out, "application/json", "ttscope-page", page_header(profile, order, blobs, options));
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    report::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded[i]);
    encoded[i] = {};
  }
  rest = report::write_page_until(out, rest, kDataMark, rest.rfind(kDataMark));
  out.write(rest);
}

}  // namespace ttscope::timeline
