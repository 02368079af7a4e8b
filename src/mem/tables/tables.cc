#include "mem/tables/tables.h"

#include <algorithm>
#include <array>

namespace ttscope::mem {
namespace {

/// Whether `op` and `line` never fall from row to row.
bool is_in_order(const RuntimeLog& log) {
  if (log.ranks.size() > 1) return false;
  return std::all_of(log.ranks.begin(), log.ranks.end(), [](const RankLog& rank) {
    return std::is_sorted(rank.ops.begin(), rank.ops.end(),
                          [](const ExecutedOp& a, const ExecutedOp& b) { return a.line < b.line; });
  });
}

}  // namespace

table::TableSet tables_of(std::shared_ptr<const Profile> profile) {
  table::TableSet set;
  set.kind = profile->recorded ? "report_files" : "runtime_log";
  set.warnings = profile->log.warnings;
  const auto source = std::make_shared<const TableSource>(std::move(profile));
  const MemoryProfile& memory = source->memory;
  const auto add = [&](const table::TableOf<TableSource>& spec, std::size_t rows) {
    set.tables.push_back(table::make_table(spec, source, rows));
  };
  add(ops_spec(is_in_order(source->log)), source->ops.total());
  add(memory_spec(), source->blocks.total());
  add(buffers_spec(), source->buffers.total());
  add(programs_spec(), source->programs.total());
  add(graphs_spec(), memory.graphs.size());
  add(changes_spec(), source->changes.total());
  add(peaks_spec(), memory.ranks.size() * kMemoryCount);
  add(failures_spec(), source->failures.total());
  add(arguments_spec(), memory.arguments.size());
  add(findings_spec(), memory.findings.size());
  add(verdict_spec(), memory.ranks.empty() ? 0 : 1);
  add(fixes_spec(), memory.fixes.size());
  return set;
}

std::vector<const table::TableSpec*> table_specs() {
  return {&ops_spec(false),  &memory_spec(),   &buffers_spec(), &programs_spec(),
          &graphs_spec(),    &changes_spec(),  &peaks_spec(),   &failures_spec(),
          &arguments_spec(), &findings_spec(), &verdict_spec(), &fixes_spec()};
}

std::vector<table::View> views() {
  return {
      {"mem_growth", "Which ops grow DRAM, by rank, name and location, largest growth first",
       "select profile, rank, name, loc, count(*) as executions, "
       "sum(max(dram_growth_bytes_per_bank, 0)) as dram_growth_bytes_per_bank, "
       "max(dram_growth_bytes_per_bank) as largest_growth_bytes_per_bank, min(line) as first_line "
       "from ops where dram_growth_bytes_per_bank > 0 group by profile, rank, name, loc "
       "order by dram_growth_bytes_per_bank desc"},
      {"mem_live_at_dram_peak", "What holds the memory at the DRAM peak, largest tensor first",
       "select profile, rank, name, model_name, kind, shape, dtype, bytes_per_bank, logical_bytes, "
       "padded_bytes, "
       "producer_line, program_name from buffers where memory = 'DRAM' and live_at_peak "
       "order by bytes_per_bank desc"},
      {"mem_padding",
       "Where memory is wasted by padding, by the op that makes the tensors, largest waste first",
       "select profile, name, result_shape, result_dtype, count(*) as executions, "
       "max(result_padded_bytes - result_logical_bytes) as waste_bytes, min(line) as first_line "
       "from ops where result_padded_bytes > result_logical_bytes and result_memory <> 'system_memory' "
       "group by profile, name, result_shape, result_dtype order by waste_bytes desc"},
      {"mem_weights", "How much the weights take, and which they are, largest first",
       "select profile, argument, name, role, shape, dtype, logical_bytes from arguments where "
       "counted_weight "
       "order by logical_bytes desc"},
      {"mem_op_counts", "Which ops run most often",
       "select profile, name, count(*) as executed, sum(counted) as counted, sum(weight_op) as weight_ops, "
       "sum(max(dram_growth_bytes_per_bank, 0)) as dram_growth_bytes_per_bank, "
       "sum(max(l1_growth_bytes_per_bank, 0)) as l1_growth_bytes_per_bank "
       "from ops where counted is not null group by profile, name order by executed desc"},
  };
}

RankRows::Place RankRows::find(std::size_t row) const {
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), row);
  const auto rank = static_cast<std::uint32_t>(end - ends_.begin());
  return {rank, static_cast<std::uint32_t>(row - first_of(rank))};
}

TableSource::TableSource(const RuntimeLog& of_log, const MemoryProfile& of_memory)
    : log(of_log), memory(of_memory) {
  for (std::size_t rank = 0; rank < log.ranks.size(); ++rank) {
    const RankLog& read = log.ranks[rank];
    const RankProfile& found = memory.ranks[rank];
    ops.add_rank(read.ops.size());
    blocks.add_rank(read.blocks.size());
    buffers.add_rank(found.buffers.size());
    programs.add_rank(read.programs.size());
    changes.add_rank(found.changes.size());
    failures.add_rank(read.failures.size());
  }
}

TableSource::TableSource(std::shared_ptr<const Profile> profile)
    : TableSource(profile->log, profile->memory) {
  owner = std::move(profile);
}

std::optional<std::uint32_t> op_line(const TableSource& source, std::uint32_t rank, std::uint32_t op) {
  const auto& ops = source.log.ranks[rank].ops;
  return op < ops.size() ? known_line(ops[op].line) : std::nullopt;
}

