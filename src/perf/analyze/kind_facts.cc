#include "perf/analyze/kind_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "perf/analyze/roofline.h"

namespace ttscope::perf {
namespace {

std::optional<std::string_view> rest_after_key(std::string_view attributes, std::string_view key) {
  const std::size_t at = attributes.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return attributes.substr(at + key.size());
}

/// The `'true'` of `'enable_split_reader': 'true'`. A missing one counts as set, as in the known table.
bool flag_of(std::string_view attributes, std::string_view key) {
  const std::optional<std::string_view> value = text_after_key(attributes, std::string(key) + "': '", '\'');
  return !value || *value == "true";
}

std::string number_or_x(std::string_view attributes, std::string_view key) {
  const std::optional<std::int64_t> number = number_after_key(attributes, key);
  return number ? std::to_string(*number) : "x";
}

}  // namespace

std::optional<std::int64_t> number_after_key(std::string_view attributes, std::string_view key) {
  const std::optional<std::string_view> rest = rest_after_key(attributes, key);
  if (!rest) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(rest->data(), rest->data() + rest->size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<std::string_view> text_after_key(std::string_view attributes, std::string_view key, char end) {
  const std::optional<std::string_view> rest = rest_after_key(attributes, key);
  if (!rest) return std::nullopt;
  return rest->substr(0, rest->find(end));
}

std::string parts_after_key(std::string_view attributes, std::string_view key, std::size_t parts) {
  const std::optional<std::string_view> rest = rest_after_key(attributes, key);
  if (!rest) return "x";
  std::size_t end = 0;
  for (std::size_t i = 0; i < parts && end != std::string_view::npos; ++i)
    end = rest->find(';', end + (i > 0));
  std::string text(rest->substr(0, end));
  std::replace(text.begin(), text.end(), ';', ',');
  return text;
}

std::optional<KernelWindow> window_of(std::string_view attributes) {
  const std::optional<std::string_view> text = text_after_key(attributes, "window_hw=(", ')');
  if (!text) return std::nullopt;
  const std::size_t middle = text->find(';');
  if (middle == std::string_view::npos) return std::nullopt;
  const std::optional<std::int64_t> height = number_after_key(*text, "");
  const std::optional<std::int64_t> width = number_after_key(text->substr(middle + 1), "");
  if (!height || !width || *height < 0 || *width < 0) return std::nullopt;
  return KernelWindow{*height, *width};
}

std::string halo_config(std::string_view attributes) {
  std::string layout = "x";
  if (const auto text = text_after_key(attributes, "memory_layout=", ';')) {
    const std::size_t colons = text->find("::");
    if (colons != std::string_view::npos) layout = text->substr(colons + 2);
  }
  return "w=" + parts_after_key(attributes, "window_hw=", 2) +
         " s=" + parts_after_key(attributes, "stride_hw=", 2) +
         " p=" + parts_after_key(attributes, "padding=", 4) +
         " d=" + parts_after_key(attributes, "dilation_hw=", 2) + " | " + layout;
}

std::string conv_config(std::string_view attributes) {
  std::string config = "[ABH=" + number_or_x(attributes, "per_core_out_matrix_height_ntile=") + "|" +
                       number_or_x(attributes, "act_block_h_ntiles=");
  if (flag_of(attributes, "enable_act_double_buffer")) config += " ADB";
  if (flag_of(attributes, "enable_split_reader")) config += " SR";
  return config + "]";
}

namespace {

struct NameCategory {
  std::string_view name;  ///< also with `DeviceOperation` behind it
  OpCategory category;
};

constexpr OpCategory kC = OpCategory::kCompute;
constexpr OpCategory kM = OpCategory::kDm;
constexpr OpCategory kT = OpCategory::kTm;

constexpr NameCategory kKnown[] = {
    {"Accumulation", kC},
    {"AllGatherMatmul", kC},
    {"Binary", kC},
    {"BinaryNg", kC},
    {"Conv2d", kC},
    {"Embeddings", kC},
    {"GridSample", kC},
    {"GridSampleOperation", kC},
    {"GroupNorm", kC},
    {"IntImg", kC},
    {"LayerNorm", kC},
    {"Matmul", kC},
    {"MinimalMatmulOp", kC},
    {"OptimizedConvNew", kC},
    {"Pool2D", kC},
    {"Reduce", kC},
    {"RotaryEmbeddingLlama", kC},
    {"SDPAOperation", kC},
    {"ScaledDotProductAttention", kC},
    {"ScaledDotProductAttentionDecode", kC},
    {"Softmax", kC},
    {"Unary", kC},
    {"UpSample", kC},
    {"UpsampleOperation", kC},
    {"CloneOperation", kM},
    {"Copy", kM},
    {"Halo", kM},
    {"InterleavedToSharded", kM},
    {"InterleavedToShardedPartial", kM},
    {"Move", kM},
    {"PaddedSlice", kM},
    {"PagedUpdateCacheDeviceOperation", kM},
    {"ReduceScatter", kM},
    {"Reshard", kM},
    {"ShardedToInterleaved", kM},
    {"ShardedToInterleavedPartial", kM},
    {"SliceWrite", kM},
    {"Where", kM},
    {"Concat", kT},
    {"ConcatenateHeads", kT},
    {"CreateQKVHeadsDeviceOperation", kT},
    {"FillPad", kT},
    {"Fold", kT},
    {"NLPConcatHeads", kT},
    {"NLPConcatHeadsDecodeDeviceOperation", kT},
    {"NLPCreateHeadsDecodeDeviceOperation", kT},
    {"NlpCreateHeads", kT},
    {"PadDeviceOperation", kT},
    {"Permute", kT},
    {"Reshape", kT},
    {"Slice", kT},
    {"Split", kT},
    {"Ternary", kT},
    {"Tilize", kT},
    {"TilizeWithValPadding", kT},
    {"Transpose", kT},
    {"Typecast", kT},
    {"Untilize", kT},
    {"UntilizeWithUnpadding", kT},
    {"(torch)", OpCategory::kHost},
};

struct WordRule {
  std::string_view word;
  OpCategory category;
};

// Looked at in this order, for names that are not in the list.
constexpr WordRule kWords[] = {
    {"Matmul", kC},  {"Conv", kC},     {"SDPA", kC},      {"Sdpa", kC},    {"Attention", kC}, {"Norm", kC},
    {"Softmax", kC}, {"Pool", kC},     {"Embedding", kC}, {"Reduc", kC},   {"TopK", kC},      {"ArgMax", kC},
    {"Argmax", kC},  {"Sampling", kC}, {"Eltwise", kC},   {"Cumsum", kC},  {"Sort", kC},      {"Moe", kC},
    {"Heads", kT},   {"Tilize", kT},   {"Untilize", kT},  {"Reshape", kT}, {"Transpose", kT}, {"Permute", kT},
    {"Slice", kT},   {"Concat", kT},   {"Pad", kT},       {"Repeat", kT},  {"Typecast", kT},  {"Split", kT},
    {"Shard", kM},   {"Copy", kM},     {"Move", kM},      {"Cache", kM},   {"Halo", kM},      {"Fill", kM},
    {"Full", kM},    {"Gather", kM},   {"Scatter", kM},   {"Clone", kM},
};

constexpr std::string_view kCollectives[] = {"AllGather",    "ReduceScatter", "AllReduce",    "AllToAll",
                                             "AllBroadcast", "MeshPartition", "PointToPoint", "SendAsync",
                                             "RecvAsync",    "NeighborPad",   "SliceReshard", "ReduceToRoot"};

std::string_view first_word(std::string_view name) {
  const std::size_t start = name.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  name.remove_prefix(start);
  return name.substr(0, name.find_first_of(" \t"));
}

const NameCategory* find_known(std::string_view word) {
  constexpr std::string_view kSuffix = "DeviceOperation";
  const bool has_suffix =
      word.size() > kSuffix.size() && word.substr(word.size() - kSuffix.size()) == kSuffix;
  const std::string_view base = has_suffix ? word.substr(0, word.size() - kSuffix.size()) : word;
  for (const NameCategory& known : kKnown) {
    if (known.name == word || (has_suffix && known.name == base)) return &known;
  }
  return nullptr;
}

bool names_collective(std::string_view word) {
  return std::any_of(std::begin(kCollectives), std::end(kCollectives),
                     [&](std::string_view name) { return contains(word, name); });
}

}  // namespace

std::string_view key_of(CategoryBasis basis) {
  constexpr std::array<std::string_view, kCategoryBasisCount> kKeys = {
      "name",       "links",   "other_form", "other_place", "no_input_or_output",
      "no_compute", "compute", "tensors",    "nothing"};
  return kKeys[static_cast<std::size_t>(basis)];
}

bool is_multi_device_op(std::string_view op_name, std::string_view attributes) {
  const std::string_view word = first_word(op_name);
  // A slice of a mesh tensor that each device takes for itself.
  if (contains(word, "MeshPartition")) return false;
  if (names_collective(word)) return true;
  if (contains(attributes, "Topology::Ring") || contains(attributes, "Topology::Linear") ||
      contains(attributes, "Topology::Mesh") || contains(attributes, "Topology::Torus"))
    return true;
  const auto is_at_least = [&](std::string_view key, std::int64_t least) {
    const std::optional<std::int64_t> number = number_after_key(attributes, key);
    return number && *number >= least;
  };
  return is_at_least("'num_links': '", 1) || is_at_least("'ring_size': '", 2) ||
         is_at_least("'cluster_axis': '", 0);
}

std::optional<OpCategory> listed_category(std::string_view op_name) {
  const NameCategory* known = find_known(first_word(op_name));
  return known == nullptr ? std::nullopt : std::optional(known->category);
}

OpCategory category_of(std::string_view op_name) {
  if (contains(op_name, "(torch)")) return OpCategory::kHost;
  const std::string_view word = first_word(op_name);
  // A collective fused with a matmul or a convolution is compute: its links are hidden behind it.
  if (!contains(word, "Matmul") && !contains(word, "Conv")) {
    if (names_collective(word)) return OpCategory::kCcl;
  }
  if (const NameCategory* known = find_known(word)) return known->category;
  for (const WordRule& rule : kWords) {
    if (contains(word, rule.word)) return rule.category;
  }
  return OpCategory::kOther;
}

namespace {

/// Works out the facts of one kind.
class FactFinder {
 public:
  FactFinder(const OpsReport& table, const DevicePeaks& peaks, const FactOptions& options)
      : report_(table), peaks_(peaks), options_(options) {}

  KindFacts find(const OpKind& kind) {
    kind_ = &kind;
    facts_ = {};
    name_ = report_.text(kind.op_code);
    attributes_ = report_.text(kind.attributes);
    facts_.label = name_.empty() ? "(unnamed)" : name_;
    facts_.category = category_of(name_);
    facts_.is_host = contains(name_, "(torch)");
    facts_.is_multi_device = is_multi_device_op(name_, attributes_);
    facts_.cores = kind.core_count;
    facts_.peak_cores = kind.core_count;
    set_plain_fidelity();
    facts_.traffic = traffic_of(report_, kind, true);
    set_program_config();
    if (contains(name_, "Matmul")) {
      set_matmul();
    } else if (contains(name_, "OptimizedConvNew") || contains(name_, "Conv2d")) {
      set_conv();
    } else if (contains(name_, "HaloDeviceOperation") && !contains(name_, " w=")) {
      facts_.label += " " + halo_config(attributes_);
    }
    if (facts_.is_multi_device) {
      set_links(report_, kind, options_.device_count,
                input_bytes_per_device(report_, kind, facts_.product, true), facts_);
    }
    if (facts_.category == OpCategory::kOther) infer_category();
    return std::move(facts_);
  }

 private:
  std::string_view type_of(const OpTensor* tensor) const {
    return tensor == nullptr ? std::string_view{} : report_.text(tensor->datatype);
  }
  double bytes_of(const OpTensor& tensor) const { return tensor_bytes(report_, tensor, true); }
  bool is_in_dram(const OpTensor& tensor) const { return contains(report_.text(tensor.memory), "DRAM"); }

  void set_plain_fidelity();
  void set_math_fidelity();
  void set_program_config();
  void set_matmul();
  void set_conv();
  void infer_category();
  double matmul_batches(const OpTensor& in0, const OpTensor& in1, std::string& size) const;

  const OpsReport& report_;
  const DevicePeaks& peaks_;
  const FactOptions& options_;
  const OpKind* kind_ = nullptr;
  std::string_view name_;
  std::string_view attributes_;
  KindFacts facts_;
};

/// `BF16, BF16 => BF16`
void FactFinder::set_plain_fidelity() {
  const std::string_view in0 = type_of(report_.input(*kind_, 0));
  const std::string_view in1 = type_of(report_.input(*kind_, 1));
  const std::string_view out = type_of(report_.output(*kind_, 0));
  std::string& text = facts_.fidelity;
  text += short_datatype(in0);
  if (!in1.empty()) text.append(", ").append(short_datatype(in1));
  if (!out.empty()) text.append(" => ").append(short_datatype(out));
  if (in0.empty() && !text.empty() && text.front() == ' ') text.erase(0, 1);
}

/// `HiFi4 BF16 x BFP8 => BF16`
void FactFinder::set_math_fidelity() {
  const auto shown = [&](const OpTensor* tensor) {
    const std::string_view type = type_of(tensor);
    return type.empty() ? "?" : short_datatype(type);
  };
  const std::string_view fidelity = report_.text(kind_->math_fidelity);
  if (const auto types = matmul_types(report_, *kind_))
    facts_.fidelity_advice = judge_fidelity(fidelity, *types);
  facts_.fidelity = fidelity;
  if (fidelity.empty() || (kind_->input_count == 0 && kind_->output_count == 0)) return;
  facts_.fidelity = fmt::format("{} {} x {} => {}", fidelity, shown(report_.input(*kind_, 0)),
                                shown(report_.input(*kind_, 1)), shown(report_.output(*kind_, 0)));
}

/// A config under another name is one too: `'config': 'MinimalMatmulConfig(...)'`.
void FactFinder::set_program_config() {
  const std::optional<std::string_view> given = text_after_key(attributes_, "program_config': '", '\'');
  facts_.has_program_config = (given && *given != "std::nullopt" && !given->empty()) ||
                              contains(attributes_, "MinimalMatmulConfig") ||
                              contains(attributes_, "ProgramConfig(") ||
                              contains(attributes_, "in0_block_w=");
  if (!contains(attributes_, "program_config")) return;
  facts_.in0_block_w = number_after_key(attributes_, "in0_block_w=").value_or(-1);
  facts_.out_subblock_h = number_after_key(attributes_, "out_subblock_h=").value_or(-1);
  facts_.out_subblock_w = number_after_key(attributes_, "out_subblock_w=").value_or(-1);
}

/// What an op does whose name no list knows: without compute kernels it moves data; one tensor in and as much
/// out is the same data in another form.
void FactFinder::infer_category() {
  const auto decide = [&](OpCategory category, CategoryBasis basis) {
    facts_.category = category;
    facts_.category_basis = basis;
  };
  if (facts_.is_multi_device) return decide(OpCategory::kCcl, CategoryBasis::kLinks);
  const OpTensor* in0 = report_.input(*kind_, 0);
  const OpTensor* out = report_.output(*kind_, 0);
  const bool is_recorded = !options_.computing_kinds.empty();
  const bool computes =
      !is_recorded || options_.computing_kinds[static_cast<std::size_t>(kind_ - report_.kinds.data())];
  const CategoryBasis compute_basis = is_recorded ? CategoryBasis::kCompute : CategoryBasis::kTensors;
  if (in0 == nullptr && out == nullptr) {
    if (!is_recorded) return decide(OpCategory::kOther, CategoryBasis::kNothing);
    return computes ? decide(OpCategory::kCompute, CategoryBasis::kCompute)
                    : decide(OpCategory::kDm, CategoryBasis::kNoCompute);
  }
  if (in0 == nullptr || out == nullptr) return decide(OpCategory::kDm, CategoryBasis::kNoInputOrOutput);
  const auto elements = [](const OpTensor& tensor) {
    double product = 1;
    for (const std::int64_t size : tensor.padded) product *= static_cast<double>(size);
    return product;
  };
  const bool has_other_form =
      in0->padded != out->padded || in0->layout != out->layout || in0->datatype != out->datatype;
  const bool is_same_data = kind_->input_count == 1 && elements(*in0) == elements(*out);
  if (is_same_data && has_other_form) return decide(OpCategory::kTm, CategoryBasis::kOtherForm);
  if (!computes) return decide(OpCategory::kDm, CategoryBasis::kNoCompute);
  if (is_same_data && in0->memory != out->memory) return decide(OpCategory::kDm, CategoryBasis::kOtherPlace);
  decide(OpCategory::kCompute, compute_basis);
}

/// How many products of M x K x N there are. A sparse matmul computes only those of its active experts, which
/// the attributes name as `nnz`.
double FactFinder::matmul_batches(const OpTensor& in0, const OpTensor& in1, std::string& size) const {
  const std::int64_t batch = std::max(in0.padded[0], in1.padded[0]) * std::max(in0.padded[1], in1.padded[1]);
  if (contains(name_, "Sparse")) {
    const std::optional<std::int64_t> nnz = number_after_key(attributes_, "'nnz': '");
    const double active = nnz ? static_cast<double>(*nnz) : options_.active_experts;
    if (active > 0) {
      size = fmt::format("active={:.0f}/{} x ", active, batch);
      return active;
    }
    size = fmt::format("active=?/{} x ", batch);
    return kNoNumber;
  }
  if (batch > 1) size = fmt::format("b={{{}}} x ", batch);
  return static_cast<double>(batch);
}

void FactFinder::set_matmul() {
  facts_.is_matmul = true;
  facts_.is_minimal = contains(name_, "MinimalMatmul") || contains(attributes_, "MinimalMatmulConfig");
  set_math_fidelity();
  facts_.is_dram_sharded = contains(attributes_, "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig");
  if (facts_.is_dram_sharded && peaks_.dram_banks > 0) facts_.cores = facts_.peak_cores = peaks_.dram_banks;
  const OpTensor* in0 = report_.input(*kind_, 0);
  const OpTensor* in1 = report_.input(*kind_, 1);
  const OpTensor* out = report_.output(*kind_, 0);
  if (in0 == nullptr || in1 == nullptr || !in0->has_shape() || !in1->has_shape()) return;
  facts_.matmul_dram_bytes =
      (is_in_dram(*in0) ? bytes_of(*in0) : 0) + (is_in_dram(*in1) ? bytes_of(*in1) : 0);
  if (out != nullptr && is_in_dram(*out)) facts_.matmul_dram_bytes += bytes_of(*out);
  facts_.product = matmul_size(report_, *kind_);
  const auto [m, k, n] = facts_.product;
  std::string size;
  facts_.flops = static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n) *
                 matmul_batches(*in0, *in1, size) * 2;
  facts_.label += fmt::format(" {}{} x {} x {}", size, m, k, n);
}

void FactFinder::set_conv() {
  facts_.is_conv = true;
  set_math_fidelity();
  facts_.peak_cores = peaks_.worker_cores;
  const OpTensor* in0 = report_.input(*kind_, 0);
  const OpTensor* in1 = report_.input(*kind_, 1);
  const OpTensor* out = report_.output(*kind_, 0);
  const std::optional<KernelWindow> window = window_of(attributes_);
  if (in0 == nullptr || in1 == nullptr || out == nullptr || !window) return;
  if (!in0->has_shape() || !in1->has_shape() || !out->has_shape()) return;
  const double inner = static_cast<double>(in0->padded[3]) * static_cast<double>(window->height) *
                       static_cast<double>(window->width);
  facts_.flops = static_cast<double>(out->padded[2]) * inner * static_cast<double>(in1->padded[3]) * 2;
  facts_.label +=
      fmt::format(" {} x {:.0f} x {} {}", out->padded[2], inner, in1->padded[3], conv_config(attributes_));
}

}  // namespace

void set_links(const OpsReport& table, const OpKind& kind, std::uint32_t device_count, double input_bytes,
               KindFacts& facts) {
  const std::string_view name = table.text(kind.op_code);
  const std::string_view attributes = table.text(kind.attributes);
  const double told = devices_of_collective(table, kind);
  const auto all_devices = static_cast<double>(device_count);
  facts.link_devices = told <= all_devices ? told : 0;
  facts.cluster_axis = number_after_key(attributes, "'cluster_axis': '").value_or(-1);
  if (!(input_bytes > 0) || device_count < 2) return;
  CollectiveLinks links;
  links.input_bytes = input_bytes;
  links.devices = facts.link_devices > 0 ? facts.link_devices : all_devices;
  // The least that either topology needs, where none is named.
  links.is_ring = !contains(attributes, "Topology::Linear");
  facts.link_bytes = busiest_link_bytes(name, links);
  facts.link_hops = max_hops(name, links);
  if (const auto count = number_after_key(attributes, "'num_links': '"); count && *count > 0) {
    facts.links = static_cast<double>(*count);
  }
}

std::string_view short_datatype(std::string_view datatype) {
  if (datatype == "FLOAT32") return "FP32";
  if (datatype == "BFLOAT16") return "BF16";
  if (datatype == "BFLOAT8_B") return "BFP8";
  if (datatype == "BFLOAT4_B") return "BFP4";
  return datatype;
}

std::vector<KindFacts> find_facts(const OpsReport& table, const DevicePeaks& peaks,
                                  const FactOptions& options) {
  FactFinder finder(table, peaks, options);
  std::vector<KindFacts> facts;
  facts.reserve(table.kinds.size());
  for (const OpKind& kind : table.kinds) facts.push_back(finder.find(kind));
  return facts;
}

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

std::optional<MatmulTypes> matmul_types(const OpsReport& table, const OpKind& kind) {
  const OpTensor* in0 = table.input(kind, 0);
  const OpTensor* in1 = table.input(kind, 1);
  const OpTensor* out = table.output(kind, 0);
  if (in0 == nullptr || in1 == nullptr || out == nullptr) return std::nullopt;
  return MatmulTypes{table.text(in0->datatype), table.text(in1->datatype), table.text(out->datatype)};
}

FidelityAdvice judge_fidelity(std::string_view fidelity, const MatmulTypes& types) {
  if (is_integer(types[0]) || is_integer(types[1]) || is_integer(types[2])) {
    return {FidelityVerdict::kNotApplicable, Remark::kInteger};
  }
  const std::array<int, 3> bits = {mantissa_bits(types[0]), mantissa_bits(types[1]), mantissa_bits(types[2])};
  if (bits[0] == 0 || bits[1] == 0 || bits[2] == 0) return {};
  const bool has_fp32 = bits[0] == kFp32Bits || bits[1] == kFp32Bits;
  const FidelityRule* rule = has_fp32 ? &kFp32 : rule_for(bits[0], bits[1], bits[2]);
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
