#include "sim/device/recorder.h"

#include <algorithm>

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

}  // namespace ttscope::sim
