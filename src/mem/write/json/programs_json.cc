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

void write_program(JsonWriter& json, const MemDocument& document, std::uint32_t rank, std::uint32_t id) {
  const ProgramInstance& program = document.trace.ranks[rank].programs[id];
  const ProgramSummary& summary = document.profile.ranks[rank].programs[id];
  json.begin_object();
  write_rank(json, document, rank);
  json.field("id", id);
  json.field("name", program_name(document, rank, id));
  json.field("graph", id_or_null(summary.graph));
  json.field("run", summary.run);
  json.field("parent", id_or_null(program.parent));
  json.field("start_line", line_or_null(program.start_line));
  json.field("end_line", line_or_null(program.end_line));
  json.field("first_op_index", program.first_op);
  json.field("executed_ops", summary.executed_ops);
  json.field("ops", summary.counted_ops);
  json.field("const_eval", summary.const_eval);
  json.field("dram_peak_bytes_per_bank", summary.dram_peak_bytes_per_bank);
  json.end_object();
}

void write_change(JsonWriter& json, const MemDocument& document, std::uint32_t rank,
                  const BoundaryChange& change) {
  const auto& ops = document.trace.ranks[rank].ops;
  const bool has_op = change.before_op < ops.size();
  json.begin_object();
  write_rank(json, document, rank);
  json.field("event", name_of(change.cause));
  json.field("program", program_name(document, rank, change.instance));
  json.field("program_instance", id_or_null(change.instance));
  json.field("before_op_index", change.before_op);
  json.field("before_line", has_op ? line_or_null(ops[change.before_op].line) : std::nullopt);
  write_per_memory(json, "bytes_per_bank", change.delta);
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
  for (std::uint32_t id = 0; id < graphs.size() && !list.full(); ++id) {
    const Graph& graph = graphs[id];
    JsonWriter json = list.next();
    json.begin_object();
    json.field("id", id);
    json.field("name", graph.name == kNone
                           ? std::optional<std::string_view>()
                           : std::optional<std::string_view>(document.trace.names[graph.name]));
    json.field("instances", graph.instances);
    json.field("const_eval", graph.const_eval);
    json.field("module_group", id_or_null(graph.module_group));
    write_rank(json, document, graph.first_rank);
    json.field("first_program", graph.first_instance);
    json.end_object();
  }
}

void write_programs(MemDocument& document) {
  RecordList list(document, "programs");
  for (std::uint32_t rank = 0; rank < document.trace.ranks.size(); ++rank) {
    const std::size_t count = document.profile.ranks[rank].programs.size();
    for (std::uint32_t id = 0; id < count && !list.full(); ++id) {
      JsonWriter json = list.next();
      write_program(json, document, rank, id);
    }
  }
}

void write_changes(MemDocument& document) {
  RecordList list(document, "changes");
  for (std::uint32_t rank = 0; rank < document.trace.ranks.size(); ++rank) {
    for (const BoundaryChange& change : document.profile.ranks[rank].changes) {
      if (list.full()) return;
      JsonWriter json = list.next();
      write_change(json, document, rank, change);
    }
  }
}

}  // namespace ttscope::mem
