#include "graph/write/page/graph_page.h"

#include "base/text_escape.h"
#include "graph/write/page/page_segment.h"
#include "report/json_text.h"
#include "report/page_frame.h"

namespace ttscope::graph {

/// web/dist/graph.html
std::string_view graph_page_template();

namespace {

std::string page_document(const Profile& profile, const GraphPageOptions& options) {
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
  json.key("segments");
  json.begin_array();
  for (const ProfiledSegment& segment : profile.segments) write_page_segment(segment, options, json);
  json.end_array();
  json.end_object();
  return std::string(text.text());
}

}  // namespace

void write_graph_page(const Profile& profile, Writer& out, const GraphPageOptions& options) {
  std::string_view rest = graph_page_template();
  rest = report::write_page_until(out, rest, report::kTitleMark, rest.find(report::kTitleMark));
  out.write(markup_text(options.name));
  rest = report::write_page_until(out, rest, report::kHeadMark, rest.find(report::kHeadMark));
  report::write_page_block(out, "application/json", "ttscope-graph", page_document(profile, options));
  out.write(rest);
}

}  // namespace ttscope::graph
