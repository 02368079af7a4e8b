#include "perf/model/op_tensors.h"

#include "perf/model/cell_number.h"

namespace ttscope::perf {

void set_size(OpTensor& tensor, std::size_t dimension, std::string_view cell) {
  const CellSize size = cell_size(cell);
  tensor.padded[dimension] = size.padded;
  tensor.logical[dimension] = size.logical;
}

void TensorList::add(const OpTensor& tensor) {
  tensors_.push_back(tensor);
  if (tensor.is_present() || tensor.has_shape()) end_ = tensors_.size();
}

std::uint16_t TensorList::finish() {
  tensors_.resize(end_);
  return static_cast<std::uint16_t>(end_ - first_);
}

}  // namespace ttscope::perf
