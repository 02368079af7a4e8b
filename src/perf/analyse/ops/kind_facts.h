#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perf/analyse/ops/matmul_size.h"
#include "perf/analyse/ops/op_category.h"
#include "perf/analyse/ops/op_peaks.h"
#include "perf/analyse/ops/op_traffic.h"
#include "perf/model/ops_report.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// What the data types of a matmul say about its math fidelity.
enum class FidelityVerdict : std::uint8_t { kUnknown, kNotApplicable, kSufficient, kTooHigh, kTooLow };

/// What there is to say of it; the words are in perf/write/words/matmul_text.h.
enum class FidelityRemark : std::uint8_t {
  kNothing,
  kInteger,      ///< fidelity means nothing for integers
  kBf16MayUse2,  ///< HiFi4, BF16 activations
  kBf16Needs4,   ///< HiFi2, BF16 activations
  kBf16Needs2,   ///< LoFi, BF16 activations
  kBf16ToBfp4LikelyUses2,
  kBf16ToBfp4Needs2,
  kBfp8Uses2,
  kBfp8Needs2,
  kBfp8ToBfp4Needs2,
  kBfp4OutputMayUseLoFi,
  kBfp4UsesLoFi,
  kFp32Needs4Not2,
  kFp32Needs4NotLoFi,
};

struct FidelityAdvice {
  FidelityVerdict verdict = FidelityVerdict::kUnknown;
  FidelityRemark remark = FidelityRemark::kNothing;
};
FidelityAdvice judge_fidelity(const OpsReport& table, const ReportKind& kind, const Rules& rules);

/// What all executions of one kind of op share, worked out once from its shapes and attributes.
struct KindFacts {
  std::string label;     ///< `Matmul 32 x 768 x 768`
  std::string fidelity;  ///< `HiFi4 BF16 x BFP8 => BF16`
  OpCategory category = OpCategory::kOther;
  bool is_matmul = false;
  bool is_conv = false;
  bool is_host = false;        ///< runs on the host
  bool meets_devices = false;  ///< a collective, alone or fused with another op: it waits for other devices
  bool is_dram_sharded = false;
  bool is_minimal = false;        ///< a matmul of the kind that MinimalMatmulConfig is for
  double cores = kNoNumber;       ///< that compute; of a DRAM-sharded matmul those at the DRAM banks
  double peak_cores = kNoNumber;  ///< that FLOPs % is a share of
  double flops = kNoNumber;       ///< of a matmul or convolution
  MatmulSize product;             ///< of a matmul
  /// Bytes of the operands of a matmul that are in DRAM, each read once; 0 when none is.
  double matmul_dram_bytes = kNoNumber;
  OpTraffic traffic;                ///< that all its tensors cause
  double link_bytes = kNoNumber;    ///< over the busiest link of a collective, in one direction
  double link_devices = 0;          ///< that take part in a collective, where that is told; 0: it is not
  std::int64_t cluster_axis = -1;   ///< of the mesh, along which they do; -1: not told
  double links = 1;                 ///< side by side, that share them
  double link_hops = 0;             ///< that data cross one after the other; 0: unknown
  bool has_program_config = false;  ///< the attributes name one
  CategoryBasis category_basis = CategoryBasis::kName;
  std::int64_t in0_block_w = -1;  ///< of the program config; -1: not given
  std::int64_t out_subblock_h = -1;
  std::int64_t out_subblock_w = -1;
  FidelityAdvice fidelity_advice;
};

struct FactOptions {
  const Rules* rules = &own_rules();
  std::uint32_t device_count = 1;
  double active_experts = 0;               ///< of a sparse matmul without `nnz`; 0: unknown
  std::vector<bool> computing_kinds = {};  ///< by kind: its compute processors worked; empty: not recorded
};

/// Facts by kind.
std::vector<KindFacts> find_facts(const OpsReport& table, const DevicePeaks& peaks,
                                  const FactOptions& options);

/// `BFLOAT8_B` as `BFP8`; others unchanged.
std::string_view short_datatype(std::string_view datatype);

}  // namespace ttscope::perf
