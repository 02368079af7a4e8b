#include "sim/device/op_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ttscope::sim {

TensorSpec spec_like(const Tensor& tensor, const Shape& shape) {
  TensorSpec spec = tensor.spec();
  if (shape != spec.shape && spec.memory.layout != BufferLayout::kInterleaved) {
    spec.memory = {spec.memory.type, BufferLayout::kInterleaved,
                   std::nullopt};  // the shards fit the old shape only
  }
  spec.shape = shape;
  return spec;
}

Shape broadcast_shape(std::string_view op, const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.rank(), b.rank());
  std::vector<std::uint32_t> dims(rank, 1);
  for (std::size_t i = 0; i < rank; ++i) {
    const int from_end = -static_cast<int>(i) - 1;
    const std::uint32_t of_a = i < a.rank() ? a[from_end] : 1;
    const std::uint32_t of_b = i < b.rank() ? b[from_end] : 1;
    if (of_a != of_b && of_a != 1 && of_b != 1) {
      throw std::invalid_argument(fmt::format("{}: {} and {} cannot be broadcast", op, a.text(), b.text()));
    }
    dims[rank - 1 - i] = std::max(of_a, of_b);
  }
  return Shape(std::move(dims));
}

void require(bool holds, std::string_view op, std::string_view what) {
  if (!holds) throw std::invalid_argument(fmt::format("{}: {}", op, what));
}

}  // namespace ttscope::sim
