// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;
using Columns = std::vector<table::ColumnOf<TableSource>>;

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
  if (!is_told(source.trace.ranks[peak_rank(row)], peak)) return std::nullopt;
  return peak.bytes_per_bank;
}

std::int64_t capacity_at(const TableSource& source, Row row) {
  return source.memory.ranks[peak_rank(row)].device.capacity_bytes_per_bank[row % kMemoryCount];
}

Columns peak_figure_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process)",
                 [](const TableSource& s, Row row) { return s.trace.ranks[peak_rank(row)].number; }),
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

}  // namespace ttscope::mem
