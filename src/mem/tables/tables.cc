#include "mem/tables/tables.h"

#include <algorithm>

#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

/// Whether `op` and `line` never fall from row to row.
bool is_in_order(const RuntimeTrace& trace) {
  if (trace.ranks.size() > 1) return false;
  return std::all_of(trace.ranks.begin(), trace.ranks.end(), [](const RankTrace& rank) {
    return std::is_sorted(rank.ops.begin(), rank.ops.end(),
                          [](const ExecutedOp& a, const ExecutedOp& b) { return a.line < b.line; });
  });
}

}  // namespace

table::TableSet tables_of(std::shared_ptr<const Profile> profile) {
  table::TableSet set;
  set.kind = profile->recorded ? "report_files" : "runtime_log";
  set.warnings = profile->trace.warnings;
  const auto source = std::make_shared<const TableSource>(std::move(profile));
  const MemoryProfile& memory = source->memory;
  const auto add = [&](const table::TableOf<TableSource>& spec, std::size_t rows) {
    set.tables.push_back(table::make_table(spec, source, rows));
  };
  add(ops_spec(is_in_order(source->trace)), source->ops.total());
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

}  // namespace ttscope::mem
