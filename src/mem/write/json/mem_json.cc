#include "mem/write/json/mem_json.h"

#include "mem/write/json/document.h"
#include "report/document_head.h"

namespace ttscope::mem {
namespace {

void write_head(MemDocument& document, const MemJsonOptions& options) {
  JsonWriter& json = document.json;
  report::write_document_head(json, "ttscope.mem/1", options.tool_version);
  json.key("inputs");
  json.begin_array();
  for (std::size_t i = 0; i < document.trace.files.size(); ++i) {
    json.begin_object();
    json.field("path", document.trace.files[i]);
    json.field("lines", i < document.trace.file_lines.size() ? document.trace.file_lines[i] : 0);
    json.end_object();
  }
  json.end_array();
}

void write_counts(MemDocument& document) {
  std::uint64_t ops = 0;
  std::uint64_t executed = 0;
  std::uint64_t weight_ops = 0;
  for (const RankProfile& rank : document.profile.ranks) {
    ops += rank.counted_ops;
    executed += rank.executed_ops;
    weight_ops += rank.weight_ops;
  }
  document.json.field("ops", ops);
  document.json.field("executed_ops", executed);
  document.json.field("weight_ops", weight_ops);
  document.json.field("activation_ops", ops - weight_ops);
}

}  // namespace

void write_mem_json(const RuntimeTrace& trace, const MemoryProfile& profile, Writer& out,
                    const MemJsonOptions& options) {
  JsonWriter json(out, {.indented = true});
  OpJson ops(trace, {});
  MemDocument document{trace,
                       profile,
                       out,
                       json,
                       ops,
                       options.list_limit,
                       std::make_shared<const TableSource>(trace, profile)};
  const std::uint32_t rank = profile.main_rank;
  json.begin_object();
  write_head(document, options);
  write_trust(document);
  write_verdict(document);
  write_fixes(document);
  write_counts(document);
  json.field("main_rank", trace.ranks[rank].number);
  write_device(document, rank);
  write_memory(document, rank);
  write_live_at_peak(document, rank);
  write_live_at(document);
  write_padding(document, rank);
  write_fragmentation(document, rank);
  write_weights(document);
  write_operations_by_kind(document);
  write_failures(document);
  write_ranks(document);
  write_graphs(document);
  write_programs(document);
  write_changes(document);
  write_growth(document);
  json.end_object();
  out.write('\n');
}

}  // namespace ttscope::mem
