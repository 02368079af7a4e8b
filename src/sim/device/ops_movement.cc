// Declared in include/ttscope/ops.h.
#include <fmt/format.h>

#include <stdexcept>

#include <ttscope/memory_owner.h>
#include <ttscope/ops.h>
#include "sim/device/op_run.h"
#include "sim/device/op_shapes.h"
#include "sim/device/tensor_pages.h"

namespace ttscope::sim {
namespace {

/// Tiles keep their content and order when only leading dimensions are regrouped.
bool is_view(const Tensor& tensor, const Shape& shape) {
  if (tensor.layout() == Layout::kRowMajor) return tensor.shape()[-1] == shape[-1];
  if (tensor.shape().rank() < 2 || shape.rank() < 2 || tensor.shape()[-1] != shape[-1]) return false;
  const bool whole_tiles = tensor.shape()[-2] % kTileSide == 0 && shape[-2] % kTileSide == 0;
  return whole_tiles || tensor.shape()[-2] == shape[-2];
}

std::string shape_argument(const Shape& shape) { return "shape=" + shape.text(); }

}  // namespace

Tensor empty(const Device& device, const TensorSpec& spec) { return create_device_tensor(device, spec); }

Tensor full(const Device& device, const TensorSpec& spec) {
  Tensor tensor = create_device_tensor(device, spec);
  run_op({"FullDeviceOperation", "", {tensor}, {}, {tensor}, OpKind::kCopy});
  return tensor;
}

Tensor full_like(const Tensor& tensor) { return full(tensor.device(), tensor.spec()); }

Tensor from_host(const Device& device, const TensorSpec& spec) {
  const OwnerScope input(MemoryKind::kInput);
  return create_device_tensor(device, spec);
}

Tensor to_memory_config(const Tensor& tensor, const MemoryConfig& memory) {
  if (tensor.spec().memory == memory) return tensor;
  TensorSpec spec = tensor.spec();
  spec.memory = memory;
  return run_single({"CopyDeviceOperation", "to_memory_config", {tensor}, {spec}, {}, OpKind::kCopy});
}

Tensor to_layout(const Tensor& tensor, Layout layout) {
  if (tensor.layout() == layout) return tensor;
  TensorSpec spec = tensor.spec();
  spec.layout = layout;
  const std::string_view name = layout == Layout::kTile ? "TilizeDeviceOperation" : "UntilizeDeviceOperation";
  return run_single({name, "", {tensor}, {spec}, {}, OpKind::kCopy});
}

Tensor typecast(const Tensor& tensor, DataType dtype) {
  if (tensor.dtype() == dtype) return tensor;
  TensorSpec spec = tensor.spec();
  spec.dtype = dtype;
  return run_single({"TypecastDeviceOperation",
                     fmt::format("dtype={}", name_of(dtype)),
                     {tensor},
                     {spec},
                     {},
                     OpKind::kCopy});
}

Tensor reshape(const Tensor& tensor, const Shape& shape) {
  require(tensor.shape().volume() == shape.volume(), "reshape",
          fmt::format("{} and {} have different numbers of elements", tensor.shape().text(), shape.text()));
  if (tensor.shape() == shape) return tensor;
  const TensorSpec spec = spec_like(tensor, shape);
  if (is_view(tensor, shape)) return view_of(tensor, spec);
  return run_single(
      {"ReshapeViewDeviceOperation", shape_argument(shape), {tensor}, {spec}, {}, OpKind::kCopy});
}

Tensor transpose(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  require(shape.rank() >= 2, "transpose", "needs two dimensions");
  const Shape swapped = shape.with(-1, shape[-2]).with(-2, shape[-1]);
  return run_single({"TransposeDeviceOperation",
                     "dim1=-2, dim2=-1",
                     {tensor},
                     {spec_like(tensor, swapped)},
                     {},
                     OpKind::kCopy});
}

Tensor concat(const std::vector<Tensor>& tensors, int dim) {
  require(!tensors.empty(), "concat", "no tensors");
  std::uint32_t size = 0;
  for (const Tensor& tensor : tensors) {
    require(tensor.shape().with(dim, 1) == tensors.front().shape().with(dim, 1), "concat",
            "the shapes differ in another dimension");
    size += tensor.shape()[dim];
  }
  const Shape shape = tensors.front().shape().with(dim, size);
  return run_single({"ConcatDeviceOperation",
                     fmt::format("dim={}", dim),
                     tensors,
                     {spec_like(tensors.front(), shape)},
                     {},
                     OpKind::kCopy});
}

Tensor slice(const Tensor& tensor, int dim, std::uint32_t begin, std::uint32_t end) {
  require(begin < end && end <= tensor.shape()[dim], "slice",
          fmt::format("{} to {} is no part of {}", begin, end, tensor.shape().text()));
  const TensorSpec spec = spec_like(tensor, tensor.shape().with(dim, end - begin));
  return run_single({"SliceDeviceOperation",
                     fmt::format("dim={}, begin={}, end={}", dim, begin, end),
                     {tensor},
                     {spec},
                     {},
                     OpKind::kCopy});
}

Tensor repeat(const Tensor& tensor, const Shape& times) {
  require(times.rank() == tensor.shape().rank(), "repeat", "needs a number for each dimension");
  std::vector<std::uint32_t> dims = tensor.shape().dims();
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] *= times.dims()[i];
  const TensorSpec spec = spec_like(tensor, Shape(std::move(dims)));
  return run_single({"RepeatDeviceOperation", shape_argument(times), {tensor}, {spec}, {}, OpKind::kCopy});
}

