#include "graph/analyze/trace_utilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>

#include "base/ids.h"
#include "base/result.h"
#include "graph/analyze/figures.h"

namespace ttscope::graph {
namespace {

bool is_kind(const GraphTrace& trace, std::uint32_t node, NodeKind kind) {
  return node != kNone && trace.kinds[node] == kind;
}

/// The tensors among a node's connections.
std::vector<std::uint32_t> connected_tensors(const GraphTrace& trace, std::uint32_t node) {
  std::vector<std::uint32_t> tensors;
  for (const std::uint32_t counter : trace.connections_of(node)) {
    if (is_kind(trace, trace.node_at(counter), NodeKind::kTensor)) tensors.push_back(counter);
  }
  return tensors;
}

std::string_view end_name(const GraphTrace& trace, std::uint32_t node) {
  return trace.text(trace.function_ends[trace.details[node]].name);
}

bool is_l1(const GraphTrace& trace, const BufferFacts& facts) { return trace.text(facts.type) == "L1"; }

std::uint32_t low_half(std::int64_t value) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value));
}

/// The running sums of the deprecated peak, modulo 2^32.
struct LegacySums {
  std::uint32_t programs = 0;
  std::uint32_t buffers = 0;

  void take(const GraphTrace& trace, std::uint32_t node) {
    switch (trace.kinds[node]) {
      case NodeKind::kDataflowBufferAllocate:
        if (trace.program_buffer_of(node).borrowed.value_or(false)) return;
        [[fallthrough]];
      case NodeKind::kCircularBufferAllocate:
      case NodeKind::kScratchpadAllocate:
        programs += low_half(trace.program_buffer_of(node).size_bytes);
        return;
      case NodeKind::kDeallocateAll:
        programs = 0;
        return;
      case NodeKind::kBufferAllocate:
        if (is_l1(trace, trace.buffer_of(node))) buffers += low_half(trace.buffer_of(node).size_bytes);
        return;
      case NodeKind::kBufferDeallocate: {
        const BufferFacts& facts = whole_of_freed(trace, node);
        if (is_l1(trace, facts)) buffers -= low_half(facts.size_bytes);
        return;
      }
      default:
        return;
    }
  }
};

template <typename Field>
Result<std::uint32_t> cut_field(const GraphTrace& trace, Field field) {
  return l1_usage(trace, kCompatRules).map([&](const L1Usage& usage) {
    return static_cast<std::uint32_t>(usage.*field);
  });
}

/// Adds the L1 buffers among the inputs of an outermost function, which stand directly behind it; the last of
/// them.
std::uint32_t take_inputs(const GraphTrace& trace, std::uint32_t node, LegacySums& sums) {
  for (; node + 1 < trace.size(); ++node) {
    const NodeKind next = trace.kinds[node + 1];
    if (next != NodeKind::kTensor && next != NodeKind::kBuffer) break;
    if (next == NodeKind::kBuffer && is_l1(trace, trace.buffer_of(node + 1))) {
      sums.buffers += low_half(trace.buffer_of(node + 1).size_bytes);
    }
  }
  return node;
}

}  // namespace

std::vector<std::int64_t> shape_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return numbers;
  text = text.substr(open + 1, close - open - 1);
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return numbers;
}

std::vector<std::string> extract_calltrace(const GraphTrace& trace) {
  std::vector<std::string> names;
  names.reserve(trace.functions.size());
  for (const FunctionNode& function : trace.functions) names.emplace_back(trace.text(function.name));
  return names;
}

std::vector<std::pair<std::string, std::vector<std::string>>> extract_arguments(const GraphTrace& trace) {
  std::vector<std::pair<std::string, std::vector<std::string>>> calls;
  for (const FunctionNode& function : trace.functions) {
    std::vector<std::string> arguments =
        decode_arguments(function.arguments_json).value_or(std::vector<std::string>());
    if (!arguments.empty()) calls.emplace_back(trace.text(function.name), std::move(arguments));
  }
  return calls;
}

Result<std::vector<std::uint32_t>> extract_output_tensors(const GraphTrace& trace) {
  for (std::uint32_t node = trace.size(); node-- > 0;) {
    if (trace.kinds[node] != NodeKind::kFunctionEnd) continue;
    const std::vector<std::uint32_t> tensors = connected_tensors(trace, node);
    if (tensors.empty()) continue;
    const std::set<std::uint32_t> distinct(tensors.begin(), tensors.end());
    return std::vector<std::uint32_t>(distinct.begin(), distinct.end());
  }
  return failure(bad_input("No function_end node with tensor connections found in the trace"));
}

