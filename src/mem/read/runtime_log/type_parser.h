#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mem/model/tensor_type.h"

namespace ttscope::mem {

/// Reads one type of an op line (or of a module, once its aliases are written out):
///   tensor<1x197x768xf32, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 224 + d1, d2), <1x1>,
///     memref<7x24x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>
/// Layouts of every age are understood (`#tt.layout`, `ttnn_nd_layout`, grids with a map inside, `exactGrid`,
/// core ranges). Returns false, with `type.is_tensor` telling why, when the text is a tensor that cannot be
/// read; other types
/// (`!ttnn.device`) are read as non-tensors. `type.text` is not set.
bool parse_type(std::string_view text, TensorType& type);

/// Reads `1x32x4x` prefixes: dims up to the element; advances `text` past them. A `?` is -1.
std::vector<std::int64_t> take_dims(std::string_view& text);

}  // namespace ttscope::mem