std::optional<std::string_view> op_name(const TableSource& source, std::uint32_t rank, std::uint32_t op) {
  const auto& ops = source.log.ranks[rank].ops;
  return op < ops.size() ? known_text(source.log.name_of(ops[op])) : std::nullopt;
}

std::optional<std::string> op_loc(const TableSource& source, std::uint32_t rank, std::uint32_t op) {
  const auto& ops = source.log.ranks[rank].ops;
  if (op >= ops.size() || ops[op].loc == kNone) return std::nullopt;
  std::string text = display_loc(source.log.locs[ops[op].loc]);
  return text.empty() ? std::nullopt : std::optional<std::string>(std::move(text));
}

std::optional<std::string_view> program_name(const TableSource& source, std::uint32_t rank,
                                             std::uint32_t instance) {
  const auto& programs = source.log.ranks[rank].programs;
  return instance < programs.size() ? known_name(source.log, programs[instance].name) : std::nullopt;
}

namespace {

using Row = std::size_t;
using Columns = std::vector<table::ColumnOf<TableSource>>;

/// The type of the op's first result; null where the op line is missing or makes none.
const TensorType* result_type(const TableSource& source, Row row) {
  const OpText* text = source.log.text_of(source.op(source.ops.at(row)));
  if (text == nullptr || text->result_types.count == 0) return nullptr;
  const std::uint32_t type = source.log.ids(text->result_types).front();
  return type < source.log.types.size() && source.log.types[type].is_tensor ? &source.log.types[type]
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
  const auto& blocks = source.rank_log(at).blocks;
  if (block >= blocks.size() || !blocks[block].has(memory)) return std::nullopt;
  return bytes_of(blocks[block].allocated[index_of(memory)]);
}

Columns place_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process) that executed the op",
                 [](const TableSource& s, Row row) { return s.rank_log(s.ops.at(row)).number; }),
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
          [](const TableSource& s, Row row) { return known_text(s.log.name_of(s.op(s.ops.at(row)))); }),
      mem_column(
          "op_type", "", "Type in the header of the op's memory lines (MatmulOp)",
          [](const TableSource& s, Row row) { return known_name(s.log, s.op(s.ops.at(row)).op_type); }),
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
                 [](const TableSource& s, Row row) { return is_counted(s.log, s.op(s.ops.at(row))); }),
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

namespace {

using BlockFigures = std::array<MilliMib, kMemoryCount> MemoryBlock::*;

const MemoryBlock& block_at(const TableSource& source, std::size_t row) {
  const RankRows::Place at = source.blocks.at(row);
  return source.rank_log(at).blocks[at.index];
}

std::string_view moment_name(MemoryBlock::Moment moment) {
  constexpr std::array<std::string_view, 3> kNames = {"before op", "before submit", "after submit"};
  return kNames[static_cast<std::size_t>(moment)];
}

template <Memory memory, BlockFigures figures>
table::ColumnOf<TableSource> state_column(std::string_view name, std::string_view doc) {
  return mem_column(name, "bytes", doc, [](const TableSource& source, std::size_t row) {
    return bytes_of((block_at(source, row).*figures)[index_of(memory)]);
  });
}

/// Names and documents are literals, so the three columns of each memory are written out.
struct StateNames {
  std::string_view allocated;
  std::string_view free;
  std::string_view largest_free;
};

template <Memory memory>
void add_states(Columns& columns, const StateNames& names) {
  columns.push_back(state_column<memory, &MemoryBlock::allocated>(
      names.allocated,
      "Bytes of a bank in use, measured; a view that was not printed repeats the one before"));
  columns.push_back(
      state_column<memory, &MemoryBlock::free>(names.free, "Bytes of a bank that are free, measured"));
  columns.push_back(state_column<memory, &MemoryBlock::largest_free>(
      names.largest_free, "The largest free block of a bank, measured"));
}

table::TableOf<TableSource> declare_memory() {
  Columns columns = {
      mem_column("rank", "", "Number of the rank (process) that printed the state",
                 [](const TableSource& s, std::size_t row) { return s.rank_log(s.blocks.at(row)).number; }),
      mem_column("line", "", "Line of the log where the state begins; null where it is not known",
                 [](const TableSource& s, std::size_t row) { return known_line(block_at(s, row).line); }),
      mem_column("before_op", "", "The first op of the rank that had not started at this moment",
                 [](const TableSource& s, std::size_t row) { return block_at(s, row).before_op; }),
      mem_column("moment", "", "When it was printed: before op, before submit or after submit (of a program)",
                 [](const TableSource& s, std::size_t row) { return moment_name(block_at(s, row).moment); }),
  };
  add_states<Memory::kDram>(columns, {"dram_allocated_bytes_per_bank", "dram_free_bytes_per_bank",
                                      "dram_largest_free_bytes_per_bank"});
  add_states<Memory::kL1>(
      columns, {"l1_allocated_bytes_per_bank", "l1_free_bytes_per_bank", "l1_largest_free_bytes_per_bank"});
  add_states<Memory::kL1Small>(columns, {"l1_small_allocated_bytes_per_bank", "l1_small_free_bytes_per_bank",
                                         "l1_small_largest_free_bytes_per_bank"});
  add_states<Memory::kTrace>(columns, {"trace_allocated_bytes_per_bank", "trace_free_bytes_per_bank",
                                       "trace_largest_free_bytes_per_bank"});
  return table::table_of<TableSource>("memory", "A state of the memories that the runtime printed", columns);
}

}  // namespace

