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
  nodes_.connect(buffer_node(tensor.buffer_id, tensor.buffer), node);
  return node;
}

std::uint32_t Recorder::buffer_node(std::uint64_t buffer_id, const graph::GraphTraceBuilder::Buffer& buffer) {
  const auto known = buffer_nodes_.find(buffer_id);
  if (known != buffer_nodes_.end()) return known->second;
  const std::uint32_t node = nodes_.add_buffer(buffer, level());
  nodes_.connect(enclosing(), node);
  buffer_nodes_.emplace(buffer_id, node);
  return node;
}

void Recorder::allocate(std::uint64_t buffer_id, const graph::GraphTraceBuilder::Buffer& buffer,
                        std::uint64_t address) {
  const std::uint32_t its_buffer = buffer_node(buffer_id, buffer);
  const std::uint32_t node = nodes_.add_buffer_allocate(buffer, static_cast<std::int64_t>(address), level());
  nodes_.connect(enclosing(), node);
  nodes_.connect(node, its_buffer);
}

void Recorder::deallocate(std::uint64_t buffer_id, const graph::GraphTraceBuilder::Buffer& buffer,
                          std::uint64_t address) {
  const std::uint32_t its_buffer = buffer_node(buffer_id, buffer);
  const std::uint32_t node =
      nodes_.add_buffer_deallocate(buffer, static_cast<std::int64_t>(address), level());
  nodes_.connect(enclosing(), node);
  nodes_.connect(node, its_buffer);
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
  const std::uint32_t end = nodes_.add_capture_end();
  nodes_.connect(last_function_end_, end);  // node 0, the start, when nothing waits
  return nodes_.finish();
}

}  // namespace ttscope::sim
