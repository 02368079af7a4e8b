#pragma once

#include <string>

#include <ttscope/tensor.h>
#include "sim/device/recorder.h"

namespace ttscope::sim {

/// What captures say of a buffer.
RecordedBuffer recorded_buffer(const Buffer& buffer);
/// What captures say of a device, under the id that buffers name.
graph::GraphDevice recorded_device(const DeviceSpec& spec);

/// What captures say of a tensor, with the texts that the facts refer to; do not move it.
struct TensorText {
  explicit TensorText(const Tensor& tensor);
  TensorText(const TensorText&) = delete;
  TensorText& operator=(const TensorText&) = delete;

  std::string shape;
  std::string dtype;
  std::string layout;
  std::string memory;
  RecordedTensor recorded;
};

}  // namespace ttscope::sim
