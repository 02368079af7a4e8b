// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;

const BoundaryChange& change_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.changes.at(row);
  return source.rank_profile(at).changes[at.index];
}

table::TableOf<TableSource> declare_changes() {
  return table::table_of<TableSource>(
      "changes", "A change of memory that no op made",
      {
          mem_column("rank", "", "Number of the rank (process)",
                     [](const TableSource& s, Row row) { return s.rank_trace(s.changes.at(row)).number; }),
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

}  // namespace ttscope::mem
