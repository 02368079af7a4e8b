#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyse/ops/op_bounds.h"

namespace ttscope::perf {

/// `32x3072`: sizes of a tensor as padded, without leading ones; empty without a shape.
std::string shape_text(const OpTensor& tensor);
/// Shapes of the first two inputs and, where it differs from the first, of the output:
/// `32x3072, 3072x96 => 32x96`. Empty where the report has none.
std::string shapes_text(const OpsReport& table, const ReportKind& kind);

/// A tensor a line, inputs then outputs: `in 0: 32x3072 BFLOAT16 TILE DEV_0_L1_WIDTH_SHARDED`.
std::string tensors_text(const OpsReport& table, const ReportKind& kind);

/// Rows of the table with the same op, shapes and data types. Sums are over the rows that have the figure.
struct ShapeGroup {
  std::uint32_t kind = 0;       ///< of its first row: stands for all in names and types
  std::uint32_t first_row = 0;  ///< of the table
  std::uint64_t rows = 0;
  std::uint64_t measured = 0;  ///< rows with a device time
  double total_percent = 0;
  double device_us = 0;
  double gap_us = 0;  ///< without compilation where that counts apart
  double mean_us = kNoNumber;
  double spread_percent = kNoNumber;  ///< standard deviation of a sample, of the mean; none for a single one
  OpLimit limit = OpLimit::kUnknown;  ///< of most of its time
  double peak_percent = kNoNumber;    ///< ideal of device time, over the rows that have an ideal
  bool is_host = false;
  double cores = kNoNumber;  ///< none where they differ
};

/// What a table is ordered by; the largest first, names and rows from the first on.
enum class OpOrder : std::uint8_t { kTotal, kTime, kGap, kCount, kMean, kSpread, kName, kRow };
inline constexpr std::array<std::string_view, 8> kOpOrderNames = {"total", "time",   "gap",  "count",
                                                                  "mean",  "spread", "name", "row"};

struct ShapeGroups {
  std::vector<ShapeGroup> groups;
  std::vector<std::uint32_t> group_of;  ///< by row of the table; kNone: a signpost, or not wanted
};

/// Groups of the rows whose name holds `wanted` (any case; empty: all), in the order asked for. Their figures
/// add up to those of the rows.
ShapeGroups find_shape_groups(const OpsReport& table, const ShownOps& ops, const OpBounds& bounds,
                              const std::string& wanted);
void sort_groups(std::vector<ShapeGroup>& groups, const ShownOps& ops, OpOrder order);

/// Whether the name of an op, with its shape, holds that text in any case.
bool is_named_like(const KindFacts& facts, const std::string& wanted);
/// An error that names what may have been meant, where no row of the table is named like that.
Result<void> check_wanted_op(const OpsReport& table, const ShownOps& ops, const std::string& wanted);

}  // namespace ttscope::perf
