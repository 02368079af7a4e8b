#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "perf/analyze/op_bounds.h"
#include "perf/analyze/op_groups.h"
#include "perf/analyze/shown_ops.h"

namespace ttscope::perf {

/// `12,345.6`; empty for kNoNumber. Followed by a blank and the unit if there is one.
std::string grouped_number(double number, int decimals, std::string_view unit = {});

/// As Python prints a float: `0.1`, `20.0`, `1e-05`; empty for kNoNumber.
std::string python_number(double number);

/// Columns of the title of an advice, which has a name in it.
inline constexpr std::size_t kMaxTitleColumns = 200;

/// A name of the report as a terminal shows it: nothing in it acts, and it is of at most 120 columns.
std::string shown_name(std::string_view name);
/// The same before it is escaped for a form other than a terminal.
std::string short_name(std::string_view name);

/// Colors of the table; each row says the same without them.
enum class CellInk { kNone, kGray, kRed, kGreen, kYellow, kBlue, kMagenta, kOrange, kCyan, kWhite };

/// The text in that color, or as it is.
std::string inked(std::string_view text, CellInk ink, bool color);
/// By the kind of op: matmuls, convolutions, collectives, attention, host.
CellInk op_ink(std::string_view op_name);

/// The texts of a row that do not change with color, in the order of the thirteen columns.
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
      : report_(table), ops_(ops), whole_names_(whole_names) {}

  /// Fills `cells`; valid until the next call.
  void fill(const ShownOp& row, std::string (&cells)[kTableColumns]) const;
  /// How each cell is painted; `muted` rows are gray.
  void paint(const ShownOp& row, bool muted, CellInk (&inks)[kTableColumns]) const;
  /// The name of the op as shown; of a signpost with its mark behind it.
  std::string op_label(const ShownOp& row) const;

 private:
  std::string name(std::string_view text) const;
  void paint_bound(const ShownOp& row, CellInk (&inks)[kTableColumns]) const;

  const OpsReport& report_;
  const ShownOps& ops_;
  bool whole_names_;
};

/// A column of a table that fits the terminal. The last one is a text that takes what is left.
struct FittedColumn {
  std::string_view header;
  int rank = 0;  ///< where there is no room the largest leave first; 0 stays
  bool is_text = false;
};

struct FittedLine {
  std::vector<std::string> cells;  ///< safe to print; one for each column
  CellInk name_ink = CellInk::kNone;
  CellInk bound_ink = CellInk::kNone;  ///< of the column `Bound`
  bool is_muted = false;
};

/// Lines of cells that are at most as wide as the terminal.
class FittedTable {
 public:
  FittedTable(std::vector<FittedColumn> columns, std::size_t width, bool color)
      : columns_(std::move(columns)), width_(width), color_(color) {}

  void add(FittedLine line) { lines_.push_back(std::move(line)); }
  /// A line below a rule: a sum.
  void add_foot(FittedLine line) { feet_.push_back(std::move(line)); }
  void write(Writer& out) const;

 private:
  std::size_t gap_after(std::size_t column) const;
  std::size_t sum_of(const std::vector<std::size_t>& widths) const;
  std::vector<std::size_t> find_widths() const;
  std::string text_of(const FittedLine& line, const std::vector<std::size_t>& widths) const;

  std::vector<FittedColumn> columns_;
  std::size_t width_;
  bool color_;
  std::vector<FittedLine> lines_;
  std::vector<FittedLine> feet_;
};

/// Lines of more than `width` columns broken at blanks; what follows hangs below the text of its line. Escape
/// sequences of colors take no column. 0: as it is.
std::string folded_text(std::string_view text, std::size_t width);

struct PerfTableOptions {
  double min_percentage = 0.5;  ///< rows below are gray
  bool color = false;
  bool advice = true;
  bool raw_op_codes = false;  ///< one more column of the CSV
  unsigned threads = 1;       ///< that make rows
  // Of the table on the terminal alone.
  bool whole_names = false;  ///< else they are shortened
  static constexpr std::size_t kAllRows = SIZE_MAX;
  std::size_t width = 0;       ///< columns that there are; 0: as many as it takes
  std::size_t top = kAllRows;  ///< rows or groups
  std::string op;              ///< only names with this in them
  OpOrder order = OpOrder::kRow;
};

/// What was done to the report: `Detected CSV format: v2`. Broken at blanks where there is a width.
void write_notes(const std::vector<OpNote>& notes, const PerfTableOptions& options, Writer& out);
/// The table that users know: thirteen columns, the sum below.
class PerfTableText {
 public:
  /// With `bounds` each op has what limits it in the column Bound, else matmuls a word of ShownBound.
  PerfTableText(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                const OpBounds* bounds = nullptr);

  void write_table(Writer& out) const;
  /// A row alone, in the columns of the table.
  void write_row(const ShownOp& row, Writer& out) const;

 private:
  void choose_rows();
  void sort_rows();
  void measure_widths();
  void fit_widths();
  void append_row(const ShownOp& row, std::string& to) const;
  void write_rows(Writer& out) const;
  void write_total(Writer& out) const;
  std::string bound_text(const ShownOp& row) const;
  bool is_muted(const ShownOp& row) const;

  const OpsReport& report_;
  const ShownOps& ops_;
  PerfTableOptions options_;
  const OpBounds* bounds_;
  std::vector<std::uint32_t> shown_;  ///< rows of the table, in order
  std::size_t widths_[13] = {};       ///< 0: no room for the column
};

}  // namespace ttscope::perf
