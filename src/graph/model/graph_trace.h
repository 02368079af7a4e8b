#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/string_pool.h"

namespace ttscope::graph {

/// A number or text that the capture does not give.
inline constexpr int kNotRecorded = -1;

/// A device as a report or a capture of ours describes it; kNotRecorded where it does not say.
struct GraphDevice {
  std::int64_t device_id = kNotRecorded;
  std::int64_t num_y_cores = kNotRecorded;
  std::int64_t num_x_cores = kNotRecorded;
  std::int64_t worker_l1_size_bytes = kNotRecorded;
  std::int64_t l1_num_banks = kNotRecorded;
  std::int64_t l1_bank_size_bytes = kNotRecorded;
  std::int64_t first_l1_bank_address = kNotRecorded;
  std::int64_t first_l1_cb_address = kNotRecorded;
  std::int64_t num_dram_channels = kNotRecorded;
  std::int64_t dram_size_per_channel_bytes = kNotRecorded;
  std::int64_t cb_limit_bytes = kNotRecorded;
  std::string arch;
  bool operator==(const GraphDevice&) const = default;
};

/// What a node of a graph capture records (docs/formats/graph_trace.md).
enum class NodeKind : std::uint8_t {
  kCaptureStart,
  kCaptureEnd,
  kFunctionStart,
  kFunctionEnd,
  kTensor,
  kBuffer,
  kBufferAllocate,
  kBufferDeallocate,
  kCircularBufferAllocate,
  kDataflowBufferAllocate,
  kScratchpadAllocate,
  kDeallocateAll,  ///< `circular_buffer_deallocate_all`
  kError,
  kOther,  ///< a type this program does not know
};

/// `function_start` and so on; empty for kOther.
std::string_view node_type_text(NodeKind kind);
NodeKind node_kind_of(std::string_view node_type);

/// What buffer, buffer_allocate and buffer_deallocate nodes say of a buffer, without its address. The texts
/// are ids in GraphTrace::texts. Sizes of one device.
struct BufferFacts {
  std::int64_t size_bytes = kNotRecorded;  ///< whole buffer: pages x unaligned page size
  std::int64_t max_size_per_bank_bytes = kNotRecorded;
  std::int64_t page_size_bytes = kNotRecorded;
  std::int64_t num_cores = kNotRecorded;  ///< 0: interleaved
  std::int64_t device_id = kNotRecorded;  ///< of the mesh
  std::int64_t buffer_type = kNotRecorded;
  /// Banks of the DRAM of its device, where the file describes that; of interleaved buffers in DRAM alone.
  std::int64_t dram_banks = kNotRecorded;
  std::uint32_t type = kNone;    ///< `DRAM` or `L1`
  std::uint32_t layout = kNone;  ///< `INTERLEAVED`, `HEIGHT_SHARDED`, ...
  bool in_dram = false;          ///< the type is `DRAM`
  bool operator==(const BufferFacts&) const = default;
};

/// What circular-buffer, dataflow-buffer and scratchpad nodes say, without the address.
struct ProgramBufferFacts {
  std::int64_t size_bytes = kNotRecorded;  ///< on each of its cores
  std::int64_t device_id = kNotRecorded;
  std::uint32_t core_ranges = kNone;  ///< `{[0-0 - 7-7]}`
  /// `globally_allocated` or `borrows_memory`: it lies in memory that another node accounts for.
  std::optional<bool> borrowed;
  bool operator==(const ProgramBufferFacts&) const = default;
};

/// Whose memory a buffer is, where the capture says it: those of the simulated device do, ttnn's do not.
struct BufferLabel {
  std::uint32_t node = 0;                 ///< a kBuffer node
  std::int64_t buffer_id = kNotRecorded;  ///< the same in all segments, also where addresses are 0
  std::uint32_t kind = kNone;             ///< in texts: `weight`, `gradient`, `moment`, `activation`, ...
  std::uint32_t name = kNone;             ///< in texts: `layers.0.mlp.w1/weight`
};

struct TensorFacts {
  std::int64_t size_bytes = kNotRecorded;
  std::int64_t device_id = kNotRecorded;
  std::int64_t buffer_type = kNotRecorded;
  std::uint32_t shape = kNone;
  std::uint32_t dtype = kNone;
  std::uint32_t layout = kNone;
  std::uint32_t memory_config = kNone;
  bool operator==(const TensorFacts&) const = default;
};

struct TensorNode {
  std::int64_t tensor_id = kNotRecorded;
  std::int64_t address = kNotRecorded;
  std::uint32_t facts = 0;  ///< in GraphTrace::tensor_facts
};

struct FunctionNode {
  std::uint32_t name = kNone;
  std::int32_t inputs = kNotRecorded;  ///< as recorded: how many arguments it had
  /// The array `arguments` as JSON text, in the capture's file or in GraphTrace::arena; see decode_arguments.
  std::string_view arguments_json;
  std::uint32_t first_input = 0;  ///< in GraphTrace::input_tensors
  std::uint32_t input_count = 0;
};

struct FunctionEndNode {
  std::uint32_t name = kNone;
  std::int64_t duration_ns = 0;  ///< 0: not recorded
};

/// Tensors and ends of functions, a vector for each field: a capture has millions, and a quarter of each
/// entry would be padding.
class TensorColumn {
 public:
  TensorNode operator[](std::size_t i) const { return {ids_[i], addresses_[i], facts_[i]}; }
  std::size_t size() const { return ids_.size(); }
  void push_back(const TensorNode& tensor) {
    ids_.push_back(tensor.tensor_id);
    addresses_.push_back(tensor.address);
    facts_.push_back(tensor.facts);
  }
  void set_id(std::size_t i, std::int64_t tensor_id) { ids_[i] = tensor_id; }
  void reserve(std::size_t count) {
    ids_.reserve(count);
    addresses_.reserve(count);
    facts_.reserve(count);
  }

