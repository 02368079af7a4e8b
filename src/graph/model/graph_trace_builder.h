#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// Makes a GraphTrace node by node, in memory. Nodes are numbered from 0; edges may be added at any time, in
/// any order, and keep their order of addition for each node. Which nodes and edges an operation has is the
/// caller's business. Not thread safe.
class GraphTraceBuilder {
 public:
  /// A buffer as the nodes give it; all nine values of buffer_allocate and buffer_deallocate.
  struct Buffer {
    std::int64_t size_bytes = 0;
    std::int64_t max_size_per_bank_bytes = 0;
    std::int64_t page_size_bytes = 0;
    std::int64_t num_cores = 0;
    std::int64_t device_id = 0;
    std::int64_t buffer_type = 0;  ///< 0 DRAM, 1 L1, 2 SYSTEM_MEMORY, 3 L1_SMALL, 4 TRACE
    std::string_view layout = "INTERLEAVED";
  };
  struct ProgramBuffer {
    std::int64_t size_bytes = 0;
    std::int64_t address = 0;
    std::int64_t device_id = 0;
    std::string_view core_ranges;
    bool borrowed = false;
  };
  struct Tensor {
    std::int64_t tensor_id = 0;
    std::int64_t address = kNotRecorded;
    std::int64_t size_bytes = 0;
    std::int64_t device_id = kNotRecorded;
    std::int64_t buffer_type = kNotRecorded;
    std::string_view shape;
    std::string_view dtype;
    std::string_view layout;
    std::string_view memory_config;
  };

  std::uint32_t add_capture_start();
  std::uint32_t add_capture_end(std::int64_t duration_ns = 0);
  std::uint32_t add_function_start(std::string_view name, std::span<const std::string> arguments,
                                   std::uint8_t level);
  /// Counters of the tensor nodes that are its inputs; once for each function_start, after all of them are
  /// added.
  void set_input_tensors(std::uint32_t function_start, std::span<const std::uint32_t> tensors);
  std::uint32_t add_function_end(std::string_view name, std::int64_t duration_ns, std::uint8_t level);
  std::uint32_t add_tensor(const Tensor& tensor, std::uint8_t level);
  std::uint32_t add_buffer(const Buffer& buffer, std::uint8_t level);
  /// Whose buffer a node of add_buffer is; at most once for each, in any order.
  void label_buffer(std::uint32_t node, std::int64_t buffer_id, std::string_view kind, std::string_view name);
  std::uint32_t add_buffer_allocate(const Buffer& buffer, std::int64_t address, std::uint8_t level);
  std::uint32_t add_buffer_deallocate(const Buffer& buffer, std::int64_t address, std::uint8_t level);
  /// kCircularBufferAllocate, kDataflowBufferAllocate or kScratchpadAllocate.
  std::uint32_t add_program_buffer(NodeKind kind, const ProgramBuffer& buffer, std::uint8_t level);
  std::uint32_t add_deallocate_all(std::int64_t device_id, std::uint8_t level);
  void connect(std::uint32_t from, std::uint32_t to) { edges_.emplace_back(from, to); }

  std::uint32_t size() const { return trace_.size(); }
  /// The capture; the builder is empty afterwards.
  GraphTrace finish();

 private:
  std::uint32_t add_node(NodeKind kind, std::uint32_t detail, std::uint8_t level);
  std::uint32_t buffer_facts_id(const Buffer& buffer, bool as_event);
  std::uint32_t add_buffer_event(NodeKind kind, const Buffer& buffer, std::int64_t address,
                                 std::uint8_t level);

  GraphTrace trace_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

}  // namespace ttscope::graph
