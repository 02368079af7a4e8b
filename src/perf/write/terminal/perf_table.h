#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyse/ops/op_bounds.h"
#include "perf/analyse/ops/op_stack.h"
#include "perf/analyse/ops/shape_groups.h"
#include "perf/analyse/ops/shown_ops.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

struct PerfTableOptions {
  double min_percentage = 0.5;  ///< rows below are grey
  bool color = false;
  bool advice = true;
  bool raw_op_codes = false;  ///< one more column of the CSV
  unsigned threads = 1;       ///< that make rows
  // Of the table on the terminal alone; the reference has none of them.
  static constexpr std::size_t kAllRows = SIZE_MAX;
  std::size_t width = 0;       ///< columns that there are; 0: as many as it takes
  std::size_t top = kAllRows;  ///< rows or groups
  std::string op;              ///< only names with this in them
  OpOrder order = OpOrder::kRow;
  const Rules* rules = &own_rules();
};

/// What was done to the report: `Detected CSV format: v2`. Broken at blanks where there is a width.
void write_notes(const std::vector<OpNote>& notes, const PerfTableOptions& options, Writer& out);
/// What tt-perf-report says of each op name that it has no category for.
std::string unclassified_warnings(const ShownOps& ops, bool color);

/// The table that users know: thirteen columns, the sum below.
class PerfTableText {
 public:
  /// With `bounds` each op has what limits it in the column Bound, else matmuls the words of tt-perf-report.
  PerfTableText(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                const OpBounds* bounds = nullptr);

  void write_table(Writer& out) const;
  /// The sections of tt-perf-report: ops on the host, gaps, matmuls one by one.
  void write_matmul_sections(Writer& out) const;

 private:
  void choose_rows();
  void sort_rows();
  void measure_widths();
  void fit_widths();
  void append_row(const ShownOp& row, std::string& to) const;
  void write_row(const ShownOp& row, Writer& out) const;
  void write_rows(Writer& out) const;
  void write_total(Writer& out) const;
  void write_gap_advice(Writer& out) const;
  void write_matmul_advice(Writer& out) const;
  std::string bound_text(const ShownOp& row) const;
  bool is_muted(const ShownOp& row) const;

  const OpsReport& table_;
  const ShownOps& ops_;
  PerfTableOptions options_;
  const OpBounds* bounds_;
  std::vector<std::uint32_t> shown_;  ///< rows of the table, in order
  std::size_t widths_[13] = {};       ///< 0: no room for the column
};

/// `Total %`, `Op Code`, `Device Time Sum`, ...: one line an entry.
void write_stack_text(const std::vector<StackEntry>& entries, const StackOptions& options, bool color,
                      Writer& out);

/// The columns that other tools read by position.
void write_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                    Writer& out);
void write_stack_csv(const std::vector<StackEntry>& entries, const StackOptions& options, Writer& out);

}  // namespace ttscope::perf
