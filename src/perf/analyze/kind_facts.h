#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/analyze/roofline.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

// Attributes of an op as the report has them, `,` written as `;`:
// {'config': 'SlidingWindowConfig(batch_size=1; window_hw=(7;7); padding=((3; 0); (3; 3)); ...)'; 'groups':
// '1'}

/// The whole number right behind `key`; nothing when the key is missing or no number follows.
std::optional<std::int64_t> number_after_key(std::string_view attributes, std::string_view key);
/// What stands behind `key` up to a `;` for the `parts`-th time, with `,` for `;`: `((3, 0), (3, 3))`. `x` if
/// there is none.
std::string parts_after_key(std::string_view attributes, std::string_view key, std::size_t parts);
/// What stands behind `key` up to `end`; nothing when the key is missing.
std::optional<std::string_view> text_after_key(std::string_view attributes, std::string_view key, char end);

/// `window_hw=(7;7)` as 7, 7.
struct KernelWindow {
  std::int64_t height = 0;
  std::int64_t width = 0;
};

std::optional<KernelWindow> window_of(std::string_view attributes);

/// `w=(3,3) s=(2,2) p=((1, 1), (1, 1)) d=(1,1) | HEIGHT_SHARDED`
std::string halo_config(std::string_view attributes);
/// `[ABH=192|1 ADB SR]`
std::string conv_config(std::string_view attributes);

/// What an op mainly does, as stacked reports group it.
enum class OpCategory : std::uint8_t {
  kCompute,
  kCcl,  ///< collectives: data go from device to device
  kTm,   ///< tensor manipulation: shape, layout and type change
  kDm,   ///< data movement between memories and cores
  kHost,
  kOther,
};

inline constexpr std::size_t kOpCategoryCount = 6;
inline constexpr std::array<std::string_view, kOpCategoryCount> kOpCategoryNames = {
    "Compute", "CCL", "TM", "DM", "Host", "Other"};

inline std::string_view name_of(OpCategory category) {
  return kOpCategoryNames[static_cast<std::size_t>(category)];
}

/// What a category follows from.
enum class CategoryBasis : std::uint8_t {
  kName,             ///< a list knows the name, or a word in it
  kLinks,            ///< attributes that only collectives have
  kOtherForm,        ///< one tensor in and as much out in another shape, layout or type
  kOtherPlace,       ///< the same in another memory
  kNoInputOrOutput,  ///< it only fills or reads
  kNoCompute,        ///< its compute processors did nothing
  kCompute,          ///< they worked
  kTensors,          ///< several tensors become another, and no times of processors are recorded
  kNothing,
};

inline constexpr std::size_t kCategoryBasisCount = 9;

/// `other_form`, for other programs.
std::string_view key_of(CategoryBasis basis);

/// The category of an op by the first word of its name. Known names as in tt-perf-report; collectives are a
/// category of their own; other names by the words in them. kOther: not known.
OpCategory category_of(std::string_view op_name);
/// Whether the op exchanges data with other devices: collectives, also those that are fused with another op.
/// By its name, or by attributes that only such ops have: links, a topology, a ring, an axis of the mesh.
bool is_multi_device_op(std::string_view op_name, std::string_view attributes);
/// The category of an op whose name is in the list; nothing for others.
std::optional<OpCategory> listed_category(std::string_view op_name);

/// What the data types of a matmul say about its math fidelity.
enum class FidelityVerdict : std::uint8_t { kUnknown, kNotApplicable, kSufficient, kTooHigh, kTooLow };

/// What there is to say of it; the words are in perf/write/table_csv.h.
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

/// Of both inputs and the output.
using MatmulTypes = std::array<std::string_view, 3>;
/// Nothing where one of the three tensors is missing.
std::optional<MatmulTypes> matmul_types(const OpsReport& table, const OpKind& kind);
FidelityAdvice judge_fidelity(std::string_view fidelity, const MatmulTypes& types);

/// What all executions of one kind of op share, worked out once from its shapes and attributes.
struct KindFacts {
  std::string label;     ///< `Matmul 32 x 768 x 768`
  std::string fidelity;  ///< `HiFi4 BF16 x BFP8 => BF16`
  OpCategory category = OpCategory::kOther;
  bool is_matmul = false;
  bool is_conv = false;
  bool is_host = false;          ///< runs on the host
  bool is_multi_device = false;  ///< a collective, alone or fused with another op: it waits for other devices
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
  std::uint32_t device_count = 1;
  double active_experts = 0;               ///< of a sparse matmul without `nnz`; 0: unknown
  std::vector<bool> computing_kinds = {};  ///< by kind: its compute processors worked; empty: not recorded
};

/// Facts by kind.
std::vector<KindFacts> find_facts(const OpsReport& table, const DevicePeaks& peaks,
                                  const FactOptions& options);

/// What a collective sends, alone or fused with another op, when each device brings so many bytes.
void set_links(const OpsReport& table, const OpKind& kind, std::uint32_t device_count, double input_bytes,
               KindFacts& facts);

/// `BFLOAT8_B` as `BFP8`; others unchanged.
std::string_view short_datatype(std::string_view datatype);

}  // namespace ttscope::perf