const table::TableOf<TableSource>& memory_spec() {
  static const table::TableOf<TableSource> kSpec = declare_memory();
  return kSpec;
}

namespace {

const Buffer& buffer_at(const TableSource& source, Row row) { return source.buffer(source.buffers.at(row)); }

const TensorType* buffer_type(const TableSource& source, Row row) {
  const RankRows::Place at = source.buffers.at(row);
  const Buffer& buffer = source.buffer(at);
  const auto& local = source.rank_profile(at).local_types;
  const bool is_known = buffer.type >= kLocalTypeBase ? buffer.type - kLocalTypeBase < local.size()
                                                      : buffer.type < source.log.types.size();
  return is_known ? &type_of(source.log, source.rank_profile(at), buffer) : nullptr;
}

bool is_live_at_peak(const TableSource& source, Row row) {
  const RankRows::Place at = source.buffers.at(row);
  const Buffer& buffer = source.buffer(at);
  const Peak& peak = source.rank_profile(at).peaks[index_of(kTensorMemories[buffer.memory])];
  return buffer.born <= peak.moment && peak.moment < buffer.died;
}

Columns identity_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process) whose device holds it",
                 [](const TableSource& s, Row row) { return s.rank_log(s.buffers.at(row)).number; }),
      mem_column("buffer", "", "Position among the buffers of its rank, in order of birth, from 0",
                 [](const TableSource& s, Row row) { return s.buffers.at(row).index; }),
      mem_column("name", "", "SSA name under which it was made or last bound as an argument (%12)",
                 [](const TableSource& s, Row row) { return known_name(s.log, buffer_at(s, row).name); }),
      mem_column("model_name", "", "Name in the model where it is a known program argument",
                 [](const TableSource& s, Row row) -> std::optional<std::string_view> {
                   const std::uint32_t argument = buffer_at(s, row).argument;
                   if (argument >= s.memory.arguments.size()) return std::nullopt;
                   return known_text(s.memory.arguments[argument].name);
                 }),
      mem_column(
          "memory", "", "DRAM or L1",
          [](const TableSource& s, Row row) { return name_of(kTensorMemories[buffer_at(s, row).memory]); }),
      mem_column("kind", "", "weight, const_eval, activation, input or unknown",
                 [](const TableSource& s, Row row) { return name_of(buffer_at(s, row).kind); }),
      mem_column("argument", "", "Row of the table of arguments where it is a known program argument",
                 [](const TableSource& s, Row row) { return known_id(buffer_at(s, row).argument); }),
      mem_column("program", "", "Program instance of the rank in which it has that name",
                 [](const TableSource& s, Row row) { return known_id(buffer_at(s, row).instance); }),
      mem_column("program_name", "", "Name of that program",
                 [](const TableSource& s, Row row) {
                   return program_name(s, s.buffers.at(row).rank, buffer_at(s, row).instance);
                 }),
      mem_column("producer_op", "",
                 "Op of the rank that made it; null: moved to the device before the program started",
                 [](const TableSource& s, Row row) { return known_id(buffer_at(s, row).producer_op); }),
      mem_column("producer_line", "", "Line of that op in the log",
                 [](const TableSource& s, Row row) {
                   return op_line(s, s.buffers.at(row).rank, buffer_at(s, row).producer_op);
                 }),
  };
}

Columns life_columns() {
  return {
      mem_column("born_at_op", "", "Op at which it appears; modelled from op lines",
                 [](const TableSource& s, Row row) { return buffer_at(s, row).born / 2; }),
      mem_column("died_at_op", "", "Op at which it is freed; null: never within the log",
                 [](const TableSource& s, Row row) -> std::optional<std::uint32_t> {
                   const Moment died = buffer_at(s, row).died;
                   return died == kForever ? std::nullopt : std::optional<std::uint32_t>(died / 2);
                 }),
      mem_column(
          "born_moment", "",
          "Moment of birth: 2 x op before it, 2 x op + 1 after it; it lives while born <= moment < died",
          [](const TableSource& s, Row row) { return buffer_at(s, row).born; }),
      mem_column("died_moment", "", "Moment from which it is gone; null: never within the log",
                 [](const TableSource& s, Row row) -> std::optional<std::uint32_t> {
                   const Moment died = buffer_at(s, row).died;
                   return died == kForever ? std::nullopt : std::optional<std::uint32_t>(died);
                 }),
      mem_column("live_at_peak", "", "Whether it is live at the peak of its memory on its rank",
                 [](const TableSource& s, Row row) { return is_live_at_peak(s, row); }),
  };
}

