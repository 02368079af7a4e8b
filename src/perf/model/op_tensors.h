#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// Sets a size, W to X, by its cell.
void set_size(OpTensor& tensor, std::size_t dimension, std::string_view cell);

/// The inputs or the outputs of an op at the end of the tensors of a report. Columns that say nothing behind
/// the last tensor are none; one between others keeps its place.
class TensorList {
 public:
  explicit TensorList(std::vector<OpTensor>& tensors)
      : tensors_(tensors), first_(tensors.size()), end_(tensors.size()) {}

  void add(const OpTensor& tensor);
  /// Drops what says nothing; how many are left.
  std::uint16_t finish();

 private:
  std::vector<OpTensor>& tensors_;
  std::size_t first_;
  std::size_t end_;
};

}  // namespace ttscope::perf
