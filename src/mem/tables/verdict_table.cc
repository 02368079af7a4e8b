// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;
using Columns = std::vector<table::ColumnOf<TableSource>>;

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

}  // namespace ttscope::mem
