#include "perf/analyse/ops/op_category.h"

#include <algorithm>
#include <array>

#include "base/text_search.h"
#include "perf/analyse/ops/attributes.h"

namespace ttscope::perf {
namespace {

struct KnownName {
  std::string_view name;  ///< also with `DeviceOperation` behind it
  OpCategory category;
};

constexpr OpCategory kC = OpCategory::kCompute;
constexpr OpCategory kM = OpCategory::kDm;
constexpr OpCategory kT = OpCategory::kTm;

constexpr KnownName kKnown[] = {
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

const KnownName* find_known(std::string_view word) {
  constexpr std::string_view kSuffix = "DeviceOperation";
  const bool has_suffix =
      word.size() > kSuffix.size() && word.substr(word.size() - kSuffix.size()) == kSuffix;
  const std::string_view base = has_suffix ? word.substr(0, word.size() - kSuffix.size()) : word;
  for (const KnownName& known : kKnown) {
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

bool meets_other_devices(std::string_view op_name, std::string_view attributes) {
  const std::string_view word = first_word(op_name);
  // A slice of a mesh tensor that each device takes for itself.
  if (contains(word, "MeshPartition")) return false;
  if (names_collective(word)) return true;
  if (contains(attributes, "Topology::Ring") || contains(attributes, "Topology::Linear") ||
      contains(attributes, "Topology::Mesh") || contains(attributes, "Topology::Torus"))
    return true;
  const auto is_at_least = [&](std::string_view key, std::int64_t least) {
    const std::optional<std::int64_t> number = number_behind(attributes, key);
    return number && *number >= least;
  };
  return is_at_least("'num_links': '", 1) || is_at_least("'ring_size': '", 2) ||
         is_at_least("'cluster_axis': '", 0);
}

OpCategory compat_category_of(std::string_view op_name) {
  const KnownName* known = find_known(first_word(op_name));
  return known == nullptr ? OpCategory::kOther : known->category;
}

OpCategory category_of(std::string_view op_name) {
  if (contains(op_name, "(torch)")) return OpCategory::kHost;
  const std::string_view word = first_word(op_name);
  // A collective fused with a matmul or a convolution is compute: its links are hidden behind it.
  if (!contains(word, "Matmul") && !contains(word, "Conv")) {
    if (names_collective(word)) return OpCategory::kCcl;
  }
  if (const KnownName* known = find_known(word)) return known->category;
  for (const WordRule& rule : kWords) {
    if (contains(word, rule.word)) return rule.category;
  }
  return OpCategory::kOther;
}

}  // namespace ttscope::perf