Result<std::vector<OutputInfo>> extract_output_info(const GraphTrace& trace) {
  ASSIGN_OR_RETURN(const std::vector<std::uint32_t> outputs, extract_output_tensors(trace));
  std::vector<OutputInfo> infos;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (trace.kinds[node] != NodeKind::kBuffer) continue;
    for (const std::uint32_t counter : trace.connections_of(node)) {
      if (!std::binary_search(outputs.begin(), outputs.end(), counter)) continue;
      const BufferFacts& facts = trace.buffer_of(node);
      infos.push_back({shape_numbers(trace.text(trace.tensor_facts_of(counter).shape)), facts.size_bytes,
                       is_l1(trace, facts) ? "L1" : "DRAM"});
      break;  // a buffer counts once, however often the tensor was seen in it
    }
  }
  return infos;
}

Result<TensorCounts> count_intermediate_and_output_tensors(const GraphTrace& trace) {
  const Result<std::vector<std::uint32_t>> outputs = extract_output_tensors(trace);
  if (!outputs)
    return failure(bad_input("no function_start, or no function_end with a tensor, in the trace"));
  std::set<std::uint32_t> intermediates;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (trace.kinds[node] != NodeKind::kFunctionEnd || end_name(trace, node) != "create_device_tensor")
      continue;
    const auto connections = trace.connections_of(node);
    if (!connections.empty()) intermediates.insert(connections.front());
  }
  for (const std::uint32_t output : *outputs) intermediates.erase(output);
  return TensorCounts{intermediates.size(), outputs->size()};
}

std::uint32_t extract_peak_l1_memory_usage(const GraphTrace& trace) {
  LegacySums sums;
  std::uint32_t peak = 0;
  std::size_t depth = 0;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (trace.kinds[node] == NodeKind::kFunctionStart && depth++ == 0) node = take_inputs(trace, node, sums);
    if (trace.kinds[node] == NodeKind::kFunctionEnd && depth > 0) --depth;
    sums.take(trace, node);
    peak = std::max(peak, sums.programs + sums.buffers);
  }
  return peak;
}

Result<std::uint32_t> extract_circular_buffers_peak_size_per_core(const GraphTrace& trace) {
  return cut_field(trace, &L1Usage::peak_cb);
}

Result<std::uint32_t> extract_l1_buffer_allocation_peak_size_per_core(const GraphTrace& trace) {
  return cut_field(trace, &L1Usage::peak_l1);
}

Result<std::uint32_t> extract_peak_memory_usage(const GraphTrace& trace) {
  return cut_field(trace, &L1Usage::peak_total);
}

Result<std::int64_t> extract_l1_output_buffer_allocation_size_per_core(const GraphTrace& trace,
                                                                       std::uint32_t tensor) {
  // A capture ties tensors to buffer nodes, and those to the event that has the size in a bank.
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (trace.kinds[node] != NodeKind::kBufferAllocate) continue;
    const std::uint32_t buffer = buffer_node_of(trace, node);
    const auto owned = trace.connections_of(buffer);
    if (std::find(owned.begin(), owned.end(), tensor) == owned.end()) continue;
    if (trace.buffer_of(node).in_dram) return failure(bad_input("No L1 allocation. Tensor is in DRAM"));
    return per_bank_bytes(trace.buffer_of(node));
  }
  return failure(
      bad_input(fmt::format("tensor {} has no buffer that was allocated in this capture", tensor)));
}

Result<std::string> pretty_format(const GraphTrace& trace) {
  constexpr std::size_t kWidth = 50;
  std::string text;
  std::size_t indent = 0;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    std::string line;
    switch (trace.kinds[node]) {
      case NodeKind::kCaptureStart:
        line = "Capture Start";
        break;
      case NodeKind::kCaptureEnd:
        line = "Capture End";
        break;
      case NodeKind::kBuffer:
        line = "Add Device Buffer";
        break;
      case NodeKind::kBufferAllocate:
        line = "Allocate Device Buffer";
        break;
      case NodeKind::kBufferDeallocate:
        line = "Deallocate Device Buffer";
        break;
      case NodeKind::kFunctionStart:
        line = fmt::format("Function Start: {}", trace.text(trace.function_of(node).name));
        break;
      case NodeKind::kFunctionEnd:
        line = fmt::format("Function End:   {}", end_name(trace, node));
        break;
      case NodeKind::kTensor:
        line = fmt::format("Add Tensor: {}", trace.tensor_of(node).tensor_id);
        break;
      case NodeKind::kCircularBufferAllocate:
        line = "Allocate Circular Buffer";
        break;
      case NodeKind::kDataflowBufferAllocate:
        line = "Allocate Dataflow Buffer";
        break;
      case NodeKind::kScratchpadAllocate:
        line = "Allocate Kernel Scratchpad";
        break;
      case NodeKind::kDeallocateAll:
        line = "Deallocate All Program-Scope L1";
        break;
      case NodeKind::kError:
        return failure(bad_input("Unknown node type: error"));
      case NodeKind::kOther:
        return failure(bad_input(fmt::format("Unknown node type: {}", trace.text(trace.details[node]))));
    }
    if (trace.kinds[node] == NodeKind::kFunctionEnd) indent -= std::min<std::size_t>(indent, 4);
    const std::size_t width = kWidth > indent ? kWidth - indent : 0;
    text += std::string(indent, ' ') + fmt::format("{:<{}}", line, width) + '\n';
    if (trace.kinds[node] == NodeKind::kFunctionStart) indent += 4;
  }
  return text;
}

