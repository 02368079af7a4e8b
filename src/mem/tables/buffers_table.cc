// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;
using Columns = std::vector<table::ColumnOf<TableSource>>;

const Buffer& buffer_at(const TableSource& source, Row row) { return source.buffer(source.buffers.at(row)); }

const TensorType* buffer_type(const TableSource& source, Row row) {
  const RankRows::Place at = source.buffers.at(row);
  const Buffer& buffer = source.buffer(at);
  const auto& local = source.rank_profile(at).local_types;
  const bool is_known = buffer.type >= kLocalTypeBase ? buffer.type - kLocalTypeBase < local.size()
                                                      : buffer.type < source.trace.types.size();
  return is_known ? &type_of(source.trace, source.rank_profile(at), buffer) : nullptr;
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
                 [](const TableSource& s, Row row) { return s.rank_trace(s.buffers.at(row)).number; }),
      mem_column("buffer", "", "Position among the buffers of its rank, in order of birth, from 0",
                 [](const TableSource& s, Row row) { return s.buffers.at(row).index; }),
      mem_column("name", "", "SSA name under which it was made or last bound as an argument (%12)",
                 [](const TableSource& s, Row row) { return known_name(s.trace, buffer_at(s, row).name); }),
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

}  // namespace ttscope::mem
