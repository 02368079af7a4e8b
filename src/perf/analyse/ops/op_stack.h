#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

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
  const Rules* rules = &own_rules();
};

/// Ops that are shown as one: sum of their device time and how well they used the cores.
struct StackEntry {
  std::string name;
  std::int32_t device = -1;                  ///< when devices are apart
  OpCategory category = OpCategory::kOther;  ///< kOther for what signposts set off
  double percent =
      0;  ///< Total % of its rows; by the rules of the reference: of the device time of all entries
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

/// The same by modules; empty where the rows tell fewer than two.
std::vector<StackEntry> stack_modules(const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
