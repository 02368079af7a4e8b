// Declared in table_source.h, as all tables of this folder are.
#include <array>

#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Columns = std::vector<table::ColumnOf<TableSource>>;
using BlockFigures = std::array<MilliMib, kMemoryCount> MemoryBlock::*;

const MemoryBlock& block_at(const TableSource& source, std::size_t row) {
  const RankRows::Place at = source.blocks.at(row);
  return source.rank_trace(at).blocks[at.index];
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
                 [](const TableSource& s, std::size_t row) { return s.rank_trace(s.blocks.at(row)).number; }),
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

}  // namespace ttscope::mem
