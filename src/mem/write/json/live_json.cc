// Sections of mem/write/json/document.h: live sets, padding, weights and arguments.
#include "mem/write/json/document.h"

namespace ttscope::mem {
namespace {

const TensorType* find_type(const MemDocument& document, std::uint32_t rank, std::uint32_t id) {
  const auto& local = document.profile.ranks[rank].local_types;
  if (id >= kLocalTypeBase && id - kLocalTypeBase < local.size()) {
    return &local[id - kLocalTypeBase];
  }
  return id < document.trace.types.size() ? &document.trace.types[id] : nullptr;
}

/// Line of the op at whose start or end the moment lies.
std::optional<std::uint32_t> line_at(const RankTrace& trace, Moment moment) {
  const std::uint32_t op = moment / 2;
  return moment == kForever || op >= trace.ops.size() ? std::nullopt : line_or_null(trace.ops[op].line);
}

/// Arguments are there when their program starts, other tensors from the end of the op that made them.
std::optional<std::uint32_t> born_line(const RankTrace& trace, const Buffer& buffer) {
  if (buffer.producer_op < trace.ops.size()) return line_or_null(trace.ops[buffer.producer_op].line);
  if (buffer.instance < trace.programs.size())
    return line_or_null(trace.programs[buffer.instance].start_line);
  return line_at(trace, buffer.born);
}

void write_type(JsonWriter& json, const TensorType* type) {
  static const std::vector<std::int64_t> kNoShape;
  write_shape(json, "shape", type == nullptr ? kNoShape : type->shape);
  json.field("dtype", type == nullptr ? std::string_view() : std::string_view(type->dtype));
  json.field("logical_bytes", type == nullptr ? 0 : type->logical_bytes);
  json.field("padded_bytes", type == nullptr ? 0 : type->padded_bytes);
}

/// Tensors: rows of the table of buffers. Not from there are the shape, which documents have as numbers and
/// tables as a text, the name of the producer, and lines where tables have ops and moments.
class TensorRecords {
 public:
  explicit TensorRecords(const MemDocument& document)
      : document_(document),
        head_(rows({{"name", {}, table::WhereNull::kQuestionMark}, {"kind"}})),
        sizes_(rows({{"dtype", {}, table::WhereNull::kEmptyText},
                     {"logical_bytes", {}, table::WhereNull::kZero},
                     {"padded_bytes", {}, table::WhereNull::kZero},
                     {"bytes_per_bank"},
                     {"producer_line"}})),
        places_(rows({{"model_name"},
                      {"program", "program_name"},
                      {"program_instance", "program"},
                      {"memory_layout", "layout"}})) {}

  void write(JsonWriter& json, std::uint32_t rank, std::uint32_t id) {
    const RankTrace& trace = document_.trace.ranks[rank];
    const Buffer& buffer = document_.profile.ranks[rank].buffers[id];
    const TensorType* type = find_type(document_, rank, buffer.type);
    const std::size_t row = document_.tables->buffers.first_of(rank) + id;
    json.begin_object();
    head_.write_row(json, row);
    write_shape(json, "shape", type == nullptr ? std::vector<std::int64_t>() : type->shape);
    sizes_.write_row(json, row);
    json.field("producer_op", buffer.producer_op < trace.ops.size()
                                  ? std::optional(document_.trace.name_of(trace.ops[buffer.producer_op]))
                                  : std::nullopt);
    places_.write_row(json, row);
    json.field("born_line", born_line(trace, buffer));
    json.field("freed_line", line_at(trace, buffer.died));
    write_file(json, document_, trace.file);
    json.end_object();
  }

 private:
  table::JsonRows rows(const std::vector<table::JsonField>& fields) const {
    return document_.rows_of(buffers_spec(), document_.tables->buffers.total(), fields);
  }

  const MemDocument& document_;
  table::JsonRows head_;
  table::JsonRows sizes_;
  table::JsonRows places_;
};

void write_kinds(JsonWriter& json, const LiveSet& live) {
  json.key("bytes_per_bank_by_kind");
  json.begin_object();
  for (std::size_t kind = 0; kind < kTensorKindCount; ++kind) {
    json.field(name_of(static_cast<TensorKind>(kind)), live.kind_bytes_per_bank[kind]);
  }
  json.end_object();
}

void write_live_set(MemDocument& document, std::uint32_t rank, std::int64_t bytes_per_bank,
                    const LiveSet& live) {
  JsonWriter& json = document.json;
  json.begin_object();
  json.field("bytes_per_bank", bytes_per_bank);
  json.field("accounted_bytes_per_bank", live.accounted_bytes_per_bank);
  json.field("unaccounted_bytes_per_bank", live.unaccounted_bytes_per_bank);
  write_kinds(json, live);
  json.field("failing_results", live.failing_results);
  json.field("failing_result_bytes_per_bank", live.failing_result_bytes_per_bank);
  json.field("logical_bytes", live.logical_bytes);
  json.field("padded_bytes", live.padded_bytes);
  {
    RecordList list(document, "tensors");
    TensorRecords tensors(document);
    for (const std::uint32_t id : live.buffers) {
      if (list.full()) break;
      JsonWriter record = list.next();
      tensors.write(record, rank, id);
    }
  }
  json.end_object();
}

void write_worst_padding(MemDocument& document) {
  RecordList list(document, "worst");
  for (const PaddingEntry& entry : document.profile.worst_padding) {
    if (list.full()) break;
    const TensorType* type = find_type(document, entry.rank, entry.type);
    JsonWriter json = list.next();
    json.begin_object();
    write_rank(json, document, entry.rank);
    write_op(json, document, entry.rank, entry.op);
    write_type(json, type);
    write_shape(json, "padded_shape", type == nullptr ? std::vector<std::int64_t>() : padded_shape(*type));
    json.field("waste_bytes", entry.waste_bytes);
    json.field("waste_percent", percent(entry.waste_bytes, type == nullptr ? 0 : type->logical_bytes));
    json.end_object();
  }
}

/// Rows of the table of arguments; the shape is a text there, and the graphs of const-eval a list.
class ArgumentRecords {
 public:
  explicit ArgumentRecords(const MemDocument& document)
      : document_(document),
        head_(rows({{"index", "argument"},
                    {"graph"},
                    {"ssa", {}, table::WhereNull::kQuestionMark},
                    {"name", {}, table::WhereNull::kEmptyText},
                    {"role"},
                    {"role_from_flow"},
                    {"kv_cache"}})),
        type_(rows({{"dtype", {}, table::WhereNull::kEmptyText}, {"bytes", "logical_bytes"}})),
        weight_(rows({{"same_as"}, {"counted", "counted_weight"}})) {}

