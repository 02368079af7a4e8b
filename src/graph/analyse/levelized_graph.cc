#include "graph/analyse/levelized_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/none.h"

namespace ttscope::graph {
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
    if (Result<void> paired = pair_ends(); !paired) return failure(paired.error());
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
