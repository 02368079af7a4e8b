#pragma once

#include <cmath>

#include "base/writer.h"
#include "diff/compare_runs.h"
#include "diff/outputs.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/output_rules.h"

namespace ttscope::fuzz {

/// Whatever was read can be a side of a comparison: its items add up to its total, and it is the same as
/// itself.
inline void require_comparable(const diff::ComparedRun& run) {
  constexpr double kSane = 1e17;  // beyond, sums of bytes are cut off
  double sum = 0;
  double size = 1;
  for (const diff::Item& item : run.items) {
    require(item.kind < run.kinds.size(), "an item has a kind");
    sum += item.cost;
    size += std::abs(item.cost);
  }
  for (const diff::RunTotal& total : run.totals) {
    if (total.name != run.cost_name) continue;
    require(size > kSane || std::abs(sum - total.value) <= 1e-6 * size, "items add up to the total");
  }
  const diff::DiffReport report = diff::compare_runs({run}, {run});
  require(!report.is_different, "a run is the same as itself");
  StringWriter out;
  diff::write_diff_json({report}, "", out);
  require(out.finish().has_value(), "it can be written");
  require_json(out.text());
  require_terminal_text(diff::diff_text({report}, {}), Times::kSigned);
  require_markdown(diff::diff_markdown({report}), Times::kSigned);
}

}  // namespace ttscope::fuzz