Columns size_columns() {
  return {
      mem_column("bytes_per_bank", "bytes",
                 "What it takes of every bank, pages and alignment included; modelled",
                 [](const TableSource& s, Row row) { return buffer_at(s, row).bytes_per_bank; }),
      mem_column("logical_bytes", "bytes", "Bytes of the whole tensor without padding",
                 [](const TableSource& s, Row row) -> std::optional<std::int64_t> {
                   const TensorType* type = buffer_type(s, row);
                   return type == nullptr ? std::nullopt : std::optional<std::int64_t>(type->logical_bytes);
                 }),
      mem_column("padded_bytes", "bytes", "Bytes of the whole tensor as stored, with tile padding",
                 [](const TableSource& s, Row row) -> std::optional<std::int64_t> {
                   const TensorType* type = buffer_type(s, row);
                   return type == nullptr ? std::nullopt : std::optional<std::int64_t>(type->padded_bytes);
                 }),
      mem_column("shape", "", "Logical shape (1x32x768)",
                 [](const TableSource& s, Row row) -> std::optional<std::string> {
                   const TensorType* type = buffer_type(s, row);
                   return type == nullptr ? std::nullopt
                                          : std::optional<std::string>(shape_text(type->shape));
                 }),
      mem_column("dtype", "", "Element type as stored (bf16, bfp_bf8)",
                 [](const TableSource& s, Row row) -> std::optional<std::string_view> {
                   const TensorType* type = buffer_type(s, row);
                   return type == nullptr ? std::nullopt : known_text(type->dtype);
                 }),
      mem_column("layout", "", "How it is spread over banks or cores (interleaved, height_sharded)",
                 [](const TableSource& s, Row row) -> std::optional<std::string_view> {
                   const TensorType* type = buffer_type(s, row);
                   if (type == nullptr || type->layout == MemoryLayout::kNone) return std::nullopt;
                   return name_of(type->layout);
                 }),
  };
}

table::TableOf<TableSource> declare_buffers() {
  Columns columns = identity_columns();
  for (const Columns& more : {life_columns(), size_columns()})
    columns.insert(columns.end(), more.begin(), more.end());
  return table::table_of<TableSource>(
      "buffers", "A tensor on the device as modelled from op lines, rank after rank in order of birth",
      columns);
}

}  // namespace

const table::TableOf<TableSource>& buffers_spec() {
  static const table::TableOf<TableSource> kSpec = declare_buffers();
  return kSpec;
}

namespace {

const ProgramInstance& program_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.programs.at(row);
  return source.rank_log(at).programs[at.index];
}

const ProgramSummary& summary_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.programs.at(row);
  return source.rank_profile(at).programs[at.index];
}

std::vector<table::ColumnOf<TableSource>> place_of_program_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process) that ran the program",
                 [](const TableSource& s, Row row) { return s.rank_log(s.programs.at(row)).number; }),
      mem_column("program", "", "Position among the program instances of its rank, from 0",
                 [](const TableSource& s, Row row) { return s.programs.at(row).index; }),
      mem_column("name", "", "Name of the program (main, main_const_eval_0)",
                 [](const TableSource& s, Row row) { return known_name(s.log, program_at(s, row).name); }),
      mem_column("graph", "", "Row of the table of graphs: instances of the same op sequence share it",
                 [](const TableSource& s, Row row) { return known_id(summary_at(s, row).graph); }),
      mem_column("run", "", "How many times the graph ran before on this rank",
                 [](const TableSource& s, Row row) { return summary_at(s, row).run; }),
      mem_column("parent", "", "Program instance that called it; null for an outermost one",
                 [](const TableSource& s, Row row) { return known_id(program_at(s, row).parent); }),
      mem_column("caller_op", "", "Op of the parent that called it",
                 [](const TableSource& s, Row row) { return known_id(program_at(s, row).caller_op); }),
      mem_column("first_op", "", "First op of the rank that it executed, nested programs included",
                 [](const TableSource& s, Row row) { return program_at(s, row).first_op; }),
      mem_column("end_op", "", "The op behind its last one",
                 [](const TableSource& s, Row row) { return program_at(s, row).end_op; }),
      mem_column("start_line", "", "Line of the log where it starts; null where it is not known",
                 [](const TableSource& s, Row row) { return known_line(program_at(s, row).start_line); }),
      mem_column("end_line", "", "Line of the log where it ends; null: it was left open (crash or cut)",
                 [](const TableSource& s, Row row) { return known_line(program_at(s, row).end_line); }),
  };
}

table::TableOf<TableSource> declare_programs() {
  auto columns = place_of_program_columns();
  const std::vector<table::ColumnOf<TableSource>> figures = {
      mem_column("executed_ops", "", "Its own ops, nested programs not included",
                 [](const TableSource& s, Row row) { return summary_at(s, row).executed_ops; }),
      mem_column("counted_ops", "", "Its own ops without deallocate and get_device",
                 [](const TableSource& s, Row row) { return summary_at(s, row).counted_ops; }),
      mem_column("const_eval", "", "Whether it computes constants from weights",
                 [](const TableSource& s, Row row) { return summary_at(s, row).const_eval; }),
      mem_column("dram_peak_bytes_per_bank", "bytes",
                 "Highest state of a DRAM bank before one of its ops, nested programs included; measured "
                 "where there are memory lines, else modelled",
                 [](const TableSource& s, Row row) { return summary_at(s, row).dram_peak_bytes_per_bank; }),
  };
  columns.insert(columns.end(), figures.begin(), figures.end());
  return table::table_of<TableSource>("programs", "One execution of a program", columns);
}

table::TableOf<TableSource> declare_graphs() {
  return table::table_of<TableSource>(
      "graphs", "A distinct program: the same op sequence under the same name",
      {
          table::ascending(mem_column("graph", "", "Number of the graph, from 0",
                                      [](const TableSource&, Row row) { return row; })),
          mem_column(
              "name", "", "Name of its program",
              [](const TableSource& s, Row row) { return known_name(s.log, s.memory.graphs[row].name); }),
          mem_column("instances", "", "How often it ran, on all ranks",
                     [](const TableSource& s, Row row) { return s.memory.graphs[row].instances; }),
          mem_column("const_eval", "", "Whether it computes constants from weights",
                     [](const TableSource& s, Row row) { return s.memory.graphs[row].const_eval; }),
          mem_column("first_rank", "", "Number of the rank that ran it first",
                     [](const TableSource& s, Row row) {
                       return s.log.ranks[s.memory.graphs[row].first_rank].number;
                     }),
          mem_column("first_program", "", "Program instance of that rank",
                     [](const TableSource& s, Row row) { return s.memory.graphs[row].first_instance; }),
      });
}

}  // namespace

