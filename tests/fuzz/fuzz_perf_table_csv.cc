// The table that tt-perf-report makes of an ops report.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "perf/analyze/profile.h"
#include "perf/read/table_csv.h"

namespace ttscope::perf {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(perf_table_csv) {
  OpsReport table;
  const auto done = read_table_csv({"table", text, ""}, table);
  require(done || !done.error().message.empty(), "an error says something");
  if (!done) return;
  finish_ops_report(table);
  for (const OpRow& row : table.rows) require(row.kind < table.kinds.size(), "a row has a kind");
  for (const OpKind& kind : table.kinds) {
    require(std::size_t{kind.first_input} + kind.input_count + kind.output_count <= table.tensors.size(),
            "the tensors of a kind are there");
  }
  const auto reading = analyze_ops(table, {});
  require(reading || !reading.error().message.empty(), "what cannot be read says why");
}

}  // namespace
}  // namespace ttscope::perf
