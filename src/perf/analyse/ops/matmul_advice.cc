#include "perf/analyse/ops/matmul_advice.h"

#include <fmt/format.h>

namespace ttscope::perf {
namespace {

constexpr double kManyCores = 64;
constexpr double kFewFlopsPercent = 40;

/// A column with empty cells is one of floats there, and shows `20.0`.
std::string cores_text(double cores, bool as_float) {
  return as_float ? fmt::format("{:.1f}", cores) : fmt::format("{:.0f}", cores);
}

void advise_on_config(const KindFacts& facts, const Rules& rules, std::vector<std::string>& advice) {
  const bool has_block = facts.in0_block_w >= 0;
  const bool has_subblock = facts.out_subblock_h >= 0 && facts.out_subblock_w >= 0;
  const bool has_config = rules.advises_what_attributes_allow && facts.has_program_config;
  if (!has_block && facts.out_subblock_h < 0 && facts.out_subblock_w < 0) {
    if (has_config) return;
    advice.emplace_back(
        "No program_config specified, try using one to override in0_block_w and out_subblock_h/w");
    return;
  }
  const bool is_small_block = has_block && facts.in0_block_w < 2;
  const bool is_small_subblock =
      has_subblock &&
      static_cast<double>(facts.out_subblock_h) * static_cast<double>(facts.out_subblock_w) < 2;
  if (is_small_block) {
    advice.push_back(fmt::format("in0_block_w={} is small, try in0_block_w=2 or above", facts.in0_block_w));
  }
  if (!has_block && !has_config) advice.emplace_back("No inner dim block size found");
  if (is_small_subblock) {
    advice.push_back(
        fmt::format("Output subblock {}x{} is small, try out_subblock_h * out_subblock_w >= 2 if possible",
                    facts.out_subblock_h, facts.out_subblock_w));
  }
  if (!has_subblock && !has_config) advice.emplace_back("No output subblock size found");
  if (has_block && has_subblock && !is_small_block && !is_small_subblock) {
    advice.push_back(fmt::format("in0_block_w={} and output subblock {}x{} look good 🤷", facts.in0_block_w,
                                 facts.out_subblock_h, facts.out_subblock_w));
  }
  const bool is_about_speed =
      !rules.advises_what_attributes_allow || facts.fidelity_advice.verdict == FidelityVerdict::kTooHigh;
  if (!facts.fidelity_advice.text.empty() && is_about_speed) advice.emplace_back(facts.fidelity_advice.text);
}

}  // namespace

std::vector<std::string> matmul_advice(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                       const Rules& rules) {
  std::vector<std::string> advice;
  const KindFacts& facts = ops.facts_of(table, row);
  if (!facts.is_matmul || row.is_signpost) return advice;
  const FidelityAdvice& fidelity = facts.fidelity_advice;
  const bool is_too_high = fidelity.verdict == FidelityVerdict::kTooHigh;
  if (row.bound == ShownBound::kDram || row.bound == ShownBound::kBoth) {
    if (!facts.is_dram_sharded) {
      advice.emplace_back(
          "Try a DRAM-sharded program config (MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig) to "
          "improve "
          "throughput further");
    }
    const bool is_too_low =
        fidelity.verdict == FidelityVerdict::kTooLow && !rules.advises_what_attributes_allow;
    if ((is_too_low && row.flops_percent < kFewFlopsPercent) || is_too_high)
      advice.emplace_back(fidelity.text);
  } else if (row.bound == ShownBound::kFlop) {
    const double all = !rules.compares_with_cores_of_chip || ops.peaks.worker_cores == 0
                           ? kManyCores
                           : ops.peaks.worker_cores;
    if (facts.cores < all) {
      const bool as_float =
          rules.shows_counts_as_floats && table.core_counts_missing && !facts.is_dram_sharded;
      advice.push_back(
          fmt::format("Increase grid size (currently using {})", cores_text(facts.cores, as_float)));
    }
    if (is_too_high) advice.emplace_back(fidelity.text);
  } else if (row.bound == ShownBound::kSlow) {
    const OpTensor* in0 = table.input(table.kind_of(table.rows[row.row]), 0);
    const std::string_view memory = in0 == nullptr ? std::string_view{} : table.text(in0->memory);
    if (!memory.empty() && memory.find("L1") == std::string_view::npos) {
      advice.push_back(fmt::format("If possible place input 0 in L1 (currently in {})", memory));
    }
    advise_on_config(facts, rules, advice);
  }
  return advice;
}

}  // namespace ttscope::perf
