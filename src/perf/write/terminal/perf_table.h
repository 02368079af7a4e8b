#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyse/ops/op_stack.h"
#include "perf/analyse/ops/shown_ops.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

struct PerfTableOptions {
  double min_percentage = 0.5;  ///< rows below are grey
  bool color = false;
  bool advice = true;
  bool raw_op_codes = false;  ///< one more column of the CSV
  unsigned threads = 1;       ///< that make rows
  const Rules* rules = &own_rules();
};

/// The table that users know: thirteen columns, the sum below.
class PerfTableText {
 public:
  PerfTableText(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options);

  /// What was done to the report: `Detected CSV format: v2`.
  void write_notes(Writer& out) const;
  void write_table(Writer& out) const;
  /// The sections of tt-perf-report: ops on the host, gaps, matmuls one by one.
  void write_matmul_sections(Writer& out) const;

 private:
  void measure_widths();
  void append_row(const ShownOp& row, std::string& to) const;
  void write_row(const ShownOp& row, Writer& out) const;
  void write_rows(Writer& out) const;
  void write_total(Writer& out) const;
  void write_gap_advice(Writer& out) const;
  void write_matmul_advice(Writer& out) const;
  bool is_muted(const ShownOp& row) const;

  const OpsReport& table_;
  const ShownOps& ops_;
  PerfTableOptions options_;
  std::size_t widths_[13] = {};
};

/// `Total %`, `Op Code`, `Device Time Sum`, ...: one line an entry.
void write_stack_text(const std::vector<StackEntry>& entries, const StackOptions& options, bool color,
                      Writer& out);

/// The columns that other tools read by position.
void write_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                    Writer& out);
void write_stack_csv(const std::vector<StackEntry>& entries, const StackOptions& options, Writer& out);

}  // namespace ttscope::perf
