#pragma once

#include <string>
#include <string_view>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// `12,345.6`; empty for kNoNumber. Followed by a blank and the unit if there is one.
std::string grouped_number(double number, int decimals, std::string_view unit = {});
/// As Python prints a float: `0.1`, `20.0`, `1e-05`; empty for kNoNumber.
std::string python_number(double number);

/// Columns of the title of an advice, which has a name in it.
inline constexpr std::size_t kMostTitleColumns = 200;
/// A name of the report as a terminal shows it: nothing in it acts, and it is of at most 120 columns.
std::string shown_name(std::string_view name);
/// The same before it is escaped for a form other than a terminal.
std::string short_name(std::string_view name);

/// Colours of the table; each row says the same without them.
enum class CellInk { kNone, kGrey, kRed, kGreen, kYellow, kBlue, kMagenta, kOrange, kCyan, kWhite };
/// The text in that colour, or as it is.
std::string inked(std::string_view text, CellInk ink, bool color);
/// By the kind of op: matmuls, convolutions, collectives, attention, host.
CellInk op_ink(std::string_view op_name);

/// The texts of a row that do not change with colour, in the order of the thirteen columns.
inline constexpr std::size_t kTableColumns = 13;
enum TableColumn : std::size_t {
  kIdColumn,
  kTotalColumn,
  kBoundColumn,
  kOpColumn,
  kDeviceColumn,
  kDeviceTimeColumn,
  kGapColumn,
  kCoresColumn,
  kDramColumn,
  kDramPercentColumn,
  kFlopsColumn,
  kFlopsPercentColumn,
  kFidelityColumn,
};
inline constexpr std::string_view kTableHeaders[kTableColumns] = {
    "ID",    "Total %", "Bound",  "OP Code", "Device",  "Device Time",   "Op-to-Op Gap",
    "Cores", "DRAM",    "DRAM %", "FLOPs",   "FLOPs %", "Math Fidelity",
};

/// Makes the cells of rows; keeps the texts of kinds, which most rows share.
class TableCells {
 public:
  TableCells(const OpsReport& table, const ShownOps& ops, bool whole_names)
      : table_(table), ops_(ops), whole_names_(whole_names) {}

  /// Fills `cells`; valid until the next call.
  void fill(const ShownOp& row, std::string (&cells)[kTableColumns]) const;
  /// How each cell is painted; `muted` rows are grey.
  void paint(const ShownOp& row, bool muted, CellInk (&inks)[kTableColumns]) const;
  /// The name of the op as shown; of a signpost with its mark behind it.
  std::string op_label(const ShownOp& row) const;

 private:
  std::string name(std::string_view text) const;
  void paint_bound(const ShownOp& row, CellInk (&inks)[kTableColumns]) const;

  const OpsReport& table_;
  const ShownOps& ops_;
  bool whole_names_;
};

}  // namespace ttscope::perf