namespace {

template <typename T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// Builds the graph in a few passes over the nodes.
class Levelizer {
 public:
  Levelizer(const GraphTrace& trace, std::uint32_t max_level) : trace_(trace), max_level_(max_level) {}

  Result<std::vector<LevelizedVertex>> run() {
    if (!trace_.counters.empty()) return failure(bad_input("counters of the nodes are out of order"));
    add_vertices();
    RETURN_IF_ERROR(pair_ends());
    find_producers();
    find_consumers();
    add_edges();
    add_internals();
    add_output_info();
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (trace_.kinds[nodes_[i]] == NodeKind::kFunctionStart) add_output_shapes(graph_[i], nodes_[i]);
      add_in_edges(graph_[i], nodes_[i]);
    }
    return std::move(graph_);
  }

 private:
  LevelizedVertex& add_vertex(std::uint32_t node, std::string name) {
    LevelizedVertex vertex;
    vertex.counter = static_cast<std::uint32_t>(graph_.size());
    vertex.stacking_level = trace_.levels[node];
    vertex.name = std::move(name);
    vertex_of_[node] = vertex.counter;
    nodes_.push_back(node);
    graph_.push_back(std::move(vertex));
    return graph_.back();
  }

  void add_vertices() {
    for (std::uint32_t node = 0; node < trace_.size(); ++node) {
      if (trace_.kinds[node] != NodeKind::kTensor || trace_.levels[node] != 1) continue;
      const std::int64_t id = trace_.tensor_of(node).tensor_id;
      LevelizedVertex& vertex =
          add_vertex(node, id == kNotRecorded ? "tensor" : fmt::format("tensor[{}]", id));
      const std::uint32_t shape = trace_.tensor_facts_of(node).shape;
      if (shape != kNone) vertex.output_shape.emplace_back(trace_.text(shape));
    }
    for (std::uint32_t node = 0; node < trace_.size(); ++node) {
      if (trace_.kinds[node] != NodeKind::kFunctionStart || trace_.levels[node] > max_level_) continue;
      const FunctionNode& function = trace_.function_of(node);
      LevelizedVertex& vertex = add_vertex(node, std::string(trace_.text(function.name)));
      vertex.arguments = decode_arguments(function.arguments_json).value_or(std::vector<std::string>());
    }
  }

  bool is_kind(std::uint32_t node, NodeKind kind) const {
    return node != kNone && trace_.kinds[node] == kind;
  }
  std::uint32_t vertex_at(std::uint32_t node) const {
    const auto found = vertex_of_.find(node);
    return found == vertex_of_.end() ? kNone : found->second;
  }

  /// A function is connected to its end, which has the same name.
  Result<void> pair_ends() {
    for (std::uint32_t node = 0; node < trace_.size(); ++node) {
      if (trace_.kinds[node] != NodeKind::kFunctionStart) continue;
      const std::uint32_t end = end_among_connections(node);
      if (end == kNone) {
        return failure(bad_input(fmt::format("function '{}' (node {}) has no end",
                                             trace_.text(trace_.function_of(node).name), node)));
      }
      end_of_[node] = end;
      start_of_[end] = node;
    }
    return {};
  }

  std::uint32_t end_among_connections(std::uint32_t start) const {
    for (const std::uint32_t counter : trace_.connections_of(start)) {
      const std::uint32_t node = trace_.node_at(counter);
      if (is_kind(node, NodeKind::kFunctionEnd) &&
          trace_.function_ends[trace_.details[node]].name == trace_.function_of(start).name) {
        return node;
      }
    }
    return kNone;
  }

  /// The outermost function whose end leads to a tensor made it.
  void find_producers() {
    for (std::uint32_t end = 0; end < trace_.size(); ++end) {
      if (trace_.kinds[end] != NodeKind::kFunctionEnd) continue;
      for (const std::uint32_t counter : trace_.connections_of(end)) {
        if (!is_kind(trace_.node_at(counter), NodeKind::kTensor)) continue;
        const auto [known, is_new] = producer_end_.emplace(counter, end);
        if (!is_new && trace_.levels[end] < trace_.levels[known->second]) known->second = end;
      }
    }
  }

