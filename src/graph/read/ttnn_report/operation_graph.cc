#include "graph/read/ttnn_report/operation_graph.h"

#include <unordered_map>

#include "graph/read/ttnn_report/ttnn_report.h"

namespace ttscope::graph {
namespace {

JsonTree counters(std::initializer_list<std::int64_t> values) {
  JsonTree list = JsonTree::array();
  for (const std::int64_t value : values) list.items().push_back(JsonTree::integer(value));
  return list;
}

JsonTree border_node(std::string_view type, JsonTree connections, std::int64_t counter, bool id_inside) {
  JsonTree node = JsonTree::object();
  node.set("arguments", JsonTree::array());
  node.set("connections", std::move(connections));
  node.set("counter", JsonTree::integer(counter));
  if (id_inside) node.set("id", JsonTree::integer(counter));
  node.set("input_tensors", JsonTree::array());
  node.set("node_type", JsonTree::text(std::string(type)));
  node.set("params", JsonTree::object());
  node.set("stacking_level", JsonTree::integer(0));
  return node;
}

void renumber_nodes(JsonTree& node, std::string_view key,
                    const std::unordered_map<std::int64_t, std::int64_t>& numbers) {
  JsonTree* const list = node.find(key);
  if (list == nullptr) return;
  for (JsonTree& counter : list->items()) {
    const auto found = numbers.find(counter.whole_number().value_or(-1));
    if (found != numbers.end()) counter = JsonTree::integer(found->second);
  }
}

void add_id(JsonTree& node) {
  const JsonTree* const counter = node.find("counter");
  if (counter != nullptr) node.set("id", JsonTree(*counter));
}

}  // namespace

void for_each_operation_node(const std::vector<NodePlace>& nodes, const std::vector<NodePlace>& outputs,
                             const std::function<JsonTree(std::size_t index)>& node_at,
                             const std::function<void(const JsonTree&)>& take) {
  std::unordered_map<std::int64_t, std::int64_t>
      numbers;  // where a counter stands twice, the last one counts
  std::int64_t next = 1;
  for (const auto* part : {&nodes, &outputs}) {
    for (const NodePlace& place : *part) numbers[place.counter] = next++;
  }
  numbers[0] = next;  // both ends have this counter
  std::int64_t number = 0;
  const auto give = [&](JsonTree node) {
    node.set("counter", JsonTree::integer(number++));
    renumber_nodes(node, "connections", numbers);
    renumber_nodes(node, "input_tensors", numbers);
    add_id(node);
    take(node);
  };
  give(border_node("capture_start", counters({1}), 0, false));
  for (const auto* part : {&nodes, &outputs}) {
    for (const NodePlace& place : *part) give(node_at(place.index));
  }
  give(border_node("capture_end", JsonTree::array(), 0, false));
}

JsonTree deallocation_graph(const JsonTree& node) {
  JsonTree graph = JsonTree::array();
  graph.items().push_back(border_node("capture_start", counters({1}), 0, true));
  graph.items().push_back(node);
  JsonTree& middle = graph.items().back();
  middle.set("counter", JsonTree::integer(1));
  if (middle.find("connections") != nullptr) middle.set("connections", counters({2}));
  middle.set("id", JsonTree::integer(1));
  graph.items().push_back(border_node("capture_end", JsonTree::array(), 2, true));
  return graph;
}

JsonTree with_ids(JsonTree graph) {
  for (JsonTree& node : graph.items()) add_id(node);
  return graph;
}

}  // namespace ttscope::graph
