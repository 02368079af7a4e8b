#include "mem/analyse/view_rules.h"

#include <algorithm>
#include <array>

namespace ttscope::mem {
namespace {

std::pair<std::int64_t, std::int64_t> last_two(const std::vector<std::int64_t>& shape) {
  const std::size_t n = shape.size();
  return {n > 1 ? shape[n - 2] : 1, n > 0 ? shape[n - 1] : 1};
}

/// A reshape keeps the buffer when the stored form is the same: equal shards and rows, and no tile is cut
/// differently.
bool reshape_is_view(const TensorType& from, const TensorType& to) {
  if (from.memref != to.memref || from.layout != to.layout || from.buffer != to.buffer ||
      from.dtype != to.dtype || from.tile_height != to.tile_height) {
    return false;
  }
  const auto [from_rows, from_columns] = last_two(from.shape);
  const auto [to_rows, to_columns] = last_two(to.shape);
  if (from_columns != to_columns) return false;
  return from_rows == to_rows || !from.is_tiled() || (from_rows % 32 == 0 && to_rows % 32 == 0);
}

bool text_says_view(const RuntimeTrace& trace, const OpText& op) {
  const auto inputs = trace.ids(op.input_types);
  const auto results = trace.ids(op.result_types);
  if (!op.may_be_view || inputs.empty() || results.empty()) return false;
  if (op.identity_mesh_shard) return true;
  const std::string_view name = trace.names[op.name];
  if (name == "ttnn.reshape" || name == "ttnn.view")
    return reshape_is_view(trace.types[inputs[0]], trace.types[results[0]]);
  return inputs[0] == results[0];
}

PerTensorMemory change_of(const OpPlan& plan, const PlanContext& context) {
  PerTensorMemory change = context.all_results;
  if (plan.shares_operand) change[context.operand_memory] -= context.first_result_bytes;
  if (plan.frees_operand && context.operand_is_freeable)
    change[context.operand_memory] -= context.operand_bytes;
  return change;
}

std::int64_t miss_of(const OpPlan& plan, const PlanContext& context) {
  const PerTensorMemory change = change_of(plan, context);
  std::int64_t worst = 0;
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
    worst = std::max(worst, std::abs(saturating_add(change[m], -(*context.measured)[m])));
  }
  return worst;
}

}  // namespace

OpPlan choose_plan(const RuntimeTrace& trace, const OpText& op, const PlanContext& context) {
  OpPlan plan;
  plan.shares_operand = context.has_operand && context.same_memory && text_says_view(trace, op);
  plan.frees_operand = op.frees_first_operand && context.has_operand && !plan.shares_operand;
  if (!context.measured || !context.has_operand || miss_of(plan, context) <= kRoundingBytes) return plan;
  const std::array<OpPlan, 3> others = {{{true, false}, {false, false}, {false, true}}};
  for (const OpPlan& other : others) {
    if (other.shares_operand && !context.same_memory) continue;
    if (other.frees_operand && !context.operand_is_freeable) continue;
    if (miss_of(other, context) <= kRoundingBytes) return other;
  }
  return plan;
}

}  // namespace ttscope::mem
