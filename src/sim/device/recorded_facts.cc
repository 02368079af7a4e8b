#include "sim/device/recorded_facts.h"

#include <fmt/format.h>

#include "sim/device/device_state.h"

namespace ttscope::sim {

RecordedBuffer recorded_buffer(const Buffer& buffer) {
  const BufferRequest& request = buffer.request();
  RecordedBuffer recorded;
  recorded.id = buffer.id();
  recorded.owner = buffer.owner();
  graph::GraphTraceBuilder::Buffer& facts = recorded.facts;
  facts.size_bytes = static_cast<std::int64_t>(request.size_bytes);
  facts.max_size_per_bank_bytes = static_cast<std::int64_t>(buffer.share().bytes_per_bank);
  facts.page_size_bytes = static_cast<std::int64_t>(request.page_bytes);
  facts.num_cores = request.layout == BufferLayout::kInterleaved ? 0 : request.shard_cores;
  facts.device_id = kMeshId;
  facts.buffer_type = static_cast<std::int64_t>(request.type);
  facts.layout = name_of(request.layout);
  return recorded;
}

graph::GraphDevice recorded_device(const DeviceSpec& spec) {
  graph::GraphDevice device;
  const auto bytes = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  device.device_id = kMeshId;
  device.num_y_cores = spec.grid_y;
  device.num_x_cores = spec.grid_x;
  device.worker_l1_size_bytes = bytes(spec.l1_bytes_per_core);
  device.l1_num_banks = spec.l1_banks();
  device.l1_bank_size_bytes = bytes(spec.l1_usable_bytes_per_core());
  device.first_l1_bank_address = 0;
  device.first_l1_cb_address = bytes(spec.l1_base_address);
  device.num_dram_channels = spec.dram_banks;
  device.dram_size_per_channel_bytes = bytes(spec.dram_bank_bytes);
  device.cb_limit_bytes = bytes(spec.l1_bytes_per_core - spec.l1_base_address);
  device.arch = spec.arch == Arch::kWormhole ? "wormhole_b0" : "blackhole";
  return device;
}

TensorText::TensorText(const Tensor& tensor)
    : shape(tensor.shape().text()),
      dtype(fmt::format("DataType::{}", name_of(tensor.dtype()))),
      layout(fmt::format("Layout::{}", name_of(tensor.layout()))),
      memory(tensor.spec().memory.text()) {
  const Buffer& buffer = *tensor.state().buffer;
  graph::GraphTraceBuilder::Tensor& facts = recorded.facts;
  facts.tensor_id = static_cast<std::int64_t>(tensor.id());
  facts.address = static_cast<std::int64_t>(buffer.address());
  facts.size_bytes = static_cast<std::int64_t>(tensor.spec().stored_bytes());
  facts.device_id = kMeshId;
  facts.buffer_type = static_cast<std::int64_t>(buffer.request().type);
  facts.shape = shape;
  facts.dtype = dtype;
  facts.layout = layout;
  facts.memory_config = memory;
  recorded.buffer = recorded_buffer(buffer);
}

}  // namespace ttscope::sim
