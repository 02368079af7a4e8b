#include "perf/write/words/matmul_text.h"

#include <fmt/format.h>

#include "perf/analyse/ops/matmul_advice.h"

namespace ttscope::perf {
namespace {

struct MatmulRow {
  const OpsReport& table;
  const ReportKind& kind;
  const KindFacts& facts;
  const Rules& rules;
};

/// A column with empty cells is one of floats in tt-perf-report, and shows `20.0`.
std::string cores_text(const MatmulRow& row) {
  const bool as_float =
      row.rules.shows_counts_as_floats && row.table.core_counts_missing && !row.facts.is_dram_sharded;
  return fmt::format("{:.{}f}", row.facts.cores, as_float ? 1 : 0);
}

std::string remark_text(MatmulRemark remark, const MatmulRow& row) {
  const KindFacts& facts = row.facts;
  switch (remark) {
    case MatmulRemark::kTryDramSharded:
      return "Try a DRAM-sharded program config (MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig) to "
             "improve throughput further";
    case MatmulRemark::kIncreaseGrid:
      return fmt::format("Increase grid size (currently using {})", cores_text(row));
    case MatmulRemark::kPlaceInputInL1:
      return fmt::format("If possible place input 0 in L1 (currently in {})",
                         row.table.text(row.table.input(row.kind, 0)->memory));
    case MatmulRemark::kNoProgramConfig:
      return "No program_config specified, try using one to override in0_block_w and out_subblock_h/w";
    case MatmulRemark::kSmallInnerBlock:
      return fmt::format("in0_block_w={} is small, try in0_block_w=2 or above", facts.in0_block_w);
    case MatmulRemark::kNoInnerBlock:
      return "No inner dim block size found";
    case MatmulRemark::kSmallSubblock:
      return fmt::format(
          "Output subblock {}x{} is small, try out_subblock_h * out_subblock_w >= 2 if possible",
          facts.out_subblock_h, facts.out_subblock_w);
    case MatmulRemark::kNoSubblock:
      return "No output subblock size found";
    case MatmulRemark::kBlocksLookGood:
      return fmt::format("in0_block_w={} and output subblock {}x{} look good 🤷", facts.in0_block_w,
                         facts.out_subblock_h, facts.out_subblock_w);
    case MatmulRemark::kFidelity:
      break;
  }
  return std::string(fidelity_text(facts.fidelity_advice.remark));
}

}  // namespace

std::string_view fidelity_text(FidelityRemark remark) {
  switch (remark) {
    case FidelityRemark::kNothing:
      return {};
    case FidelityRemark::kInteger:
      return "Fidelity evaluation is not applicable for integer datatypes (UINT8, UINT16, INT32, UINT32).";
    case FidelityRemark::kBf16MayUse2:
      return "HiFi2 may also work, it discards the lowest bit of the activations and has 2x the throughput "
             "of "
             "HiFi4";
    case FidelityRemark::kBf16Needs4:
      return "If your matmuls are not FLOP-bound use HiFi4 with BF16 activations for full accuracy";
    case FidelityRemark::kBf16Needs2:
      return "Use HiFi2 or HiFi4 with BF16 activations for improved accuracy";
    case FidelityRemark::kBf16ToBfp4LikelyUses2:
      return "HiFi2 is very likely to work for BFP8 output; it discards the lowest bit of the activations "
             "and "
             "has 2x the throughput of HiFi4";
    case FidelityRemark::kBf16ToBfp4Needs2:
      return "HiFi2 may give better accuracy for large matmuls with many intermediate accumulations";
    case FidelityRemark::kBfp8Uses2:
      return "HiFi2 is sufficient for BFP8 multiplication and has 2x the throughput of HiFi4";
    case FidelityRemark::kBfp8Needs2:
      return "HiFi2 is recommended for accuracy; LoFi discards the lowest 2 bits of the weights";
    case FidelityRemark::kBfp8ToBfp4Needs2:
      return "HiFi2 may give slightly better accuracy for large matmuls with many intermediate accumulations";
    case FidelityRemark::kBfp4OutputMayUseLoFi:
      return "LoFi might also be sufficient with BFP4 output and has almost 2x the throughput of HiFi2";
    case FidelityRemark::kBfp4UsesLoFi:
      return "LoFi is sufficient with BFP4 weights, use it for much higher throughput";
    case FidelityRemark::kFp32Needs4Not2:
      return "Use HiFi4 with FP32 operands: HiFi2 discards bits that the matrix engine keeps of them";
    case FidelityRemark::kFp32Needs4NotLoFi:
      break;
  }
  return "Use HiFi4 with FP32 operands: LoFi discards most of the bits that the matrix engine keeps of them";
}

std::vector<std::string> matmul_sentences(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                          const Rules& rules) {
  const MatmulRow of = {table, table.kind_of(table.rows[row.row]), ops.facts_of(table, row), rules};
  std::vector<std::string> sentences;
  for (const MatmulRemark remark : matmul_advice(table, ops, row, rules))
    sentences.push_back(remark_text(remark, of));
  return sentences;
}

}  // namespace ttscope::perf
