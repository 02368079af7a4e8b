#pragma once

#include <string_view>

namespace ttscope::mem {

/// Whether a block header's flatbuffer type can be that of an op: `EltwiseUnaryOp` and `ttnn.neg` fit.
enum class TypeFit { kNo, kMaybe, kYes };
TypeFit fit_of(std::string_view op_name, std::string_view op_type);

}  // namespace ttscope::mem
