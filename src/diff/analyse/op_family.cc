#include "diff/analyse/op_family.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ttscope::diff {
namespace {

struct Family {
  std::string_view name;
  std::string_view members;  ///< in lower case without underscores, with blanks around each
};

constexpr std::array kFamilies = {
    Family{"matmul", " linear "},
    Family{"embedding", " embeddings "},
    Family{"binary",
           " binaryng add subtract multiply divide maximum minimum eq ne gt ge lt le logicaland logicalor "
           "logicalxor bitwiseand bitwiseor bitwisexor pow powtensor powscalar remainder atan2 "},
    Family{
        "unary",
        " neg exp gelu silu relu relu6 leakyrelu sigmoid hardsigmoid tanh sqrt rsqrt reciprocal sin cos tan "
        "log log1p expm1 abs erf erfc floor ceil sign isfinite logicalnot bitwisenot cbrt atan mish clamp "
        "clampscalar "},
    Family{"norm", " layernorm rmsnorm groupnorm batchnorm "},
    Family{"reshape", " reshapeview view "},
    Family{"permute", " transpose "},
    Family{"layout", " tolayout tilize tilizewithvalpadding untilize untilizewithunpadding "},
    Family{"memory", " tomemoryconfig interleavedtosharded shardedtointerleaved reshard copy move clone "},
    Family{"attention", " scaleddotproductattention scaleddotproductattentiondecode sdpa sdpadecode "},
    Family{"split_heads",
           " splitquerykeyvalueandsplitheads nlpcreateheads nlpcreateqkvheads nlpcreateqkvheadsdecode "
           "nlpcreateheadsdecode createqkvheads "},
    Family{"join_heads", " concatenateheads nlpconcatheads nlpconcatheadsdecode "},
    Family{"update_cache", " updatecache pagedupdatecache pagedfusedupdatecache "},
    Family{"fill_cache", " fillcache pagedfillcache "},
    Family{"reduce", " sum mean max min prod "},
    Family{"pool", " maxpool2d avgpool2d pool2d globalavgpool2d "},
    Family{"slice", " slicestatic slicedynamic "},
    Family{"fill", " full ones zeros fulllike "},
    Family{"rotary", " rotaryembedding rotaryembeddingllama rotaryembeddingfused "},
};

/// `ttnn.reduce_scatter`, `ReduceScatterDeviceOperation`: `reducescatter`.
std::string plain_name(std::string_view op) {
  if (const std::size_t dot = op.rfind('.'); dot != std::string_view::npos) op.remove_prefix(dot + 1);
  for (const std::string_view ending : {"DeviceOperation", "Operation"}) {
    if (op.size() > ending.size() && op.ends_with(ending)) op.remove_suffix(ending.size());
  }
  std::string plain;
  for (const char c : op) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

}  // namespace

std::string op_family(std::string_view op) {
  std::string plain = plain_name(op);
  const std::string word = " " + plain + " ";
  const auto found = std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family& family) {
    return family.members.find(word) != std::string_view::npos;
  });
  return found == kFamilies.end() ? plain : std::string(found->name);
}

}  // namespace ttscope::diff
