// Sections of mem/write/json/document.h: ops by kind, graphs, programs and changes.
#include <vector>

#include "mem/analyse/op_kinds.h"
#include "mem/write/json/document.h"

namespace ttscope::mem {
namespace {

void write_per_memory(JsonWriter& json, std::string_view name, const PerTensorMemory& bytes) {
  json.key(name);
  json.begin_object();
  for (const Memory memory : kTensorMemories) json.field(name_of(memory), bytes[index_of(memory)]);
  json.end_object();
}

}  // namespace

void write_operations_by_kind(MemDocument& document) {
  RecordList list(document, "operations_by_kind");
  for (const OpKind& kind : op_kinds(document.trace, document.profile)) {
    if (list.full()) break;
    const ExecutedOp& first = document.trace.ranks[kind.rank].ops[kind.op];
    JsonWriter json = list.next();
    json.begin_object();
    json.key("op");
    json.raw(document.ops.name(first));
    json.field("executed", kind.count);
    json.field("counted", is_counted(document.trace, first));
    json.field("weight_ops", kind.weight_ops);
    write_per_memory(json, "growth_bytes_per_bank", kind.growth);
    json.end_object();
  }
}

void write_graphs(MemDocument& document) {
  RecordList list(document, "graphs");
  const auto& graphs = document.profile.graphs;
  table::JsonRows head = document.rows_of(graphs_spec(), graphs.size(),
                                          {{"id", "graph"}, {"name"}, {"instances"}, {"const_eval"}});
  table::JsonRows first = document.rows_of(graphs_spec(), graphs.size(), {{"first_program"}});
  for (const Graph& graph : graphs) {
    if (list.full()) break;
    JsonWriter json = list.next();
    json.begin_object();
    head.write_next(json);
    json.field("module_group", id_or_null(graph.module_group));
    write_rank(json, document, graph.first_rank);
    first.write_next(json);
    json.end_object();
  }
}

void write_programs(MemDocument& document) {
  RecordList list(document, "programs");
  const RankRows& programs = document.tables->programs;
  table::JsonRows rows = document.rows_of(programs_spec(), programs.total(),
                                          {{"id", "program"},
                                           {"name"},
                                           {"graph"},
                                           {"run"},
                                           {"parent"},
                                           {"start_line"},
                                           {"end_line"},
                                           {"first_op_index", "first_op"},
                                           {"executed_ops"},
                                           {"ops", "counted_ops"},
                                           {"const_eval"},
                                           {"dram_peak_bytes_per_bank"}});
  for (std::size_t row = 0; row < programs.total() && !list.full(); ++row) {
    JsonWriter json = list.next();
    json.begin_object();
    write_rank(json, document, programs.at(row).rank);
    rows.write_next(json);
    json.end_object();
  }
}

void write_changes(MemDocument& document) {
  RecordList list(document, "changes");
  const RankRows& changes = document.tables->changes;
  table::JsonRows rows = document.rows_of(changes_spec(), changes.total(),
                                          {{"event"},
                                           {"program", "program_name"},
                                           {"program_instance", "program"},
                                           {"before_op_index", "before_op"},
                                           {"before_line"}});
  table::JsonRows bytes =
      document.rows_of(changes_spec(), changes.total(),
                       {{"DRAM", "dram_change_bytes_per_bank"}, {"L1", "l1_change_bytes_per_bank"}});
  for (std::size_t row = 0; row < changes.total() && !list.full(); ++row) {
    JsonWriter json = list.next();
    json.begin_object();
    write_rank(json, document, changes.at(row).rank);
    rows.write_next(json);
    json.key("bytes_per_bank");
    json.begin_object();
    bytes.write_next(json);
    json.end_object();
    json.end_object();
  }
}

}  // namespace ttscope::mem