const table::TableOf<TableSource>& programs_spec() {
  static const table::TableOf<TableSource> kSpec = declare_programs();
  return kSpec;
}

const table::TableOf<TableSource>& graphs_spec() {
  static const table::TableOf<TableSource> kSpec = declare_graphs();
  return kSpec;
}

namespace {

const BoundaryChange& change_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.changes.at(row);
  return source.rank_profile(at).changes[at.index];
}

table::TableOf<TableSource> declare_changes() {
  return table::table_of<TableSource>(
      "changes", "A change of memory that no op made",
      {
          mem_column("rank", "", "Number of the rank (process)",
                     [](const TableSource& s, Row row) { return s.rank_log(s.changes.at(row)).number; }),
          mem_column("event", "", "What made it: program start, program end or unattributed",
                     [](const TableSource& s, Row row) { return name_of(change_at(s, row).cause); }),
          mem_column("program", "", "Program instance that starts or ends",
                     [](const TableSource& s, Row row) { return known_id(change_at(s, row).instance); }),
          mem_column("program_name", "", "Name of that program",
                     [](const TableSource& s, Row row) {
                       return program_name(s, s.changes.at(row).rank, change_at(s, row).instance);
                     }),
          mem_column("before_op", "", "The first op of the rank behind the change",
                     [](const TableSource& s, Row row) { return change_at(s, row).before_op; }),
          mem_column("before_line", "", "Line of that op; null behind the last one",
                     [](const TableSource& s, Row row) {
                       return op_line(s, s.changes.at(row).rank, change_at(s, row).before_op);
                     }),
          mem_column(
              "dram_change_bytes_per_bank", "bytes", "Growth of a DRAM bank, negative: freed; measured",
              [](const TableSource& s, Row row) { return change_at(s, row).delta[index_of(Memory::kDram)]; }),
          mem_column(
              "l1_change_bytes_per_bank", "bytes", "The same for an L1 bank",
              [](const TableSource& s, Row row) { return change_at(s, row).delta[index_of(Memory::kL1)]; }),
      });
}

}  // namespace

const table::TableOf<TableSource>& changes_spec() {
  static const table::TableOf<TableSource> kSpec = declare_changes();
  return kSpec;
}

namespace {

/// The rows are ranks, and of each rank its four memories.
std::uint32_t peak_rank(Row row) { return static_cast<std::uint32_t>(row / kMemoryCount); }

Memory peak_memory(Row row) { return kMemories[row % kMemoryCount]; }

const Peak& peak_at(const TableSource& source, Row row) {
  return source.memory.ranks[peak_rank(row)].peaks[row % kMemoryCount];
}

/// The op that made the peak; kNone where the memory is not used.
std::uint32_t peak_op(const TableSource& source, Row row) {
  const Peak& peak = peak_at(source, row);
  return peak.bytes_per_bank > 0 ? peak.op : kNone;
}

/// What nothing tells is null, not 0.
std::optional<std::int64_t> peak_bytes_at(const TableSource& source, Row row) {
  const Peak& peak = peak_at(source, row);
  if (!has_peak(source.log.ranks[peak_rank(row)], peak)) return std::nullopt;
  return peak.bytes_per_bank;
}

std::int64_t capacity_at(const TableSource& source, Row row) {
  return source.memory.ranks[peak_rank(row)].device.capacity_bytes_per_bank[row % kMemoryCount];
}

Columns peak_figure_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process)",
                 [](const TableSource& s, Row row) { return s.log.ranks[peak_rank(row)].number; }),
      mem_column("memory", "", "DRAM, L1, L1_SMALL or TRACE",
                 [](const TableSource&, Row row) { return name_of(peak_memory(row)); }),
      mem_column("bytes_per_bank", "bytes",
                 "Highest state of a bank; measured where there are memory lines, else modelled",
                 [](const TableSource& s, Row row) { return peak_bytes_at(s, row); }),
      mem_column("capacity_bytes_per_bank", "bytes", "What a bank holds; null where no line tells",
                 [](const TableSource& s, Row row) -> std::optional<std::int64_t> {
                   const std::int64_t capacity = capacity_at(s, row);
                   return capacity > 0 ? std::optional<std::int64_t>(capacity) : std::nullopt;
                 }),
      mem_column("percent_of_capacity", "percent", "The peak as a part of what a bank holds",
                 [](const TableSource& s, Row row) -> std::optional<double> {
                   const std::int64_t capacity = capacity_at(s, row);
                   const std::optional<std::int64_t> peak = peak_bytes_at(s, row);
                   if (capacity <= 0 || !peak) return std::nullopt;
                   return 100.0 * static_cast<double>(*peak) / static_cast<double>(capacity);
                 }),
      mem_column("banks", "", "Banks of the device, all filled in lockstep",
                 [](const TableSource& s, Row row) {
                   return s.memory.ranks[peak_rank(row)].device.banks[row % kMemoryCount];
                 }),
      mem_column("confidence", "", "Where the figure is from: measured, derived, modelled or none",
                 [](const TableSource& s, Row row) { return name_of(peak_at(s, row).confidence); }),
  };
}

