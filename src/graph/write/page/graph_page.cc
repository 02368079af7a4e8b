#include "graph/write/page/graph_page.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/text_escape.h"
#include "fit/write/fit_json.h"
#include "graph/analyse/names.h"
#include "graph/write/page/page_rows.h"
#include "graph/write/page/page_segment.h"
#include "graph/write/terminal/graph_words.h"
#include "report/json_text.h"
#include "report/page_columns.h"
#include "report/page_frame.h"

namespace ttscope::graph {

/// web/dist/graph.html
std::string_view graph_page_template();

namespace {

void write_peak(const Profile& profile, const JoinedPeak& peak, std::size_t live, JsonWriter& json) {
  json.begin_object();
  json.field("bytes", peak.bytes);
  json.field("segment", peak.at.is_known() ? std::int64_t{peak.at.segment} : std::int64_t{-1});
  json.field("node", peak.at.is_known() ? std::int64_t{peak.at.node} : std::int64_t{-1});
  std::string call;
  if (peak.at.is_known()) {
    const ProfiledSegment& segment = profile.segments[peak.at.segment];
    call = call_path(*segment.trace, segment.profile, peak.call);
  }
  json.field("call", std::string_view(call));
  json.field("live", live);
  json.field("older_freed", peak.older_freed_bytes);
  json.end_object();
}

/// What goes across the segments.
void write_overall(const Profile& profile, const GraphPageOptions& options, JsonWriter& json) {
  const LiveSet& set = profile.live;
  json.field("parts_by", set.parts_by == PartsBy::kKind ? "kind" : "segment");
  json.field("joined", profile.segments.size() <= options.most_joined_segments);
  json.key("parts");
  json.begin_array();
  for (const std::string& part : set.parts) json.value(std::string_view(part));
  json.end_array();
  json.key("dram_peak");
  write_peak(profile, set.dram, set.live_at_dram_peak.size(), json);
  json.key("l1_peak");
  write_peak(profile, set.l1, set.live_at_l1_peak.size(), json);
  const std::vector<OwnerGroup> groups = owner_groups(set, profile.views(), set.live_at_dram_peak);
  json.field("all_owners", groups.size());
  json.key("owners");
  json.begin_array();
  for (std::size_t i = 0; i < std::min(groups.size(), options.most_groups); ++i) {
    json.begin_object();
    json.field("kind", std::string_view(groups[i].kind));
    json.field("owner", std::string_view(groups[i].owner));
    json.field("buffers", groups[i].buffers);
    json.field("bytes", groups[i].bytes);
    json.end_object();
  }
  json.end_array();
  json.key("findings");
  json.begin_array();
  for (const Finding& finding : profile.findings) {
    json.begin_object();
    json.field("segment", finding.segment == kNone ? std::int64_t{-1} : std::int64_t{finding.segment});
    json.field("text", std::string_view(finding_words(profile, finding)));
    json.end_object();
  }
  json.end_array();
}

std::string page_document(const Profile& profile, const PageRows& rows, const report::PageBlobs& blobs,
                          const GraphPageOptions& options) {
  report::TextCatcher text;
  JsonWriter json(text);
  json.begin_object();
  json.field("name", std::string_view(options.name));
  json.field("tool_version", std::string_view(options.tool_version));
  json.field("generated", std::string_view(options.generated));
  json.field("accounting", profile.rules.name);
  json.key("files");
  json.begin_array();
  for (const std::string& file : profile.files) json.value(std::string_view(file));
  json.end_array();
  write_overall(profile, options, json);
  json.key("segments");
  json.begin_array();
  for (std::size_t i = 0; i < profile.segments.size(); ++i)
    write_page_segment(profile, i, rows.segments[i], json);
  json.end_array();
  report::write_columns(json, blobs);
  json.key("fit");
  if (options.fit) fit::write_fit_object(json, *options.fit, options.tool_version);
  if (!options.fit) json.value(nullptr);
  json.end_object();
  return std::string(text.text());
}

}  // namespace

void write_graph_page(const Profile& profile, Writer& out, const GraphPageOptions& options) {
  const PageRows rows = page_rows(profile, options);
  report::PageBlobs blobs;
  add_page_columns(profile, rows, blobs);
  std::vector<std::string> encoded(blobs.list().size());
  run_parallel(encoded.size(), options.threads,
               [&](std::size_t i) { encoded[i] = report::encode_blob(blobs.list()[i]); });
  std::string_view rest = graph_page_template();
  rest = report::write_page_until(out, rest, report::kTitleMark, rest.find(report::kTitleMark));
  out.write(markup_text(options.name));
  rest = report::write_page_until(out, rest, report::kHeadMark, rest.find(report::kHeadMark));
  report::write_page_block(out, "application/json", "ttscope-graph",
                           page_document(profile, rows, blobs, options));
  for (std::size_t i = 0; i < encoded.size(); ++i)
    report::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded[i]);
  out.write(rest);
}

}  // namespace ttscope::graph
