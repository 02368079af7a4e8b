#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perf/analyze/op_bounds.h"
#include "perf/analyze/shown_ops.h"

namespace ttscope::perf {

/// `32x3072`: sizes of a tensor as padded, without leading ones; empty without a shape.
std::string shape_text(const OpTensor& tensor);
/// Shapes of the first two inputs and, where it differs from the first, of the output:
/// `32x3072, 3072x96 => 32x96`. Empty where the report has none.
std::string shapes_text(const OpsReport& table, const OpKind& kind);

/// A tensor a line, inputs then outputs: `in 0: 32x3072 BFLOAT16 TILE DEV_0_L1_WIDTH_SHARDED`.
std::string tensors_text(const OpsReport& table, const OpKind& kind);

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

enum class StackBy : std::uint8_t {
  kOp,        ///< name of the op
  kMemory,    ///< and where its first input is: `Matmul (in0:dram_interleaved)`
  kCategory,  ///< what ops do
  kSignpost,  ///< name of the last signpost before it: the part of the model that it belongs to
  kModule,    ///< layers of one kind together: by the op's location or a path in its attributes, else the
              ///< signpost without numbers and words of beginning and end
};

struct StackOptions {
  StackBy by = StackBy::kMemory;
  bool per_device = false;
  bool no_host_ops = false;
};

/// Ops that are shown as one: sum of their device time and how well they used the cores.
struct StackEntry {
  std::string name;
  std::int32_t device = -1;                  ///< when devices are apart
  OpCategory category = OpCategory::kOther;  ///< kOther for what signposts set off
  double percent = 0;                        ///< Total % of its rows
  double device_us = 0;
  std::uint64_t ops = 0;
  double flops_min = kNoNumber;  ///< percent of the peak, over the ops that have it
  double flops_max = kNoNumber;
  double flops_mean = kNoNumber;
  double flops_std = kNoNumber;            ///< of a sample; none for a single op
  double flops_weighted_mean = kNoNumber;  ///< by device time
};

/// The module that a signpost names: `TTBasicBlock *` of `TTBasicBlock 12 forward started`; the text itself
/// where nothing would be left of it.
std::string module_name(std::string_view signpost);

/// Entries by device time, the largest first. Their device time adds up to that of the table.
std::vector<StackEntry> stack_ops(const OpsReport& table, const ShownOps& ops, const StackOptions& options);

/// Sums without losing the small ones (Kahan); totals of a million ops must still add up.
struct PreciseSum {
  double total = 0;
  double lost = 0;

  void add(double value) {
    const double corrected = value - lost;
    const double next = total + corrected;
    lost = (next - total) - corrected;
    total = next;
  }
};

/// An entry with what its weighted mean is made of, which is not set yet.
struct StackSum {
  StackEntry entry;
  PreciseSum weighted;
  PreciseSum weights;
  std::uint32_t first_kind = 0;  ///< of its first row
};

bool is_by_signpost(StackBy by);
/// Entries by name and device.
std::vector<StackSum> sum_stack(const OpsReport& table, const ShownOps& ops, const StackOptions& options);

/// The same by modules; empty where the rows tell fewer than two.
std::vector<StackEntry> stack_modules(const OpsReport& table, const ShownOps& ops);

/// What the critical path has of one op on one device. Gaps are one sum on each device, and those of
/// compiling another one: which ops they stand before is a question of its own.
struct PathSum {
  double us = 0;
  std::uint64_t parts = 0;
  std::uint32_t kind = 0;  ///< of the last part
  std::int32_t device = -1;
  PathPartKind part = PathPartKind::kOp;
  bool is_compile = false;
};

/// The longest first.
std::vector<PathSum> path_sums(const OpsReport& table, const ShownOps& ops);

/// What an op does with its data.
enum class MovementClass : std::uint8_t {
  kComputes,
  kCollective,  ///< between devices
  kLayout,      ///< layout, type or place change: another place, layout or type of tensors removes it
  kStructural,  ///< the graph asks for another shape: a rewrite of the graph removes it
  kOther,       ///< caches, copies into tensors, ops on the host
};

inline constexpr std::size_t kMovementClassCount = 5;

std::string_view key_of(MovementClass movement);

MovementClass movement_of(std::string_view op_name, OpCategory category);
/// A reshape or the like that should cost nothing.
bool is_view(std::string_view op_name);

/// Ops of one name, shape and type that only move or convert data.
struct Conversion {
  std::uint32_t kind = 0;  ///< of the first one
  MovementClass movement = MovementClass::kLayout;
  double device_us = 0;  ///< of all executions
  std::uint64_t ops = 0;
  double bytes = 0;          ///< of all executions: the larger of what goes in and comes out; 0: unknown
  double us_with_bytes = 0;  ///< device time of those whose bytes are known
  double gb_s() const { return us_with_bytes > 0 ? bytes / us_with_bytes / 1e3 : 0; }
  double bytes_of_one() const { return bytes / static_cast<double>(ops); }
};

/// How much of the device time computes, and how much only moves or converts data.
struct MovementBudget {
  static constexpr std::size_t kConversionsListed = 20;
  std::array<double, kMovementClassCount> device_us{};  ///< add up to the table's
  std::vector<Conversion> conversions;                  ///< the costliest
  /// Ops whose kernels have no duration, and what their firmware took: they ran, whatever it was.
  std::uint64_t unmeasured_ops = 0;
  double unmeasured_us = 0;
  double of(MovementClass movement) const { return device_us[static_cast<std::size_t>(movement)]; }
};

MovementBudget find_movement(const OpsReport& table, const ShownOps& ops);

/// Bytes that one execution of an op takes in or puts out, whichever is more.
double moved_bytes(const OpsReport& table, const OpKind& kind);

/// `LayerNorm 1x32x3072 BF16 L1`: tells ops of one name apart by what they work on.
std::string distinct_name(const OpsReport& table, const KindFacts& facts, const OpKind& kind);

}  // namespace ttscope::perf