 private:
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> addresses_;
  std::vector<std::uint32_t> facts_;
};

class FunctionEndColumn {
 public:
  FunctionEndNode operator[](std::size_t i) const { return {names_[i], durations_ns_[i]}; }
  std::size_t size() const { return names_.size(); }
  void push_back(const FunctionEndNode& end) {
    names_.push_back(end.name);
    durations_ns_.push_back(end.duration_ns);
  }
  void set_duration(std::size_t i, std::int64_t duration_ns) { durations_ns_[i] = duration_ns; }
  void reserve(std::size_t count) {
    names_.reserve(count);
    durations_ns_.reserve(count);
  }

 private:
  std::vector<std::uint32_t> names_;
  std::vector<std::int64_t> durations_ns_;
};

/// One graph capture: its nodes in order, in columns. Distinct facts and texts are held once, so that a
/// capture takes much less than its file. Made by graph/read/graph_trace from a file, by GraphTraceBuilder in
/// memory. Immutable once made; readers may share it among threads.
struct GraphTrace {
  StringPool texts;
  Arena arena;
  std::shared_ptr<const void> source;  ///< keeps the mapped file that views point into

  // A value for each node.
  std::vector<NodeKind> kinds;
  std::vector<std::uint8_t> levels;  ///< stacking level; 255: that or deeper
  /// kFunctionStart: in functions; kFunctionEnd, kCaptureEnd: in function_ends; kTensor: in tensors; kBuffer:
  /// in buffer_facts; kBufferAllocate, kBufferDeallocate: in event_facts; kCircularBufferAllocate,
  /// kDataflowBufferAllocate, kScratchpadAllocate: in program_facts_ids; kDeallocateAll: in device_ids;
  /// kError: in texts (its params as JSON); kOther: in texts (its type). Otherwise 0.
  std::vector<std::uint32_t> details;
  std::vector<std::uint32_t> connection_ends;  ///< end of the node's part of `connections`
  std::vector<std::uint32_t> connections;      ///< counters of nodes
  /// Empty when each node's counter is its index, as in every undamaged capture.
  std::vector<std::int64_t> counters;
  bool has_levels = true;  ///< old captures have none; `levels` then holds the nesting as it can be derived