  void find_consumers() {
    for (std::uint32_t node = 0; node < trace_.size(); ++node) {
      if (trace_.kinds[node] != NodeKind::kTensor) continue;
      for (const std::uint32_t counter : trace_.connections_of(node)) inputs_of_[counter].push_back(node);
    }
  }

  /// The vertex that a tensor comes from: its own, or that of the function that made it.
  std::uint32_t origin_of(std::uint32_t tensor) const {
    const std::uint32_t own = vertex_at(tensor);
    return own != kNone ? own : maker_of(tensor);
  }
  std::uint32_t maker_of(std::uint32_t tensor) const {
    const auto end = producer_end_.find(tensor);
    if (end == producer_end_.end()) return kNone;
    const auto start = start_of_.find(end->second);
    return start == start_of_.end() ? kNone : vertex_at(start->second);
  }

  void add_edges() {
    for (std::uint32_t vertex = 0; vertex < graph_.size(); ++vertex) {
      const std::uint32_t node = nodes_[vertex];
      if (trace_.kinds[node] == NodeKind::kTensor) {
        for (const std::uint32_t counter : trace_.connections_of(node)) {
          const std::uint32_t consumer = vertex_at(counter);
          if (consumer != kNone) add_once(graph_[vertex].out_edges, consumer);
        }
        continue;
      }
      for (const std::uint32_t tensor : inputs_of_[node]) {
        const std::uint32_t origin = origin_of(tensor);
        if (origin != kNone && origin != vertex) add_once(graph_[origin].out_edges, vertex);
      }
    }
  }

  void add_internals() {
    for (std::uint32_t vertex = 0; vertex < graph_.size(); ++vertex) {
      if (trace_.kinds[nodes_[vertex]] != NodeKind::kFunctionStart) continue;
      const std::uint32_t end = end_of_[nodes_[vertex]];
      // Functions stand in order behind the tensors, so those inside follow directly.
      for (std::uint32_t inner = vertex + 1; inner < graph_.size() && nodes_[inner] < end; ++inner) {
        if (graph_[inner].stacking_level == graph_[vertex].stacking_level + 1)
          graph_[vertex].internals.push_back(inner);
      }
    }
  }

  void add_output_info() {
    for (LevelizedVertex& vertex : graph_) {
      for (const std::uint32_t consumer : vertex.out_edges) {
        const LevelizedVertex& other = graph_[consumer];
        if (other.stacking_level != vertex.stacking_level || other.arguments.empty()) continue;
        if (!other.arguments.front().starts_with("Tensor(")) continue;
        vertex.output_info.push_back(other.arguments.front());
        break;
      }
    }
  }

  void add_output_shapes(LevelizedVertex& vertex, std::uint32_t start) {
    for (const std::uint32_t counter : trace_.connections_of(end_of_[start])) {
      const std::uint32_t node = trace_.node_at(counter);
      if (!is_kind(node, NodeKind::kTensor) || trace_.tensor_facts_of(node).shape == kNone) continue;
      add_once(vertex.output_shape, std::string(trace_.text(trace_.tensor_facts_of(node).shape)));
    }
  }

  void add_in_edges(LevelizedVertex& vertex, std::uint32_t node) {
    const auto add = [&](std::uint32_t origin) {
      if (origin != kNone) vertex.in_edges.push_back(origin);
    };
    if (trace_.kinds[node] == NodeKind::kTensor) return add(maker_of(node));
    if (!trace_.input_tensors.empty()) {
      for (const std::uint32_t tensor : trace_.inputs_of(trace_.function_of(node))) add(origin_of(tensor));
      return;
    }
    // Old captures do not list inputs: the tensors that lead to the function, as many as it has tensor
    // arguments.
    const auto arguments = static_cast<std::size_t>(
        std::count_if(vertex.arguments.begin(), vertex.arguments.end(),
                      [](const std::string& argument) { return argument.starts_with("Tensor("); }));
    const std::vector<std::uint32_t>& inputs = inputs_of_[node];
    for (std::size_t i = 0; i < std::min(arguments, inputs.size()); ++i) add(origin_of(inputs[i]));
  }

  const GraphTrace& trace_;
  std::uint32_t max_level_;
  std::vector<LevelizedVertex> graph_;
  std::vector<std::uint32_t> nodes_;  ///< of the vertices
  std::unordered_map<std::uint32_t, std::uint32_t> vertex_of_;
  std::unordered_map<std::uint32_t, std::uint32_t> end_of_;
  std::unordered_map<std::uint32_t, std::uint32_t> start_of_;
  std::unordered_map<std::uint32_t, std::uint32_t> producer_end_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>
      inputs_of_;  ///< tensors by the function they lead to
};

}  // namespace

Result<std::vector<LevelizedVertex>> levelized_graph(const GraphTrace& trace, std::uint32_t max_level) {
  return Levelizer(trace, max_level).run();
}

}  // namespace ttscope::graph
