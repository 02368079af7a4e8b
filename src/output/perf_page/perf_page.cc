#include "output/perf_page/perf_page.h"

#include "base/json_writer.h"
#include "base/parallel.h"
#include "base/text_escape.h"
#include "output/json_text/json_text.h"
#include "output/page_frame/page_frame.h"
#include "output/perf_json/perf_json.h"
#include "output/perf_page/perf_columns.h"
#include "output/perf_plot/perf_plot.h"

namespace ttscope::output {
namespace {

constexpr std::string_view kDataMark = "<!--ttscope:data-->";

template <typename Items, typename Write>
void write_list(JsonWriter& json, std::string_view name, const Items& items, Write write) {
  json.key(name);
  json.begin_array();
  for (const auto& item : items) write(item);
  json.end_array();
}

template <typename Enum>
void write_keys(JsonWriter& json, std::string_view name, std::size_t count) {
  json.key(name);
  json.begin_array();
  for (std::size_t i = 0; i < count; ++i) json.value(key_of(static_cast<Enum>(i)));
  json.end_array();
}

void write_columns(JsonWriter& json, const PageBlobs& blobs) {
  json.key("columns");
  json.begin_object();
  for (const PageBlob& blob : blobs.list()) {
    if (!blob.column) continue;
    json.key(blob.id);
    json.begin_object();
    json.field("type", name_of(blob.column->type));
    json.field("count", blob.column->count);
    if (blob.column->stored == Stored::kDelta) json.field("delta", true);
    json.end_object();
  }
  json.end_object();
}

std::string page_header(const PageBlobs& blobs, const PageExecutions& executions,
                        const PerfPageOptions& options) {
  TextCatcher text;
  JsonWriter json(text);
  json.begin_object();
  json.field("format", "ttscope.perf_page/1");
  json.field("name", options.name);
  write_list(json, "categories", analysis::kOpCategoryNames,
             [&](std::string_view name) { json.value(name); });
  json.key("colors");
  json.begin_array();
  for (std::size_t i = 0; i < analysis::kOpCategoryCount; ++i) {
    json.value(category_color(static_cast<analysis::OpCategory>(i)));
  }
  json.end_array();
  write_keys<analysis::GapCause>(json, "causes", analysis::kGapCauseCount);
  write_keys<analysis::OpLimit>(json, "limits", analysis::kOpLimitCount);
  write_keys<analysis::LimitModel>(json, "models", analysis::kLimitModelCount);
  write_list(json, "riscs", kRiscNames, [&](std::string_view name) { json.value(name); });
  write_list(json, "signposts", executions.signposts, [&](const std::string& name) { json.value(name); });
  write_list(json, "cores", options.cores, [&](const CoreLoad& core) {
    json.begin_array();
    json.value(core.device);
    json.value(core.x);
    json.value(core.y);
    json.value(core.busy_cycles);
    json.value(core.runs);
    json.end_array();
  });
  write_columns(json, blobs);
  json.end_object();
  return std::string(text.text());
}

}  // namespace

void write_perf_page(const OpsTable& table, const analysis::OpReading& reading,
                     const PerfPageOptions& options, Writer& out) {
  const PageExecutions executions = find_executions(table, reading.ops);
  PageBlobs blobs;
  add_kind_columns(blobs, table, reading.ops);
  add_execution_columns(blobs, table, executions);
  add_row_columns(blobs, table, reading, executions);
  std::vector<std::string> encoded(blobs.list().size());
  run_parallel(encoded.size(), options.threads,
               [&](std::size_t i) { encoded[i] = encode_blob(blobs.list()[i]); });
  TextCatcher document;
  write_perf_json(table, reading,
                  {.tool_version = options.tool_version, .list_ops = false, .zones = options.zones},
                  document);
  std::string_view rest = perf_page_template();
  rest = write_page_until(out, rest, kTitleMark, rest.find(kTitleMark));
  out.write(markup_text(options.name));
  rest = write_page_until(out, rest, kHeadMark, rest.find(kHeadMark));
  write_page_block(out, "application/json", "ttscope-page", page_header(blobs, executions, options));
  write_page_block(out, "application/json", "ttscope-perf", document.text());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded[i]);
  }
  rest = write_page_until(out, rest, kDataMark, rest.rfind(kDataMark));
  out.write(rest);
}

}  // namespace ttscope::output