Columns peak_place_columns() {
  return {
      mem_column("op", "", "Op of the rank that made the peak; null where the memory is not used",
                 [](const TableSource& s, Row row) { return known_id(peak_op(s, row)); }),
      mem_column("line", "", "Line of that op in the log",
                 [](const TableSource& s, Row row) { return op_line(s, peak_rank(row), peak_op(s, row)); }),
      mem_column("name", "", "Name of that op",
                 [](const TableSource& s, Row row) { return op_name(s, peak_rank(row), peak_op(s, row)); }),
      mem_column("loc", "", "Its location in the model",
                 [](const TableSource& s, Row row) { return op_loc(s, peak_rank(row), peak_op(s, row)); }),
      mem_column("at_program_start", "",
                 "Whether no op made it: inputs were moved to the device before the program's first op",
                 [](const TableSource& s, Row row) { return peak_at(s, row).at_program_start; }),
      mem_column("moment", "", "Moment of the peak: 2 x op before that op, 2 x op + 1 after it",
                 [](const TableSource& s, Row row) { return peak_at(s, row).moment; }),
      mem_column("worst_fragmentation", "",
                 "Highest 1 - largest free block / free over every printed state; null without memory lines",
                 [](const TableSource& s, Row row) -> std::optional<double> {
                   const FragmentationMoment& worst =
                       s.memory.ranks[peak_rank(row)].worst_fragmentation[row % kMemoryCount];
                   return worst.block == kNone ? std::nullopt : std::optional<double>(worst.fraction);
                 }),
  };
}

table::TableOf<TableSource> declare_peaks() {
  Columns columns = peak_figure_columns();
  const Columns places = peak_place_columns();
  columns.insert(columns.end(), places.begin(), places.end());
  return table::table_of<TableSource>("peaks", "The peak of one memory on one rank", columns);
}

}  // namespace

const table::TableOf<TableSource>& peaks_spec() {
  static const table::TableOf<TableSource> kSpec = declare_peaks();
  return kSpec;
}

namespace {

const OutOfMemory& failure_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.failures.at(row);
  return source.rank_log(at).failures[at.index];
}

FailedBank bank_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.failures.at(row);
  return examine_failure(source.log, source.rank_log(at), failure_at(source, row));
}

Columns failure_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process)",
                 [](const TableSource& s, Row row) { return s.rank_log(s.failures.at(row)).number; }),
      mem_column("message_line", "", "Line of the log with the message",
                 [](const TableSource& s, Row row) { return failure_at(s, row).line; }),
      mem_column("memory", "", "Memory that had no room; null for the host's",
                 [](const TableSource& s, Row row) {
                   const OutOfMemory& failure = failure_at(s, row);
                   return failure.kind == FailureKind::kHostMemory ? std::optional<std::string_view>()
                                                                   : std::optional(name_of(failure.memory));
                 }),
      mem_column("verdict", "",
                 "larger_than_device, larger_than_bank, exhausted, fragmented, undecided, region_missing, "
                 "cb_exceeds_l1, cb_clash, program_too_large or host_memory",
                 [](const TableSource& s, Row row) { return name_of(bank_at(s, row).verdict); }),
      mem_column("diagnosis", "", "never_fits, exhausted, fragmented, region_absent or unknown",
                 [](const TableSource& s, Row row) { return name_of(bank_at(s, row).cause); }),
      mem_column(
          "requested_bytes", "bytes", "Bytes asked for, over all banks",
          [](const TableSource& s, Row row) { return known_figure(failure_at(s, row).requested_bytes); }),
      mem_column(
          "bytes_per_bank", "bytes", "Bytes asked of each bank",
          [](const TableSource& s, Row row) { return known_figure(failure_at(s, row).per_bank_bytes); }),
      mem_column("banks", "", "Banks that the buffer would be spread over",
                 [](const TableSource& s, Row row) { return known_figure(failure_at(s, row).banks); }),
      mem_column("bank_size_bytes", "bytes", "What a bank holds",
                 [](const TableSource& s, Row row) { return known_figure(bank_at(s, row).size_bytes); }),
      mem_column("allocated_bytes_per_bank", "bytes",
                 "Bytes of a bank in use then, from the message or the memory lines before the op",
                 [](const TableSource& s, Row row) { return known_figure(bank_at(s, row).allocated_bytes); }),
      mem_column("free_bytes_per_bank", "bytes", "Bytes of a bank that were free",
                 [](const TableSource& s, Row row) { return known_figure(bank_at(s, row).free_bytes); }),
      mem_column(
          "largest_free_bytes_per_bank", "bytes", "The largest free block of a bank",
          [](const TableSource& s, Row row) { return known_figure(bank_at(s, row).largest_free_bytes); }),
      mem_column("op", "", "Op of the rank that was running",
                 [](const TableSource& s, Row row) { return known_id(failure_at(s, row).last_op); }),
      mem_column("line", "", "Line of that op in the log",
                 [](const TableSource& s, Row row) {
                   const Backtrace& frames = failure_at(s, row).backtrace;
                   const auto line = op_line(s, s.failures.at(row).rank, failure_at(s, row).last_op);
                   return line || frames.op.empty() ? line : std::optional<std::uint32_t>(frames.op_line);
                 }),
      mem_column("name", "", "Name of that op; of the backtrace where no op line tells it",
                 [](const TableSource& s, Row row) {
                   const Backtrace& frames = failure_at(s, row).backtrace;
                   const auto name = op_name(s, s.failures.at(row).rank, failure_at(s, row).last_op);
                   return name || frames.op.empty() ? name : std::optional<std::string_view>(frames.op);
                 }),
  };
}

}  // namespace

