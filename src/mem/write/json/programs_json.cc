// Sections of mem/write/json/document.h: ops by kind, graphs, programs and changes.
#include <algorithm>
#include <vector>

#include "base/flat_map.h"
#include "mem/write/json/document.h"

namespace ttscope::mem {
namespace {

/// All executions of ops with one name.
struct OpKind {
  std::uint32_t rank = 0;  ///< of the first one
  std::uint32_t op = kNone;
  std::uint64_t count = 0;
  std::uint64_t weight_ops = 0;
  PerTensorMemory growth{};  ///< sum of the positive own growths
};

std::uint32_t name_id(const RuntimeTrace& trace, const ExecutedOp& op) {
  const std::uint32_t written = op.text == kNone ? kNone : trace.op_texts[op.text].name;
  return written == kNone ? op.op_type : written;
}

class OpKinds {
 public:
  explicit OpKinds(const MemDocument& document) : document_(document) {
    for (std::uint32_t rank = 0; rank < document.trace.ranks.size(); ++rank) add_rank(rank);
    std::stable_sort(kinds_.begin(), kinds_.end(),
                     [](const OpKind& a, const OpKind& b) { return a.count > b.count; });
  }
  const std::vector<OpKind>& by_count() const { return kinds_; }

 private:
  void add_rank(std::uint32_t rank) {
    const auto& ops = document_.trace.ranks[rank].ops;
    const RankProfile& profile = document_.profile.ranks[rank];
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      OpKind& kind = kind_of(rank, i);
      ++kind.count;
      if (i < profile.is_weight_op.size() && profile.is_weight_op[i]) ++kind.weight_ops;
      if (i >= profile.effects.size()) continue;
      for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
        kind.growth[m] += std::max<std::int64_t>(profile.effects[i].own_growth[m], 0);
      }
    }
  }

  /// Ops whose name is unknown are one kind.
  OpKind& kind_of(std::uint32_t rank, std::uint32_t op) {
    const std::uint32_t name = name_id(document_.trace, document_.trace.ranks[rank].ops[op]);
    const std::uint32_t key = name == kNone ? document_.trace.names.size() : name;
    if (const std::uint32_t* known = places_.find(key)) return kinds_[*known];
    places_.set(key, static_cast<std::uint32_t>(kinds_.size()));
    return kinds_.emplace_back(OpKind{rank, op, 0, 0, {}});
  }

  const MemDocument& document_;
  FlatMap<std::uint32_t> places_;  ///< in kinds_, by name id
  std::vector<OpKind> kinds_;
};

void write_per_memory(JsonWriter& json, std::string_view name, const PerTensorMemory& bytes) {
  json.key(name);
  json.begin_object();
  for (const Memory memory : kTensorMemories) json.field(name_of(memory), bytes[index_of(memory)]);
  json.end_object();
}

}  // namespace

void write_operations_by_kind(MemDocument& document) {
  RecordList list(document, "operations_by_kind");
  const OpKinds kinds(document);
  for (const OpKind& kind : kinds.by_count()) {
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
