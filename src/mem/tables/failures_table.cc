// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;
using Columns = std::vector<table::ColumnOf<TableSource>>;

const OutOfMemory& failure_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.failures.at(row);
  return source.rank_trace(at).failures[at.index];
}

FailedBank bank_at(const TableSource& source, Row row) {
  const RankRows::Place at = source.failures.at(row);
  return examine_failure(source.trace, source.rank_trace(at), failure_at(source, row));
}

Columns failure_columns() {
  return {
      mem_column("rank", "", "Number of the rank (process)",
                 [](const TableSource& s, Row row) { return s.rank_trace(s.failures.at(row)).number; }),
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
                   const Backtrace& told = failure_at(s, row).backtrace;
                   const auto line = op_line(s, s.failures.at(row).rank, failure_at(s, row).last_op);
                   return line || told.op.empty() ? line : std::optional<std::uint32_t>(told.op_line);
                 }),
      mem_column("name", "", "Name of that op; of the backtrace where no op line tells it",
                 [](const TableSource& s, Row row) {
                   const Backtrace& told = failure_at(s, row).backtrace;
                   const auto name = op_name(s, s.failures.at(row).rank, failure_at(s, row).last_op);
                   return name || told.op.empty() ? name : std::optional<std::string_view>(told.op);
                 }),
  };
}

}  // namespace

const table::TableOf<TableSource>& failures_spec() {
  static const table::TableOf<TableSource> kSpec =
      table::table_of<TableSource>("failures", "A failure of memory, as the log tells it", failure_columns());
  return kSpec;
}

}  // namespace ttscope::mem