const table::TableOf<TableSource>& failures_spec() {
  static const table::TableOf<TableSource> kSpec =
      table::table_of<TableSource>("failures", "A failure of memory, as the log tells it", failure_columns());
  return kSpec;
}

namespace {

Columns argument_columns() {
  return {
      table::ascending(mem_column("argument", "", "Number of the argument, from 0",
                                  [](const TableSource&, Row row) { return row; })),
      mem_column("graph", "", "Row of the table of graphs that takes it",
                 [](const TableSource& s, Row row) { return known_id(s.memory.arguments[row].graph); }),
      mem_column(
          "ssa", "", "SSA name (%arg3)",
          [](const TableSource& s, Row row) { return known_name(s.log, s.memory.arguments[row].ssa); }),
      mem_column("name", "", "Name in the model, else the SSA name",
                 [](const TableSource& s, Row row) { return known_text(s.memory.arguments[row].name); }),
      mem_column("role", "", "input, parameter, constant or unknown, as the compiler says",
                 [](const TableSource& s, Row row) { return name_of(s.memory.arguments[row].role); }),
      mem_column("role_from_flow", "", "Whether no dump says the role, but const-eval consumes it: a weight",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].role_from_flow; }),
      mem_column("kv_cache", "", "Whether it is a key or value cache",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].kv_cache; }),
      mem_column("is_weight", "", "Whether it is a parameter or constant",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].is_weight(); }),
      mem_column("counted_weight", "",
                 "Whether it counts among the distinct weights of the main rank's graphs",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].counted_weight; }),
      mem_column("same_as", "", "Earlier argument that is the same tensor of the model, in another graph",
                 [](const TableSource& s, Row row) { return known_id(s.memory.arguments[row].same_as); }),
      mem_column("shape", "", "Logical shape of what one device holds",
                 [](const TableSource& s, Row row) { return shape_text(s.memory.arguments[row].shape); }),
      mem_column("dtype", "", "Element type",
                 [](const TableSource& s, Row row) { return known_text(s.memory.arguments[row].dtype); }),
      mem_column("logical_bytes", "bytes", "Bytes of what one device holds, without padding",
                 [](const TableSource& s, Row row) { return s.memory.arguments[row].logical_bytes; }),
  };
}

}  // namespace

const table::TableOf<TableSource>& arguments_spec() {
  static const table::TableOf<TableSource> kSpec =
      table::table_of<TableSource>("arguments",
                                   "An argument of a program, as module dumps and op lines describe it, "
                                   "weights too: the JSON document has "
                                   "those with is_weight under weights.entries, the others under arguments",
                                   argument_columns());
  return kSpec;
}

namespace {

Columns finding_columns() {
  return {
      mem_column("severity", "", "ok, warning or critical; the worst comes first",
                 [](const TableSource& s, Row row) { return name_of(s.memory.findings[row].severity); }),
      mem_column("cause", "",
                 "out_of_memory, crashed, cut, running, skipped, repaired, would_run_out, module_cut, peak, "
                 "peak_without_capacity, padding or nothing_in_use",
                 [](const TableSource& s, Row row) { return name_of(s.memory.findings[row].cause); }),
      mem_column("memory", "", "Memory that it is about",
                 [](const TableSource& s, Row row) -> std::optional<std::string_view> {
                   const std::optional<Memory> memory = s.memory.findings[row].memory;
                   return memory ? std::optional<std::string_view>(name_of(*memory)) : std::nullopt;
                 }),
      mem_column("bytes_per_bank", "bytes",
                 "The peak of a bank, what the failed allocation asked of it, or its padding",
                 [](const TableSource& s, Row row) { return s.memory.findings[row].bytes_per_bank; }),
      mem_column(
          "capacity_bytes_per_bank", "bytes", "What a bank holds",
          [](const TableSource& s, Row row) { return s.memory.findings[row].capacity_bytes_per_bank; }),
      mem_column(
          "percent", "percent",
          "Peak: of what a bank holds; padding: what it adds to the logical bytes live at the DRAM peak",
          [](const TableSource& s, Row row) -> std::optional<double> {
            const std::optional<double> fraction = s.memory.findings[row].fraction;
            return fraction ? std::optional<double>(100 * *fraction) : std::nullopt;
          }),
      mem_column("rank", "", "Number of the rank (process) where it is worst",
                 [](const TableSource& s, Row row) -> std::optional<int> {
                   const std::uint32_t rank = s.memory.findings[row].rank;
                   return rank < s.log.ranks.size() ? std::optional<int>(s.log.ranks[rank].number)
                                                    : std::nullopt;
                 }),
      mem_column("op", "", "Op of the rank that made the peak, or was running",
                 [](const TableSource& s, Row row) { return known_id(s.memory.findings[row].op); }),
      mem_column("line", "", "Line of that op in the log",
                 [](const TableSource& s, Row row) -> std::optional<std::uint32_t> {
                   const Finding& finding = s.memory.findings[row];
                   if (finding.rank >= s.log.ranks.size()) return std::nullopt;
                   return op_line(s, finding.rank, finding.op);
                 }),
  };
}

}  // namespace

const table::TableOf<TableSource>& findings_spec() {
  static const table::TableOf<TableSource> kSpec = table::table_of<TableSource>(
      "findings", "A statement of the verdict, most severe first", finding_columns());
  return kSpec;
}

