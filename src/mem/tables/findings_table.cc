// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;
using Columns = std::vector<table::ColumnOf<TableSource>>;

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
                   return rank < s.trace.ranks.size() ? std::optional<int>(s.trace.ranks[rank].number)
                                                      : std::nullopt;
                 }),
      mem_column("op", "", "Op of the rank that made the peak, or was running",
                 [](const TableSource& s, Row row) { return known_id(s.memory.findings[row].op); }),
      mem_column("line", "", "Line of that op in the log",
                 [](const TableSource& s, Row row) -> std::optional<std::uint32_t> {
                   const Finding& finding = s.memory.findings[row];
                   if (finding.rank >= s.trace.ranks.size()) return std::nullopt;
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

}  // namespace ttscope::mem
