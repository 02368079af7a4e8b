// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;
using Columns = std::vector<table::ColumnOf<TableSource>>;

/// The type of the op's first result; null where the op line is missing or makes none.
const TensorType* result_type(const TableSource& source, Row row) {
  const OpText* text = source.trace.text_of(source.op(source.ops.at(row)));
  if (text == nullptr || text->result_types.count == 0) return nullptr;
  const std::uint32_t type = source.trace.ids(text->result_types).front();
  return type < source.trace.types.size() && source.trace.types[type].is_tensor ? &source.trace.types[type]
                                                                                : nullptr;
}

const OpEffect* effect_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.ops.at(row);
  const auto& effects = source.rank_profile(at).effects;
  return at.index < effects.size() ? &effects[at.index] : nullptr;
}

std::optional<std::int64_t> growth_at(const TableSource& source, Row row, Memory memory) {
  const OpEffect* effect = effect_at(source, row);
  return effect == nullptr ? std::nullopt : std::optional<std::int64_t>(effect->own_growth[index_of(memory)]);
}

std::string_view confidence_at(const TableSource& source, Row row, Memory memory) {
  const OpEffect* effect = effect_at(source, row);
  return name_of(effect == nullptr ? Confidence::kNone : effect->confidence[index_of(memory)]);
}

std::optional<std::int64_t> accounted_at(const TableSource& source, Row row, Memory memory) {
  const RankRows::Place at = source.ops.at(row);
  const auto& accounted = source.rank_profile(at).accounted;
  if (at.index >= accounted.size()) return std::nullopt;
  return accounted[at.index][index_of(memory)];
}

std::optional<std::int64_t> printed_at(const TableSource& source, Row row, Memory memory) {
  const RankRows::Place at = source.ops.at(row);
  const std::uint32_t block = source.op(at).block;
  const auto& blocks = source.rank_trace(at).blocks;
  if (block >= blocks.size() || !blocks[block].has(memory)) return std::nullopt;
  return bytes_of(blocks[block].allocated[index_of(memory)]);
}

Columns place_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process) that executed the op",
                 [](const TableSource& s, Row row) { return s.rank_trace(s.ops.at(row)).number; }),
      mem_column("op", "", "Position of the op among all executed ops of its rank, from 0",
                 [](const TableSource& s, Row row) { return s.ops.at(row).index; }),
      mem_column("line", "",
                 "Line of the log where the op stands, from 1; null where files of a run do not record lines",
                 [](const TableSource& s, Row row) { return known_line(s.op(s.ops.at(row)).line); }),
      mem_column("program", "", "Program instance of the rank that the op belongs to; null outside programs",
                 [](const TableSource& s, Row row) { return known_id(s.op(s.ops.at(row)).instance); }),
      mem_column("program_name", "", "Name of that program",
                 [](const TableSource& s, Row row) {
                   const RankRows::Place at = s.ops.at(row);
                   return program_name(s, at.rank, s.op(at).instance);
                 }),
      mem_column("graph", "", "Graph of that program: runs of the same op sequence share it",
                 [](const TableSource& s, Row row) -> std::optional<std::uint32_t> {
                   const RankRows::Place at = s.ops.at(row);
                   const auto& programs = s.rank_profile(at).programs;
                   const std::uint32_t instance = s.op(at).instance;
                   return instance < programs.size() ? known_id(programs[instance].graph) : std::nullopt;
                 }),
      mem_column(
          "name", "", "Name of the op (ttnn.matmul), or its type where only memory lines are there",
          [](const TableSource& s, Row row) { return known_text(s.trace.name_of(s.op(s.ops.at(row)))); }),
      mem_column(
          "op_type", "", "Type in the header of the op's memory lines (MatmulOp)",
          [](const TableSource& s, Row row) { return known_name(s.trace, s.op(s.ops.at(row)).op_type); }),
      mem_column("loc", "", "Location in the model as a person calls it; null where the compiler had none",
                 [](const TableSource& s, Row row) {
                   const RankRows::Place at = s.ops.at(row);
                   return op_loc(s, at.rank, at.index);
                 }),
  };
}

Columns flag_columns() {
  return {
      mem_column("counted", "", "Whether the op counts among the ops: all but deallocate and get_device",
                 [](const TableSource& s, Row row) { return is_counted(s.trace, s.op(s.ops.at(row))); }),
      mem_column("weight_op", "", "Whether its results depend on weights alone, by data flow",
                 [](const TableSource& s, Row row) {
                   const RankRows::Place at = s.ops.at(row);
                   const auto& is_weight = s.rank_profile(at).is_weight_op;
                   return at.index < is_weight.size() && is_weight[at.index];
                 }),
      mem_column("retained", "", "Whether the runtime says that this deallocate did nothing",
                 [](const TableSource& s, Row row) { return s.op(s.ops.at(row)).retained; }),
      mem_column("cache_hit", "", "Whether this load_cached found its result in the const-eval cache",
                 [](const TableSource& s, Row row) { return s.op(s.ops.at(row)).cache_hit; }),
      mem_column("cache_miss", "", "Whether this load_cached had to run its const-eval program",
                 [](const TableSource& s, Row row) { return s.op(s.ops.at(row)).cache_miss; }),
  };
}

