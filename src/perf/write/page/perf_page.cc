#include "perf/write/page/perf_page.h"

#include "base/json_writer.h"
#include "base/parallel.h"
#include "base/text_escape.h"
#include "perf/write/json/perf_json.h"
#include "perf/write/page/perf_columns.h"
#include "perf/write/plot/perf_plot.h"
#include "report/json_text.h"
#include "report/page_columns.h"
#include "report/page_frame.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kDataMark = "<!--ttscope:data-->";

template <typename Enum>
void write_keys(JsonWriter& json, std::string_view name, std::size_t count) {
  json.key(name);
  json.begin_array();
  for (std::size_t i = 0; i < count; ++i) json.value(key_of(static_cast<Enum>(i)));
  json.end_array();
}

std::string page_header(const report::PageBlobs& blobs, const PageExecutions& executions,
                        const PerfPageOptions& options) {
  report::TextCatcher text;
  JsonWriter json(text);
  json.begin_object();
  json.field("format", "ttscope.perf_page/1");
  json.field("name", options.name);
  json.list("categories", kOpCategoryNames, [&](std::string_view name) { json.value(name); });
  json.key("colors");
  json.begin_array();
  for (std::size_t i = 0; i < kOpCategoryCount; ++i) {
    json.value(category_color(static_cast<OpCategory>(i)));
  }
  json.end_array();
  write_keys<GapCause>(json, "causes", kGapCauseCount);
  write_keys<OpLimit>(json, "limits", kOpLimitCount);
  write_keys<LimitModel>(json, "models", kLimitModelCount);
  json.list("riscs", kRiscNames, [&](std::string_view name) { json.value(name); });
  json.list("signposts", executions.signposts, [&](const std::string& name) { json.value(name); });
  json.list("cores", options.cores, [&](const CoreLoad& core) {
    json.begin_array();
    json.value(core.device);
    json.value(core.x);
    json.value(core.y);
    json.value(core.busy_cycles);
    json.value(core.runs);
    json.end_array();
  });
  report::write_columns(json, blobs);
  json.end_object();
  return std::string(text.text());
}

}  // namespace

void write_perf_page(const OpsReport& table, const OpReading& reading, const PerfPageOptions& options,
                     Writer& out) {
  const PageExecutions executions = find_executions(table, reading.ops);
  report::PageBlobs blobs;
  const auto source = std::make_shared<const TableSource>(table, reading);
  add_kind_columns(blobs, source);
  add_execution_columns(blobs, source, executions);
  add_row_columns(blobs, source, executions);
  std::vector<std::string> encoded(blobs.list().size());
  run_parallel(encoded.size(), options.threads,
               [&](std::size_t i) { encoded[i] = report::encode_blob(blobs.list()[i]); });
  report::TextCatcher document;
  write_perf_json(table, reading,
                  {.tool_version = options.tool_version, .list_ops = false, .zones = options.zones},
                  document);
  std::string_view rest = perf_page_template();
  rest = report::write_page_until(out, rest, report::kTitleMark, rest.find(report::kTitleMark));
  out.write(markup_text(options.name));
  rest = report::write_page_until(out, rest, report::kHeadMark, rest.find(report::kHeadMark));
  report::write_page_block(out, "application/json", "ttscope-page", page_header(blobs, executions, options));
  report::write_page_block(out, "application/json", "ttscope-perf", document.text());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    report::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded[i]);
  }
  rest = report::write_page_until(out, rest, kDataMark, rest.rfind(kDataMark));
  out.write(rest);
}

}  // namespace ttscope::perf
