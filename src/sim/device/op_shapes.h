#pragma once

#include <string_view>

#include <ttscope/tensor.h>

namespace ttscope::sim {

/// The input's form with another shape.
TensorSpec spec_like(const Tensor& tensor, const Shape& shape);
/// Shape of an elementwise result; throws std::invalid_argument naming the operation.
Shape broadcast_shape(std::string_view op, const Shape& a, const Shape& b);
/// Throws std::invalid_argument with this text when it does not hold.
void require(bool holds, std::string_view op, std::string_view what);

}  // namespace ttscope::sim