Columns result_columns() {
  return {
      mem_column("result_shape", "", "Logical shape of the first result (1x32x768)",
                 [](const TableSource& s, Row row) -> std::optional<std::string> {
                   const TensorType* type = result_type(s, row);
                   return type == nullptr ? std::nullopt
                                          : std::optional<std::string>(shape_text(type->shape));
                 }),
      mem_column("result_dtype", "", "Element type of the first result as stored (bf16, bfp_bf8)",
                 [](const TableSource& s, Row row) -> std::optional<std::string_view> {
                   const TensorType* type = result_type(s, row);
                   return type == nullptr ? std::nullopt : known_text(type->dtype);
                 }),
      mem_column("result_memory", "", "Memory that the first result is placed in (dram, l1, system_memory)",
                 [](const TableSource& s, Row row) -> std::optional<std::string_view> {
                   const TensorType* type = result_type(s, row);
                   if (type == nullptr || type->buffer == BufferType::kNone) return std::nullopt;
                   return name_of(type->buffer);
                 }),
      mem_column("result_layout", "", "How the first result is spread over banks or cores (interleaved)",
                 [](const TableSource& s, Row row) -> std::optional<std::string_view> {
                   const TensorType* type = result_type(s, row);
                   if (type == nullptr || type->layout == MemoryLayout::kNone) return std::nullopt;
                   return name_of(type->layout);
                 }),
      mem_column("result_logical_bytes", "bytes",
                 "Bytes of the first result without padding, the whole tensor",
                 [](const TableSource& s, Row row) -> std::optional<std::int64_t> {
                   const TensorType* type = result_type(s, row);
                   return type == nullptr ? std::nullopt : std::optional<std::int64_t>(type->logical_bytes);
                 }),
      mem_column("result_padded_bytes", "bytes", "Bytes of the first result as stored, with tile padding",
                 [](const TableSource& s, Row row) -> std::optional<std::int64_t> {
                   const TensorType* type = result_type(s, row);
                   return type == nullptr ? std::nullopt : std::optional<std::int64_t>(type->padded_bytes);
                 }),
  };
}

Columns growth_columns() {
  return {
      mem_column("dram_growth_bytes_per_bank", "bytes",
                 "What the op itself added to a DRAM bank, frees by others taken out; negative: it freed",
                 [](const TableSource& s, Row row) { return growth_at(s, row, Memory::kDram); }),
      mem_column("l1_growth_bytes_per_bank", "bytes", "The same for an L1 bank; tensors only",
                 [](const TableSource& s, Row row) { return growth_at(s, row, Memory::kL1); }),
      mem_column("dram_growth_confidence", "",
                 "Where the DRAM growth is from: measured, derived, modelled or none",
                 [](const TableSource& s, Row row) { return confidence_at(s, row, Memory::kDram); }),
      mem_column("l1_growth_confidence", "",
                 "Where the L1 growth is from: measured, derived, modelled or none",
                 [](const TableSource& s, Row row) { return confidence_at(s, row, Memory::kL1); }),
      mem_column("dram_accounted_before_bytes_per_bank", "bytes",
                 "Tensors live in a DRAM bank before the op, modelled from op lines and layouts",
                 [](const TableSource& s, Row row) { return accounted_at(s, row, Memory::kDram); }),
      mem_column("l1_accounted_before_bytes_per_bank", "bytes", "The same for an L1 bank",
                 [](const TableSource& s, Row row) { return accounted_at(s, row, Memory::kL1); }),
      mem_column("dram_allocated_before_bytes_per_bank", "bytes",
                 "State of a DRAM bank before the op as the runtime printed it; null without memory lines",
                 [](const TableSource& s, Row row) { return printed_at(s, row, Memory::kDram); }),
      mem_column("l1_allocated_before_bytes_per_bank", "bytes", "The same for an L1 bank",
                 [](const TableSource& s, Row row) { return printed_at(s, row, Memory::kL1); }),
  };
}

table::TableOf<TableSource> declare_ops(bool in_order) {
  Columns columns = place_columns();
  if (in_order) {
    for (table::ColumnOf<TableSource>& column : columns) {
      if (column.spec.name == "op" || column.spec.name == "line") column = table::ascending(column);
    }
  }
  for (const Columns& more : {flag_columns(), result_columns(), growth_columns()})
    columns.insert(columns.end(), more.begin(), more.end());
  return table::table_of<TableSource>("ops", "An executed op, in the order of the log, rank after rank",
                                      columns);
}

}  // namespace

const table::TableOf<TableSource>& ops_spec(bool in_order) {
  static const table::TableOf<TableSource> kOrdered = declare_ops(true);
  static const table::TableOf<TableSource> kAny = declare_ops(false);
  return in_order ? kOrdered : kAny;
}

}  // namespace ttscope::mem