  // Tables the details point into.
  std::vector<FunctionNode> functions;
  std::vector<std::uint32_t> input_tensors;
  FunctionEndColumn function_ends;
  TensorColumn tensors;
  std::vector<std::int64_t> event_addresses;  ///< of buffer_allocate and buffer_deallocate; 0 in NO_DISPATCH
  std::vector<std::uint32_t> event_facts;     ///< in buffer_facts; beside event_addresses
  std::vector<std::int64_t> program_addresses;   ///< of circular buffers and the like
  std::vector<std::uint32_t> program_facts_ids;  ///< in program_facts; beside program_addresses
  std::vector<BufferFacts> buffer_facts;
  std::vector<ProgramBufferFacts> program_facts;
  std::vector<TensorFacts> tensor_facts;
  std::vector<std::int64_t> device_ids;
  std::vector<BufferLabel> buffer_labels;  ///< by node, ascending; none in captures of ttnn
  std::vector<GraphDevice> devices;        ///< those that the capture itself describes

  std::uint32_t size() const { return static_cast<std::uint32_t>(kinds.size()); }
  std::int64_t counter(std::uint32_t node) const { return counters.empty() ? node : counters[node]; }
  std::span<const std::uint32_t> connections_of(std::uint32_t node) const {
    const std::uint32_t begin = node == 0 ? 0 : connection_ends[node - 1];
    return {connections.data() + begin, connection_ends[node] - begin};
  }
  /// The node a connection names: node `counter`, as the original's utilities look it up; kNone if
  /// there is none.
  std::uint32_t node_at(std::uint32_t counter) const { return counter < size() ? counter : kNone; }

  /// The facts of a kBuffer, kBufferAllocate or kBufferDeallocate node.
  const BufferFacts& buffer_of(std::uint32_t node) const {
    return buffer_facts[kinds[node] == NodeKind::kBuffer ? details[node] : event_facts[details[node]]];
  }
  /// Null where the capture says nothing of a kBuffer node's owner.
  const BufferLabel* label_of(std::uint32_t node) const;
  std::int64_t buffer_address(std::uint32_t node) const { return event_addresses[details[node]]; }
  const ProgramBufferFacts& program_buffer_of(std::uint32_t node) const {
    return program_facts[program_facts_ids[details[node]]];
  }
  const FunctionNode& function_of(std::uint32_t node) const { return functions[details[node]]; }
  TensorNode tensor_of(std::uint32_t node) const { return tensors[details[node]]; }
  const TensorFacts& tensor_facts_of(std::uint32_t node) const { return tensor_facts[tensor_of(node).facts]; }
  /// Empty for kNone.
  std::string_view text(std::uint32_t id) const { return id == kNone ? std::string_view() : texts[id]; }
  std::span<const std::uint32_t> inputs_of(const FunctionNode& function) const {
    return {input_tensors.data() + function.first_input, function.input_count};
  }
};

/// The texts of a FunctionNode's arguments; nothing if the JSON is damaged.
std::optional<std::vector<std::string>> decode_arguments(std::string_view arguments_json);

/// A named capture: what lies between two snapshots of a tracker.
struct GraphSegment {
  std::string name;  ///< empty: the file has one capture and gives it no name
  GraphTrace trace;
};

/// A file of captures.
struct GraphCapture {
  enum class Format : std::uint8_t {
    kNodes,     ///< an array of nodes
    kReport,    ///< a report file: capture, devices, metadata
    kSegments,  ///< an array of {"name", "trace"}: a tracker's segments
    kDatabase,  ///< db.sqlite of ttnn-visualizer: the captured graphs of its operations, one after the other
  };

  Format format = Format::kNodes;
  std::vector<GraphSegment> segments;
  std::vector<GraphDevice> devices;  ///< of reports, databases and captures that describe theirs
  std::int64_t rank = kNotRecorded;
  std::int64_t total_duration_ns = kNotRecorded;
};

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

/// A rectangle of cores, both corners included.
struct CoreRange {
  std::int64_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool operator==(const CoreRange&) const = default;
};

/// Reads `{[0-0 - 7-7], [0-8 - 3-8]}`, the older `{[(x=0,y=0) - (x=7,y=7)]}` and the JSON form with start and
/// end. Nothing if the text is none of these.
std::optional<std::vector<CoreRange>> parse_core_ranges(std::string_view text);

}  // namespace ttscope::graph
