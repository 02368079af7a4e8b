// Names of the flatbuffer op types that memory block headers print, against the MLIR names of op lines.
#include "mem/model/op_type_fit.h"

#include <array>
#include <utility>

namespace ttscope::mem {
namespace {

/// Types that stand for several ops; all others are the op's own name in camel case with `Op` behind it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kGroups = {{
    {"EltwiseBinaryOp",
     " add multiply subtract divide eq ne ge gt le lt logical_and logical_or logical_xor "
     "logical_right_shift "},
    {"EltwiseBinaryCompositeOp",
     " maximum minimum remainder atan2 bitwise_and bitwise_or bitwise_xor logical_left_shift pow_tensor "
     "pow "},
    {"EltwiseBinaryCompositeScalarOp", " pow_scalar "},
    {"EltwiseUnaryOp",
     " abs floor isfinite logical_not bitwise_not neg relu relu6 sqrt rsqrt sign exp erf erfc log expm1 "
     "sigmoid "
     "hardsigmoid silu mish reciprocal leaky_relu ceil cos sin gelu tan tanh asin asinh acos atan "},
    {"EltwiseUnaryCompositeOp", " cbrt log1p clamp_scalar clamp_tensor "},
    {"EltwiseTernaryWhereOp", " where "},
    {"EltwiseQuantizationOp", " quantize dequantize requantize "},
    {"ReductionOp", " sum mean max min "},
    {"ReductionArgMaxOp", " argmax "},
    {"ReductionProdOp", " prod "},
    {"NamedFullOp", " zeros ones "},
    {"SliceOp", " slice slice_static slice_dynamic "},
    {"Pool2dOp", " avg_pool2d max_pool2d "},
}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// `rms_norm` and `RMSNorm` are equal: case and underscores do not count.
bool same_letters(std::string_view snake, std::string_view camel) {
  std::size_t at = 0;
  for (const char c : snake) {
    if (c == '_') continue;
    if (at == camel.size() || lower(camel[at]) != lower(c)) return false;
    ++at;
  }
  return at == camel.size();
}

bool is_one_of_a_kind(std::string_view type) {
  return type == "DeallocateOp" || type == "GetDeviceOp" || type == "LoadCachedOp";
}

bool is_word_of(std::string_view word, std::string_view list) {
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    if (list[at - 1] == ' ' && list[at + word.size()] == ' ') return true;
  }
  return false;
}

}  // namespace

TypeFit fit_of(std::string_view op_name, std::string_view op_type) {
  const std::size_t dot = op_name.find('.');
  const std::string_view name = dot == std::string_view::npos ? op_name : op_name.substr(dot + 1);
  if (name.empty() || op_type.size() < 2) return TypeFit::kMaybe;
  if (same_letters(name, op_type.substr(0, op_type.size() - 2))) return TypeFit::kYes;
  if (is_one_of_a_kind(op_type) || name == "deallocate" || name == "get_device" || name == "load_cached")
    return TypeFit::kNo;
  for (const auto& [type, names] : kGroups) {
    const bool is_named = is_word_of(name, names);
    if (type == op_type)
      return is_named ? TypeFit::kYes : TypeFit::kMaybe;  // the runtime regroups ops now and then
  }
  return TypeFit::kMaybe;
}

}  // namespace ttscope::mem
