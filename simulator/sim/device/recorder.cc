#include "sim/device/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "sim/device/device_state.h"

namespace ttscope::sim {

Recorder::Recorder() { nodes_.add_capture_start(); }

void Recorder::begin_function(std::string_view name, std::span<const std::string> arguments,
                              std::span<const RecordedTensor> inputs) {
  const std::uint32_t parent = enclosing();
  const auto depth = static_cast<std::uint8_t>(std::min<std::size_t>(open_functions_.size() + 1, 255));
  const std::uint32_t node = nodes_.add_function_start(name, arguments, depth);
  if (last_function_end_ != 0) nodes_.connect(last_function_end_, node);
  last_function_end_ = 0;
  nodes_.connect(parent, node);
  open_functions_.push_back(node);

  std::vector<std::uint32_t> tensors;
  for (const RecordedTensor& input : inputs) {
    const std::uint32_t tensor = add_tensor(input);
    nodes_.connect(tensor, node);
    tensors.push_back(tensor);
  }
  nodes_.set_input_tensors(node, tensors);
}

void Recorder::end_function(std::string_view name, std::span<const RecordedTensor> outputs) {
  if (open_functions_.empty()) return;  // the capture began inside this function
  const std::uint32_t node = nodes_.add_function_end(name, 0, level());
  nodes_.connect(enclosing(), node);
  for (const RecordedTensor& output : outputs) nodes_.connect(node, add_tensor(output));
  open_functions_.pop_back();
  last_function_end_ = node;
}

std::uint32_t Recorder::add_tensor(const RecordedTensor& tensor) {
  const std::uint32_t node = nodes_.add_tensor(tensor.facts, level());
  nodes_.connect(buffer_node(tensor.buffer), node);
  return node;
}

std::uint32_t Recorder::buffer_node(const RecordedBuffer& buffer) {
  const auto known = buffers_.find(buffer.id);
  if (known != buffers_.end()) return known->second.node;
  const std::uint32_t node = nodes_.add_buffer(buffer.facts, level());
  nodes_.connect(enclosing(), node);
  buffers_.emplace(buffer.id, SeenBuffer{node, buffer.owner});
  return node;
}

void Recorder::allocate(const RecordedBuffer& buffer, std::uint64_t address) {
  const std::uint32_t its_buffer = buffer_node(buffer);
  const std::uint32_t node =
      nodes_.add_buffer_allocate(buffer.facts, static_cast<std::int64_t>(address), level());
  nodes_.connect(enclosing(), node);
  nodes_.connect(node, its_buffer);
}

void Recorder::deallocate(const RecordedBuffer& buffer, std::uint64_t address) {
  const std::uint32_t its_buffer = buffer_node(buffer);
  const std::uint32_t node =
      nodes_.add_buffer_deallocate(buffer.facts, static_cast<std::int64_t>(address), level());
  nodes_.connect(enclosing(), node);
  nodes_.connect(node, its_buffer);
}

void Recorder::note_device(const graph::GraphDevice& device) {
  const bool is_known = std::find(devices_.begin(), devices_.end(), device) != devices_.end();
  if (!is_known) devices_.push_back(device);
}

void Recorder::allocate_circular_buffer(const graph::GraphTraceBuilder::ProgramBuffer& buffer) {
  nodes_.connect(enclosing(),
                 nodes_.add_program_buffer(graph::NodeKind::kCircularBufferAllocate, buffer, level()));
}

void Recorder::deallocate_program_buffers(std::int64_t device_id) {
  const std::uint32_t node = nodes_.add_deallocate_all(device_id, level());
  nodes_.connect(enclosing(), node);
  nodes_.connect(node, enclosing());
}

graph::GraphTrace Recorder::finish() {
  for (const auto& [id, seen] : buffers_) {
    if (!seen.owner) continue;
    nodes_.label_buffer(seen.node, static_cast<std::int64_t>(id), name_of(seen.owner->kind),
                        seen.owner->name);
  }
  const std::uint32_t end = nodes_.add_capture_end();
  nodes_.connect(last_function_end_, end);  // node 0, the start, when nothing waits
  graph::GraphTrace trace = nodes_.finish();
  trace.devices = std::move(devices_);
  return trace;
}

CaptureStack& CaptureStack::current() {
  static thread_local CaptureStack stack;
  return stack;
}

std::uint64_t CaptureStack::begin(RunMode mode) {
  static std::atomic<std::uint64_t> last_number{0};
  captures_.push_back({++last_number, mode, std::make_unique<Recorder>()});
  return captures_.back().number;
}

graph::GraphTrace CaptureStack::end(std::uint64_t capture) {
  const auto found = std::find_if(captures_.begin(), captures_.end(),
                                  [capture](const Capture& each) { return each.number == capture; });
  if (found == captures_.end()) return Recorder().finish();
  const std::unique_ptr<Recorder> recorder = std::move(found->recorder);
  captures_.erase(found);
  return recorder->finish();
}

void CaptureStack::for_each(const std::function<void(Recorder&)>& tell) {
  for (Capture& each : captures_) tell(*each.recorder);
}

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
  device.arch = architecture_of(spec.arch).runtime_name;
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
