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

void write_tensor(JsonWriter& json, const MemDocument& document, std::uint32_t rank, const Buffer& buffer) {
  const RankTrace& trace = document.trace.ranks[rank];
  const auto& arguments = document.profile.arguments;
  const TensorType* type = find_type(document, rank, buffer.type);
  json.begin_object();
  json.field("name", buffer.name == kNone ? std::string_view("?") : document.trace.names[buffer.name]);
  json.field("kind", name_of(buffer.kind));
  write_type(json, type);
  json.field("bytes_per_bank", buffer.bytes_per_bank);
  const bool produced = buffer.producer_op < trace.ops.size();
  json.field("producer_line", produced ? line_or_null(trace.ops[buffer.producer_op].line) : std::nullopt);
  json.field("producer_op",
             produced ? std::optional<std::string_view>(document.trace.name_of(trace.ops[buffer.producer_op]))
                      : std::nullopt);
  json.field("model_name", buffer.argument < arguments.size()
                               ? std::optional<std::string_view>(arguments[buffer.argument].name)
                               : std::nullopt);
  json.field("program", program_name(document, rank, buffer.instance));
  json.field("program_instance", id_or_null(buffer.instance));
  json.field("memory_layout", type == nullptr || type->layout == MemoryLayout::kNone
                                  ? std::optional<std::string_view>()
                                  : std::optional<std::string_view>(name_of(type->layout)));
  json.field("born_line", born_line(trace, buffer));
  json.field("freed_line", line_at(trace, buffer.died));
  write_file(json, document, trace.file);
  json.end_object();
}

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
  const RankProfile& profile = document.profile.ranks[rank];
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
    for (const std::uint32_t id : live.buffers) {
      if (list.full()) break;
      JsonWriter record = list.next();
      write_tensor(record, document, rank, profile.buffers[id]);
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

void write_argument(JsonWriter& json, const MemDocument& document, std::uint32_t index) {
  const Argument& argument = document.profile.arguments[index];
  json.begin_object();
  json.field("index", index);
  json.field("graph", id_or_null(argument.graph));
  json.field("ssa", argument.ssa == kNone ? std::string_view("?") : document.trace.names[argument.ssa]);
  json.field("name", argument.name);
  json.field("role", name_of(argument.role));
  json.field("role_from_flow", argument.role_from_flow);
  json.field("kv_cache", argument.kv_cache);
  write_shape(json, "shape", argument.shape);
  json.field("dtype", argument.dtype);
  json.field("bytes", argument.logical_bytes);
  json.key("const_eval_graphs");
  json.begin_array();
  for (const std::string& graph : argument.const_eval_graphs) json.value(graph);
  json.end_array();
  json.field("same_as", id_or_null(argument.same_as));
  json.field("counted", argument.counted_weight);
  json.end_object();
}

void write_duplicates(MemDocument& document, const RankProfile& profile, std::uint32_t rank) {
  RecordList list(document, "duplicates");
  for (const DuplicatedWeight& pair : profile.duplicated_weights) {
    if (list.full()) break;
    if (pair.weight >= profile.buffers.size() || pair.copy >= profile.buffers.size()) continue;
    JsonWriter json = list.next();
    json.begin_object();
    json.key("weight");
    write_tensor(json, document, rank, profile.buffers[pair.weight]);
    json.key("copy");
    write_tensor(json, document, rank, profile.buffers[pair.copy]);
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
  const auto& arguments = document.profile.arguments;
  JsonWriter& json = document.json;
  json.key("weights");
  json.begin_object();
  json.field("count", document.profile.weight_count);
  json.field("bytes", document.profile.weight_bytes);
  json.field("duplicated_by_const_eval_bytes", profile.duplicated_weight_bytes);
  json.field("duplicated_by_const_eval_bytes_highest", profile.duplicated_weight_bytes_highest);
  write_duplicates(document, profile, rank);
  {
    RecordList list(document, "entries");
    for (std::uint32_t i = 0; i < arguments.size() && !list.full(); ++i) {
      if (!arguments[i].is_weight()) continue;
      JsonWriter record = list.next();
      write_argument(record, document, i);
    }
  }
  json.end_object();
  RecordList list(document, "arguments");
  for (std::uint32_t i = 0; i < arguments.size() && !list.full(); ++i) {
    if (arguments[i].is_weight()) continue;
    JsonWriter record = list.next();
    write_argument(record, document, i);
  }
}

}  // namespace ttscope::mem
