#include "perf/analyse/ops/matmul_advice.h"

#include "base/text_search.h"

namespace ttscope::perf {
namespace {

constexpr double kManyCores = 64;
constexpr double kFewFlopsPercent = 40;

void advise_on_config(const KindFacts& facts, const Rules& rules, std::vector<MatmulRemark>& advice) {
  const bool has_block = facts.in0_block_w >= 0;
  const bool has_subblock = facts.out_subblock_h >= 0 && facts.out_subblock_w >= 0;
  const bool has_config = rules.advises_what_attributes_allow && facts.has_program_config;
  if (!has_block && facts.out_subblock_h < 0 && facts.out_subblock_w < 0) {
    if (!has_config) advice.push_back(MatmulRemark::kNoProgramConfig);
    return;
  }
  const bool is_small_block = has_block && facts.in0_block_w < 2;
  const bool is_small_subblock =
      has_subblock &&
      static_cast<double>(facts.out_subblock_h) * static_cast<double>(facts.out_subblock_w) < 2;
  if (is_small_block) advice.push_back(MatmulRemark::kSmallInnerBlock);
  if (!has_block && !has_config) advice.push_back(MatmulRemark::kNoInnerBlock);
  if (is_small_subblock) advice.push_back(MatmulRemark::kSmallSubblock);
  if (!has_subblock && !has_config) advice.push_back(MatmulRemark::kNoSubblock);
  if (has_block && has_subblock && !is_small_block && !is_small_subblock)
    advice.push_back(MatmulRemark::kBlocksLookGood);
  const bool is_about_speed =
      !rules.advises_what_attributes_allow || facts.fidelity_advice.verdict == FidelityVerdict::kTooHigh;
  if (facts.fidelity_advice.remark != FidelityRemark::kNothing && is_about_speed)
    advice.push_back(MatmulRemark::kFidelity);
}

}  // namespace

std::vector<MatmulRemark> matmul_advice(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                        const Rules& rules) {
  std::vector<MatmulRemark> advice;
  const KindFacts& facts = ops.facts_of(table, row);
  if (!facts.is_matmul || row.is_signpost) return advice;
  const FidelityVerdict fidelity = facts.fidelity_advice.verdict;
  const bool is_too_high = fidelity == FidelityVerdict::kTooHigh;
  if (row.bound == ShownBound::kDram || row.bound == ShownBound::kBoth) {
    if (!facts.is_dram_sharded) advice.push_back(MatmulRemark::kTryDramSharded);
    const bool is_too_low = fidelity == FidelityVerdict::kTooLow && !rules.advises_what_attributes_allow;
    if ((is_too_low && row.flops_percent < kFewFlopsPercent) || is_too_high)
      advice.push_back(MatmulRemark::kFidelity);
  } else if (row.bound == ShownBound::kFlop) {
    const double all = !rules.compares_with_cores_of_chip || ops.peaks.worker_cores == 0
                           ? kManyCores
                           : ops.peaks.worker_cores;
    if (facts.cores < all) advice.push_back(MatmulRemark::kIncreaseGrid);
    if (is_too_high) advice.push_back(MatmulRemark::kFidelity);
  } else if (row.bound == ShownBound::kSlow) {
    const OpTensor* in0 = table.input(table.kind_of(table.rows[row.row]), 0);
    const std::string_view memory = in0 == nullptr ? std::string_view{} : table.text(in0->memory);
    if (!memory.empty() && !contains(memory, "L1")) advice.push_back(MatmulRemark::kPlaceInputInL1);
    advise_on_config(facts, rules, advice);
  }
  return advice;
}

}  // namespace ttscope::perf