  /// The list of those that are weights or of those that are not.
  void write_list(MemDocument& document, std::string_view name, bool weights) {
    RecordList list(document, name);
    const auto& arguments = document.profile.arguments;
    for (std::uint32_t i = 0; i < arguments.size() && !list.full(); ++i) {
      if (arguments[i].is_weight() != weights) continue;
      JsonWriter record = list.next();
      write(record, i);
    }
  }

 private:
  table::JsonRows rows(const std::vector<table::JsonField>& fields) const {
    return document_.rows_of(arguments_spec(), document_.profile.arguments.size(), fields);
  }

  void write(JsonWriter& json, std::uint32_t index) {
    const Argument& argument = document_.profile.arguments[index];
    json.begin_object();
    head_.write_row(json, index);
    write_shape(json, "shape", argument.shape);
    type_.write_row(json, index);
    json.key("const_eval_graphs");
    json.begin_array();
    for (const std::string& graph : argument.const_eval_graphs) json.value(graph);
    json.end_array();
    weight_.write_row(json, index);
    json.end_object();
  }

  const MemDocument& document_;
  table::JsonRows head_;
  table::JsonRows type_;
  table::JsonRows weight_;
};

void write_duplicates(MemDocument& document, const RankProfile& profile, std::uint32_t rank) {
  RecordList list(document, "duplicates");
  TensorRecords tensors(document);
  for (const DuplicatedWeight& pair : profile.duplicated_weights) {
    if (list.full()) break;
    if (pair.weight >= profile.buffers.size() || pair.copy >= profile.buffers.size()) continue;
    JsonWriter json = list.next();
    json.begin_object();
    json.key("weight");
    tensors.write(json, rank, pair.weight);
    json.key("copy");
    tensors.write(json, rank, pair.copy);
    json.end_object();
  }
}

}  // namespace

void write_live_at_peak(MemDocument& document, std::uint32_t rank) {
  const RankProfile& profile = document.profile.ranks[rank];
  document.json.key("live_at_peak");
  document.json.begin_object();
  for (const Memory memory : kTensorMemories) {
    document.json.key(name_of(memory));
    write_live_set(document, rank, profile.peaks[index_of(memory)].bytes_per_bank,
                   profile.live_at_peak[index_of(memory)]);
  }
  document.json.end_object();
}

void write_live_at(MemDocument& document) {
  document.json.key("live_at");
  const std::optional<LiveMoment>& moment = document.profile.live_at;
  if (!moment) return document.json.value(nullptr);
  document.json.begin_object();
  write_rank(document.json, document, moment->rank);
  write_op(document.json, document, moment->rank, moment->op);
  for (const Memory memory : kTensorMemories) {
    document.json.key(name_of(memory));
    write_live_set(document, moment->rank, moment->bytes_per_bank[index_of(memory)],
                   moment->live[index_of(memory)]);
  }
  document.json.end_object();
}

void write_padding(MemDocument& document, std::uint32_t rank) {
  const auto& live = document.profile.ranks[rank].live_at_peak;
  const LiveSet& dram = live[index_of(Memory::kDram)];
  const LiveSet& l1 = live[index_of(Memory::kL1)];
  JsonWriter& json = document.json;
  json.key("padding");
  json.begin_object();
  json.field("waste_bytes_at_peak", dram.padded_bytes - dram.logical_bytes);
  json.field("waste_percent_at_peak", percent(dram.padded_bytes - dram.logical_bytes, dram.logical_bytes));
  json.field("waste_bytes_at_l1_peak", l1.padded_bytes - l1.logical_bytes);
  json.field("lockstep_bytes_per_bank_at_peak", dram.lockstep_bytes_per_bank);
  json.field("lockstep_bytes_per_bank_at_l1_peak", l1.lockstep_bytes_per_bank);
  write_worst_padding(document);
  json.end_object();
}

void write_weights(MemDocument& document) {
  const std::uint32_t rank = document.profile.main_rank;
  const RankProfile& profile = document.profile.ranks[rank];
  JsonWriter& json = document.json;
  json.key("weights");
  json.begin_object();
  json.field("count", document.profile.weight_count);
  json.field("bytes", document.profile.weight_bytes);
  json.field("duplicated_by_const_eval_bytes", profile.duplicated_weight_bytes);
  json.field("duplicated_by_const_eval_bytes_highest", profile.duplicated_weight_bytes_highest);
  write_duplicates(document, profile, rank);
  ArgumentRecords arguments(document);
  arguments.write_list(document, "entries", true);
  json.end_object();
  arguments.write_list(document, "arguments", false);
}

}  // namespace ttscope::mem
