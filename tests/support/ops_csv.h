#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::testing {

/// Cells of a row by the names of their columns.
using Cells = std::map<std::string, std::string>;

/// Makes small ops reports. Columns are those of a report of 2026, in their order; what a row does not name
/// is empty.
class OpsCsv {
 public:
  /// A device op with the usual cells, changed by `cells`. Its cycles (at 1350 MHz) follow from its duration
  /// and the gap before it, unless they are given.
  OpsCsv& op(const std::string& name, const Cells& cells = {});
  /// A matmul of 32 x 1024 by 1024 x 1024 in BFLOAT16 with all operands in `memory`.
  OpsCsv& matmul(const std::string& memory, const Cells& cells = {});
  OpsCsv& signpost(const std::string& name);
  OpsCsv& row(const Cells& cells);
  /// Without that column, as in older reports.
  OpsCsv& without(std::string_view column);

  std::string text(std::string_view line_end = "\r\n") const;
  /// The report as it is read.
  perf::OpsReport table() const;

 private:
  std::vector<std::string> columns_ = usual_columns();
  std::vector<Cells> rows_;
  std::map<std::string, double> end_cycles_;  ///< by device: when its last op ended

  static std::vector<std::string> usual_columns();
  void add_cycles(Cells& cells);
};

/// The report read; fails the test when it is none.
perf::OpsReport read_table(std::string_view text);

}  // namespace ttscope::testing