namespace {

std::optional<std::int64_t> headroom_of(const RunVerdict& verdict, Memory memory) {
  for (const Headroom& room : verdict.headroom) {
    if (room.memory == memory) return room.bytes_per_bank;
  }
  return std::nullopt;
}

Columns outcome_columns() {
  return {
      mem_column("outcome", "", "finished, out_of_memory, crashed, cut, running or unknown",
                 [](const TableSource& s, Row) { return name_of(s.memory.verdict.outcome); }),
      mem_column("outcome_why", "", "Why it is that",
                 [](const TableSource& s, Row) { return name_of(s.memory.verdict.outcome_reason); }),
      mem_column("crash", "", "Kind of crash",
                 [](const TableSource& s, Row) -> std::optional<std::string_view> {
                   const RunVerdict& verdict = s.memory.verdict;
                   return verdict.outcome == Outcome::kCrashed ? std::optional(name_of(verdict.crash))
                                                               : std::nullopt;
                 }),
      mem_column("crash_text", "", "Line of the log that tells of the crash",
                 [](const TableSource& s, Row) { return known_text(s.memory.verdict.crash_text); }),
      mem_column("message_line", "", "Line of the failure or crash; of a cut log the last",
                 [](const TableSource& s, Row) { return known_line(s.memory.verdict.line); }),
  };
}

Columns verdict_columns() {
  Columns columns = outcome_columns();
  const Columns rest = {
      mem_column("fit", "", "yes, no or unknown",
                 [](const TableSource& s, Row) { return name_of(s.memory.verdict.fit); }),
      mem_column("fit_why", "", "Why it is that",
                 [](const TableSource& s, Row) { return name_of(s.memory.verdict.fit_reason); }),
      mem_column("dram_headroom_bytes_per_bank", "bytes", "DRAM of each bank that was never used",
                 [](const TableSource& s, Row) { return headroom_of(s.memory.verdict, Memory::kDram); }),
      mem_column("l1_headroom_bytes_per_bank", "bytes", "L1 of each bank that was never used",
                 [](const TableSource& s, Row) { return headroom_of(s.memory.verdict, Memory::kL1); }),
      mem_column("trust", "", "measured, derived or modelled",
                 [](const TableSource& s, Row) { return name_of(s.memory.verdict.trust); }),
      mem_column("trust_why", "", "Why it is that",
                 [](const TableSource& s, Row) { return name_of(s.memory.verdict.trust_reason); }),
      mem_column("skipped_memory_lines", "", "Memory lines that could not be read",
                 [](const TableSource& s, Row) { return s.memory.verdict.skipped_memory_views; }),
      mem_column("severity", "", "ok, warning or critical: that of the worst finding",
                 [](const TableSource& s, Row) { return name_of(s.memory.severity); }),
  };
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

}  // namespace

const table::TableOf<TableSource>& verdict_spec() {
  static const table::TableOf<TableSource> kSpec = table::table_of<TableSource>(
      "verdict", "How the run ended, whether its memory fits, how far to trust it: one row",
      verdict_columns());
  return kSpec;
}

namespace {

const Fix& fix_at(const TableSource& source, Row row) { return source.memory.fixes[row]; }

const Fix& fix_at(const FixList& source, Row row) { return source.fixes[row]; }

/// The same columns for the fixes of a profile and for those of one failure.
template <typename Source>
std::vector<table::ColumnOf<Source>> fix_columns() {
  using table::column;
  return {
      column<Source>("kind", "", "What to do, as a word",
                     [](const Source& s, Row row) { return name_of(fix_at(s, row).kind); }),
      column<Source>("memory", "", "Memory whose peak becomes smaller; null for the host's",
                     [](const Source& s, Row row) {
                       const Fix& fix = fix_at(s, row);
                       return fix.kind == FixKind::kLessOnHost ? std::optional<std::string_view>()
                                                               : std::optional(name_of(fix.memory));
                     }),
      column<Source>("rank", "", "Number of the rank (process)",
                     [](const Source& s, Row row) { return s.log.ranks[fix_at(s, row).rank].number; }),
      column<Source>("saves_bytes_per_bank", "bytes",
                     "By how much, when the run is replayed with it; modelled",
                     [](const Source& s, Row row) { return fix_at(s, row).saves_bytes_per_bank; }),
      column<Source>("peak_before_bytes_per_bank", "bytes",
                     "The peak, or what the failed allocation made of it",
                     [](const Source& s, Row row) { return fix_at(s, row).peak_before_bytes_per_bank; }),
      column<Source>("peak_after_bytes_per_bank", "bytes", "The peak of the replayed run; modelled",
                     [](const Source& s, Row row) { return fix_at(s, row).peak_after_bytes_per_bank; }),
      column<Source>("enough", "", "Whether the failed allocation would find room",
                     [](const Source& s, Row row) { return fix_at(s, row).enough; }),
      column<Source>("tensors", "", "Tensors that take less at the peak",
                     [](const Source& s, Row row) { return fix_at(s, row).tensors; }),
  };
}

template <typename Source>
const table::TableOf<Source>& declared() {
  static const table::TableOf<Source> kSpec = table::table_of<Source>(
      "fixes", "What would make the peak smaller, what saves most first; each alone", fix_columns<Source>());
  return kSpec;
}

}  // namespace

const table::TableOf<TableSource>& fixes_spec() { return declared<TableSource>(); }

const table::TableOf<FixList>& fix_list_spec() { return declared<FixList>(); }

}  // namespace ttscope::mem
