#pragma once

#include <optional>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// What an op does to buffers: whether its first result lives in the first operand's buffer, and whether it
/// frees that.
struct OpPlan {
  bool shares_operand = false;
  bool frees_operand = false;
};

struct PlanContext {
  PerTensorMemory all_results{};     ///< bytes per bank if every result gets a buffer of its own
  bool has_operand = false;          ///< the first operand has a buffer
  bool operand_is_freeable = false;  ///< no other name and no cache has it
  bool same_memory = false;          ///< first result and first operand are in the same memory
  std::uint8_t operand_memory = 0;
  std::int64_t operand_bytes = 0;
  std::int64_t first_result_bytes = 0;
  std::optional<PerTensorMemory> measured;  ///< change that is the op's alone
};

/// By the op's text (reshapes that keep the layout are views, `deallocate_activation` frees), unless that
/// contradicts the measured change and another plan agrees with it.
OpPlan choose_plan(const RuntimeTrace& trace, const OpText& op, const PlanContext& context);

}  // namespace ttscope::mem
