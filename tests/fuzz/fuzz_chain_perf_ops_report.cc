// A finished ops report: whatever the bytes are, it is read or refused, and all outputs can be written; parts
// add up.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "fuzz/compared_run_check.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/output_rules.h"
#include "perf/analyze/profile.h"
#include "perf/compat/shown_ops.h"
#include "perf/compat/write.h"
#include "perf/diff_run.h"
#include "perf/read/ops_report.h"
#include "perf/write/json.h"
#include "perf/write/markdown.h"
#include "perf/write/page.h"
#include "perf/write/table_csv.h"
#include "perf/write/terminal.h"
#include "perf/write/terminal_tables.h"

namespace ttscope::perf {
namespace {

using fuzz::require;

void write_all(const OpsReport& table, const OpAnalysis& analysis) {
  StringWriter out;
  PerfTableOptions options;
  const PerfTableText text(table, analysis.ops, options);
  write_notes(analysis.ops.notes, options, out);
  text.write_table(out);
  write_bound_section(table, analysis, options, out);
  write_gap_section(analysis, options, out);
  write_skew_section(table, analysis, options, out);
  write_advice_section(table, analysis, options, out);
  write_trust_section(table, analysis.ops, options, out);
  StringWriter csv, bounds, json, markdown;
  write_perf_csv(table, analysis.ops, options, csv);
  write_bounds_csv(table, analysis, bounds);
  write_perf_json(table, analysis, {}, json);
  write_perf_markdown(table, analysis, "fuzz", markdown);
  require(out.finish() && csv.finish() && bounds.finish() && json.finish() && markdown.finish(),
          "outputs are written");
  fuzz::require_terminal_text(out.text(), fuzz::Times::kSigned);
  fuzz::require_csv(csv.text());
  fuzz::require_csv(bounds.text());
  fuzz::require_json(json.text());
  fuzz::require_markdown(markdown.text(), fuzz::Times::kSigned);
}

void write_as_reference(const Profile& profile) {
  StringWriter out;
  compat::write_perf_report(profile, {}, {}, out);
  compat::write_perf_csv(profile.report, profile.analysis.ops, {}, out);
  compat::write_stack_text(profile.stack, {}, false, out);
  compat::write_stack_csv(profile.stack, {}, out);
  require(out.finish().has_value(), "outputs of the reference are written");
}

TTSCOPE_FUZZ_TARGET(chain_perf_ops_report) {
  OpsReport table;
  if (!read_ops_report({"fuzz", text, {}}, table)) return;
  finish_ops_report(table);
  ShownOptions options;
  options.ignore_signposts = true;
  auto own = analyze_ops(table, options);
  require(own.has_value(), "a table can be read");
  for (const bool is_compat : {false, true}) {
    const OpAnalysis analysis = is_compat ? compat::analyze_ops(table, options) : std::move(*own);
    double gaps = 0;
    for (const auto& total : analysis.gaps.totals) gaps += total.gap_us;
    require(std::abs(gaps - analysis.ops.gap_us) <= 1e-6 * (1 + std::abs(gaps)), "gaps add up");
    write_all(table, analysis);
  }
  Profile profile;
  profile.analysis = std::move(*analyze_ops(table, {}));
  profile.report = std::move(table);
  fuzz::require_comparable(diff_run_of(profile));
  profile.analysis = compat::analyze_ops(profile.report, options);
  profile.stack = compat::stack_ops(profile.report, profile.analysis.ops, {});
  write_as_reference(profile);
}

}  // namespace
}  // namespace ttscope::perf