Tensor all_gather(const Tensor& tensor, int dim, std::uint32_t chips) {
  require(chips > 0, "all_gather", "needs at least one chip");
  const TensorSpec spec = spec_like(tensor, tensor.shape().with(dim, tensor.shape()[dim] * chips));
  return run_single({"AllGatherDeviceOperation",
                     fmt::format("dim={}, ring_size={}", dim, chips),
                     {tensor},
                     {spec},
                     {},
                     OpKind::kCollective});
}

Tensor reduce_scatter(const Tensor& tensor, int dim, std::uint32_t chips) {
  const std::uint32_t size = tensor.shape()[dim];
  require(chips > 0 && size % chips == 0, "reduce_scatter",
          fmt::format("dimension {} of {} is not divisible by {} chips", dim, tensor.shape().text(), chips));
  const TensorSpec spec = spec_like(tensor, tensor.shape().with(dim, size / chips));
  // What arrives from the neighbours is summed up beside the input.
  const Tensor arriving = create_device_tensor(tensor.device(), tensor.spec());
  return run_single({"ReduceScatterDeviceOperation",
                     fmt::format("dim={}, ring_size={}", dim, chips),
                     {tensor, arriving},
                     {spec},
                     {},
                     OpKind::kCollective});
}

Tensor all_reduce(const Tensor& tensor, std::uint32_t chips) {
  require(chips > 0, "all_reduce", "needs at least one chip");
  if (chips == 1) return tensor;
  const auto rank = static_cast<int>(tensor.shape().rank());
  for (int dim = 0; dim < rank; ++dim) {
    const std::uint32_t step = dim + 2 >= rank ? chips * kTileSide : chips;
    if (tensor.shape()[dim] % step == 0) return all_gather(reduce_scatter(tensor, dim, chips), dim, chips);
  }
  // Nothing can be divided: every chip gets all copies and adds them up.
  const Shape outer = Shape([&] {
    std::vector<std::uint32_t> dims{1};
    dims.insert(dims.end(), tensor.shape().dims().begin(), tensor.shape().dims().end());
    return dims;
  }());
  return reshape(sum(all_gather(reshape(tensor, outer), 0, chips), {0}), tensor.shape());
}

}  // namespace ttscope::sim
