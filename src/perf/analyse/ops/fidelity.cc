// Declared in kind_facts.h, with what else is told of a kind.
#include <array>

#include "perf/analyse/ops/kind_facts.h"

namespace ttscope::perf {
namespace {

constexpr int kFp32Bits = 23;

int mantissa_bits(std::string_view datatype) {
  if (datatype == "FLOAT32") return kFp32Bits;
  if (datatype == "BFLOAT16") return 8;
  if (datatype == "BFLOAT8_B") return 7;
  if (datatype == "BFLOAT4_B") return 3;
  return 0;
}

bool is_integer(std::string_view datatype) {
  return datatype == "UINT8" || datatype == "UINT16" || datatype == "INT32" || datatype == "UINT32";
}

constexpr FidelityVerdict kSufficient = FidelityVerdict::kSufficient;
constexpr FidelityVerdict kTooHigh = FidelityVerdict::kTooHigh;
constexpr FidelityVerdict kTooLow = FidelityVerdict::kTooLow;

/// What is to be said of HiFi4, HiFi2 and LoFi for one combination of types.
struct FidelityRule {
  FidelityAdvice hifi4, hifi2, lofi;
};

using Remark = FidelityRemark;

constexpr FidelityRule kBf16 = {
    {kSufficient, Remark::kBf16MayUse2}, {kTooLow, Remark::kBf16Needs4}, {kTooLow, Remark::kBf16Needs2}};
constexpr FidelityRule kBf16ToBfp4 = {{kTooHigh, Remark::kBf16ToBfp4LikelyUses2},
                                      {kSufficient, Remark::kBfp4OutputMayUseLoFi},
                                      {kTooLow, Remark::kBf16ToBfp4Needs2}};
constexpr FidelityRule kBfp8 = {
    {kTooHigh, Remark::kBfp8Uses2}, {kSufficient, Remark::kNothing}, {kTooLow, Remark::kBfp8Needs2}};
constexpr FidelityRule kBfp8ToBfp4 = {{kTooHigh, Remark::kBfp8Uses2},
                                      {kSufficient, Remark::kBfp4OutputMayUseLoFi},
                                      {kTooLow, Remark::kBfp8ToBfp4Needs2}};
constexpr FidelityRule kBfp4 = {
    {kTooHigh, Remark::kBfp4UsesLoFi}, {kTooHigh, Remark::kBfp4UsesLoFi}, {kSufficient, Remark::kNothing}};
constexpr FidelityRule kFp32 = {{kSufficient, Remark::kNothing},
                                {kTooLow, Remark::kFp32Needs4Not2},
                                {kTooLow, Remark::kFp32Needs4NotLoFi}};

const FidelityRule* rule_for(int in0_bits, int in1_bits, int out_bits) {
  if (in0_bits == 8 && out_bits >= 7) return &kBf16;
  if (in0_bits == 8 && out_bits == 3) return &kBf16ToBfp4;
  if (in1_bits >= 7 && out_bits >= 7) return &kBfp8;
  if (in1_bits >= 7 && out_bits == 3) return &kBfp8ToBfp4;
  return in1_bits == 3 ? &kBfp4 : nullptr;
}

}  // namespace

FidelityAdvice judge_fidelity(const OpsReport& table, const ReportKind& kind, const Rules& rules) {
  const OpTensor* in0 = table.input(kind, 0);
  const OpTensor* in1 = table.input(kind, 1);
  const OpTensor* out = table.output(kind, 0);
  if (in0 == nullptr || in1 == nullptr || out == nullptr) return {};
  const std::array<std::string_view, 3> types = {table.text(in0->datatype), table.text(in1->datatype),
                                                 table.text(out->datatype)};
  if (is_integer(types[0]) || is_integer(types[1]) || is_integer(types[2])) {
    return {FidelityVerdict::kNotApplicable, Remark::kInteger};
  }
  const std::array<int, 3> bits = {mantissa_bits(types[0]), mantissa_bits(types[1]), mantissa_bits(types[2])};
  if (bits[0] == 0 || bits[1] == 0 || bits[2] == 0) return {};
  const bool has_fp32 = bits[0] == kFp32Bits || bits[1] == kFp32Bits;
  const FidelityRule* rule = has_fp32 && rules.judges_fp32 ? &kFp32 : rule_for(bits[0], bits[1], bits[2]);
  const std::string_view fidelity = table.text(kind.math_fidelity);
  if (rule == nullptr || fidelity.empty()) return {};
  if (fidelity == "HiFi4") return rule->hifi4;
  if (fidelity == "HiFi2") return rule->hifi2;
  if (fidelity == "LoFi") return rule->lofi;
  // HiFi3 multiplies three of the four parts: it is between the two.
  if (fidelity == "HiFi3" && rule->hifi2.verdict == kTooLow) return {kTooLow, rule->hifi2.remark};
  if (fidelity == "HiFi3")
    return rule->hifi4.verdict == kTooHigh ? rule->hifi4 : FidelityAdvice{kSufficient, Remark::kNothing};
  return {};
}

}  // namespace ttscope::perf
