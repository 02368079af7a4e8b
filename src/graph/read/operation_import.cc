#include "graph/read/operation_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "graph/model/visualizer_tables.h"
#include "graph/read/ttnn_report.h"

namespace ttscope::graph {
namespace {

/// A node of a capture: its place in the list, and its counter.
struct NodePlace {
  std::uint32_t index = 0;
  std::int64_t counter = 0;
};

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

/// The part of a capture that belongs to one operation as a capture of its own: its nodes and results between
/// a capture_start and a capture_end, numbered from 0 with their connections. Nodes are made one at a time:
/// an operation may be as long as the capture.
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

/// The same for a buffer_deallocate outside of any function.
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

/// A graph that was recorded with its operation, with `id` added to its nodes.
JsonTree with_ids(JsonTree graph) {
  for (JsonTree& node : graph.items()) add_id(node);
  return graph;
}

/// Collects the tensors of one report and which operations read and made them; finish() writes the rows.
class TensorRows {
 public:
  TensorRows(const TtnnReport& file, SourceTies& ties, VisualizerSink& sink)
      : file_(file), ties_(ties), sink_(sink) {}

  /// A tensor node; the first of an id counts.
  void see(std::size_t index, const JsonTree& node);
  void add_input(std::int64_t operation, std::int64_t tensor) { inputs_.emplace_back(operation, tensor); }
  void add_output(std::int64_t operation, std::int64_t tensor) { outputs_.emplace_back(operation, tensor); }
  /// Python knows the tensor of this node under another id.
  void alias_tensor(std::int64_t tensor, std::size_t index) {
    named_again_[tensor] = static_cast<std::uint32_t>(index);
  }
  /// The first tensor seen at this address.
  std::optional<std::int64_t> at_address(std::int64_t address) const;

  void finish();

 private:
  using Uses = std::vector<std::pair<std::int64_t, std::int64_t>>;  ///< operation, tensor

  void add_missing(std::int64_t tensor);
  void add_tensor_row(std::int64_t tensor, const JsonTree& params, bool dotted);
  void add_uses(const Uses& uses, VisualizerTable by_operation, VisualizerTable by_tensor);
  void add_places(std::int64_t tensor, const JsonTree& params);

  const TtnnReport& file_;
  SourceTies& ties_;
  VisualizerSink& sink_;
  std::vector<std::pair<std::int64_t, std::uint32_t>> seen_;  ///< id and node, in order
  std::unordered_set<std::int64_t> seen_ids_;
  std::unordered_map<std::int64_t, std::int64_t> by_address_;
  std::map<std::int64_t, std::uint32_t> named_again_;  ///< node
  std::unordered_set<std::int64_t> kept_;
  Uses inputs_;
  Uses outputs_;
};

/// `DataType::BFLOAT16` as Python writes it: `DataType.BFLOAT16`.
std::string with_dots(std::string_view text) {
  std::string dotted;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t colons = std::min(text.find("::", at), text.size());
    dotted.append(text.substr(at, colons - at));
    if (colons < text.size()) dotted += '.';
    at = colons + 2;
  }
  return dotted;
}

/// The id of a tensor node.
std::optional<std::int64_t> tensor_id_of(const JsonTree& node) {
  return maybe_number(params_of(node), "tensor_id");
}

void TensorRows::see(std::size_t index, const JsonTree& node) {
  const std::optional<std::int64_t> id = tensor_id_of(node);
  if (!id || !seen_ids_.insert(*id).second) return;
  seen_.emplace_back(*id, static_cast<std::uint32_t>(index));
  if (const std::optional<std::int64_t> address = maybe_number(params_of(node), "address")) {
    by_address_.emplace(*address, *id);
  }
}

std::optional<std::int64_t> TensorRows::at_address(std::int64_t address) const {
  const auto found = by_address_.find(address);
  return found == by_address_.end() ? std::nullopt : std::optional<std::int64_t>(found->second);
}

void TensorRows::add_tensor_row(std::int64_t tensor, const JsonTree& params, bool dotted) {
  VisualizerRow row;
  row.emplace_back(tensor);
  row.emplace_back(maybe_text(params, "shape").value_or(""));
  for (const std::string_view key : {"dtype", "layout", "memory_config"}) {
    const std::optional<std::string> text = maybe_text(params, key);
    // What stands in for a tensor that only Python knows has its texts as they are, and empty ones instead of
    // none.
    row.emplace_back();
    if (text) row.back() = dotted && key != "memory_config" ? with_dots(*text) : *text;
    if (!text && !dotted) row.back() = std::string();
  }
  row.push_back(cell(maybe_number(params, "device_id")));
  row.push_back(cell(maybe_number(params, "address")));
  row.emplace_back(number_of(params, "buffer_type"));
  row.emplace_back(file_.rank);
  sink_.add(VisualizerTable::kTensors, std::move(row));
  kept_.insert(tensor);
}

void TensorRows::add_missing(std::int64_t tensor) {
  const auto again = named_again_.find(tensor);
  if (again != named_again_.end()) add_tensor_row(tensor, params_of(file_.node(again->second)), false);
}

void TensorRows::add_places(std::int64_t tensor, const JsonTree& params) {
  const std::optional<std::string> text = maybe_text(params, "device_tensors");
  if (!text) return;
  const Result<JsonTree> list = parse_json_tree(*text, "device_tensors");
  if (!list) return;
  std::set<std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>>> known;
  for (const JsonTree& place : list->items()) {
    std::optional<std::int64_t> device = maybe_number(place, "mesh_device_id");
    if (!device) device = maybe_number(place, "device_id");
    const std::optional<std::int64_t> address = maybe_number(place, "address");
    if (!known.emplace(device, address).second) continue;
    sink_.add(VisualizerTable::kDeviceTensors, {tensor, cell(device), cell(address), file_.rank});
  }
}

void TensorRows::finish() {
  std::set<std::int64_t> referenced;
  for (const Uses* uses : {&inputs_, &outputs_}) {
    for (const auto& [operation, tensor] : *uses) referenced.insert(tensor);
  }
  for (const auto& [tensor, index] : seen_) {
    const JsonTree node = file_.node(index);
    // Tensors of the host are many and say little, unless an operation has them.
    if (!maybe_number(params_of(node), "device_id") && !referenced.contains(tensor)) continue;
    add_tensor_row(tensor, params_of(node), true);
    add_places(tensor, params_of(node));
  }
  for (const std::int64_t tensor : referenced) {
    if (!kept_.contains(tensor)) add_missing(tensor);
  }
  add_uses(inputs_, VisualizerTable::kInputTensors, VisualizerTable::kTensorConsumers);
  add_uses(outputs_, VisualizerTable::kOutputTensors, VisualizerTable::kTensorProducers);
}

void TensorRows::add_uses(const Uses& uses, VisualizerTable by_operation, VisualizerTable by_tensor) {
  std::set<std::pair<std::int64_t, std::int64_t>> known;
  std::map<std::int64_t, std::int64_t> next;
  for (const auto& [operation, tensor] : uses) {
    if (!kept_.contains(tensor) || !known.emplace(operation, tensor).second) continue;
    const std::int64_t place = next[operation]++;
    sink_.add(by_operation, {operation, place, tensor, file_.rank});
    sink_.add(by_tensor, {tensor, operation, place, file_.rank});
    ties_.note_use(file_.rank, tensor, operation, by_tensor == VisualizerTable::kTensorProducers);
  }
}

/// Functions that only wrap others: they make no row, what is inside of them stays visible.
bool is_wrapper(std::string_view name) {
  for (const std::string_view prefix :
       {"ttnn::convert_python_tensor_to_tt_tensor",
        "tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor", "Tensor::deallocate",
        "Tensor::to_device", "Tensor::reshape", "tt::tt_metal::to_dtype"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

constexpr std::string_view kFromTorch = "ttnn.from_torch";

/// A function that has started and not ended.
struct OpenFunction {
  JsonTree node;
  std::string name;
  bool nested = false;  ///< inside of an operation, or a wrapper: no operation itself
  std::optional<JsonTree> python_io;
};

/// A tensor node that another node names.
struct NamedTensor {
  NodePlace place;
  std::int64_t tensor_id = 0;
};

/// What was seen inside of the operation that is being read.
struct Inside {
  std::vector<NodePlace> nodes;
  std::vector<std::int64_t> inputs;  ///< of inner functions, in order
  std::vector<NamedTensor> outputs;  ///< of inner functions, in order
  std::set<std::int64_t> made;       ///< by inner functions, but not in place
  std::set<std::int64_t> used;
};

class OperationWalk {
 public:
  OperationWalk(const TtnnReport& file, std::vector<LiveBuffer> live, SourceTies& ties, VisualizerSink& sink)
      : file_(file), ties_(ties), sink_(sink), tensors_(file, ties, sink), live_(std::move(live)) {}

  ImportedOperations run() {
    queue_python_io();
    for (std::size_t index = 0; index < file_.nodes.size(); ++index) {
      JsonTree node = file_.node(index);
      if (!node.is(JsonTree::Kind::kObject)) {
        imported_.damage = fmt::format("{}: node {} is damaged", file_.path, index);
        break;
      }
      // A function's end belongs to it, so the node is kept before it is looked at.
      if (!open_.empty()) inside_.nodes.push_back(place_of(index, node));
      take(index, std::move(node));
    }
    report_unfinished();
    tensors_.finish();
    imported_.last_id = file_.first_operation + count_ - 1;
    imported_.live = std::move(live_);
    return std::move(imported_);
  }

 private:
  static NodePlace place_of(std::size_t index, const JsonTree& node) {
    return {static_cast<std::uint32_t>(index), number_of(node, "counter")};
  }

  void take(std::size_t index, JsonTree node) {
    const std::string_view type = node_type_of(node);
    if (type == "function_start") return enter(index, std::move(node));
    if (type == "function_end") return leave(node);
    if (type == "tensor") return tensors_.see(index, node);
    if (type == "buffer_allocate") return allocate(node);
    if (type == "buffer_deallocate") return deallocate(node);
    if (type != "error") return;
    const JsonTree& params = params_of(node);
    const std::string operation = maybe_text(params, "error_operation").value_or("");
    failed_.insert(operation);
    add_error(operation, maybe_text(params, "error_type").value_or("unknown"),
              maybe_text(params, "error_message").value_or(""));
  }

  void queue_python_io() {
    for (const std::string_view record : file_.python_io) {
      std::string name;
      for_each_member(record, [&](std::string_view key, std::string_view value) {
        if (key != "name" || value == "null") return;
        name = parse_json_tree(value, file_.path).value_or(JsonTree()).shown();
      });
      python_io_[name].push_back(record);
    }
  }

  std::optional<JsonTree> next_python_io(const std::string& name) {
    const auto queue = python_io_.find(name);
    if (queue == python_io_.end() || queue->second.empty()) return std::nullopt;
    const std::string_view record = queue->second.front();
    queue->second.pop_front();
    return parse_json_tree(record, file_.path).value_or(JsonTree());
  }

  void enter(std::size_t index, JsonTree node) {
    OpenFunction function;
    function.name = maybe_text(params_of(node), "name").value_or("unknown");
    const bool hidden = is_wrapper(function.name) || (function.name == kFromTorch && !has_computed_);
    if (!hidden && depth_ == 0 && function.name != kFromTorch) has_computed_ = true;
    function.nested = hidden || depth_ > 0;
    function.python_io = next_python_io(function.name);
    if (!function.nested) {
      ++depth_;
      inside_ = Inside();
      inside_.nodes.push_back(place_of(index, node));
      add(VisualizerTable::kNodes, {operation_id(), number_of(node, "counter"), count_, function.name});
    }
    function.node = std::move(node);
    open_.push_back(std::move(function));
  }

  std::int64_t operation_id() const { return file_.first_operation + count_; }
  void add(VisualizerTable table, VisualizerRow row) {
    row.emplace_back(file_.rank);
    sink_.add(table, std::move(row));
  }
  void add_operation(const std::string& name, double seconds) {
    ties_.note_operation(file_.rank, operation_id(), name);
    add(VisualizerTable::kOperations, {operation_id(), name, seconds});
  }

  /// The node that a connection names; null if there is none.
  JsonTree node_at(const JsonTree& counter) const {
    const std::optional<std::int64_t> index = counter.whole_number();
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(file_.nodes.size())) return {};
    return file_.node(static_cast<std::size_t>(*index));
  }
  std::vector<NamedTensor> tensors_at(const JsonTree& node, std::string_view key) const {
    std::vector<NamedTensor> tensors;
    for (const JsonTree& counter : list_of(node, key)) {
      const JsonTree tensor = node_at(counter);
      const std::optional<std::int64_t> id =
          node_type_of(tensor) == "tensor" ? tensor_id_of(tensor) : std::nullopt;
      if (id) tensors.push_back({place_of(static_cast<std::size_t>(*counter.whole_number()), tensor), *id});
    }
    return tensors;
  }

  void leave(const JsonTree& node) {
    if (open_.empty()) return;
    OpenFunction function = std::move(open_.back());
    open_.pop_back();
    if (function.nested) return leave_nested(function, node);
    --depth_;
    const std::string name = maybe_text(params_of(node), "name").value_or("unknown");
    const auto duration_ns = static_cast<double>(number_of(node, "duration_ns"));
    add_operation(name, duration_ns / 1e9);
    imported_.of_start[number_of(function.node, "counter")] = {operation_id(), number_of(node, "counter")};
    add_arguments(function);
    add_stack_trace(function);
    add_inputs(function);
    add_graph(function, add_outputs(function, node));
    add_buffers(function);
    ++count_;
    inside_ = Inside();
  }

  void leave_nested(const OpenFunction& function, const JsonTree& end) {
    std::set<std::int64_t> own;
    for (const NamedTensor& tensor : tensors_at(function.node, "input_tensors")) {
      if (own.insert(tensor.tensor_id).second) inside_.inputs.push_back(tensor.tensor_id);
    }
    inside_.used.insert(own.begin(), own.end());
    for (const NamedTensor& tensor : tensors_at(end, "connections")) {
      inside_.outputs.push_back(tensor);
      if (!own.contains(tensor.tensor_id)) inside_.made.insert(tensor.tensor_id);
    }
  }

  void add_arguments(const OpenFunction& function) {
    const JsonTree* const named = function.python_io ? function.python_io->find("arguments") : nullptr;
    if (named != nullptr && !named->items().empty()) {
      for (std::size_t i = 0; i < named->items().size(); ++i) {
        const std::string key = i < named->keys().size() ? named->keys()[i] : fmt::format("arg_{}", i);
        add(VisualizerTable::kOperationArguments, {operation_id(), key, named->items()[i].shown()});
      }
      return;
    }
    const std::vector<JsonTree>& arguments = list_of(function.node, "arguments");
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      add(VisualizerTable::kOperationArguments,
          {operation_id(), fmt::format("arg_{}", i), arguments[i].shown()});
    }
  }

  void add_stack_trace(const OpenFunction& function) {
    if (!function.python_io) return;
    std::string trace;
    for (const JsonTree& frame : list_of(*function.python_io, "python_stack_trace")) {
      trace += (trace.empty() ? "" : "\n") + frame.content();
    }
    if (!trace.empty()) ties_.add_stack_trace(file_.rank, operation_id(), std::move(trace));
  }

  static std::vector<std::int64_t> ids_in(const std::optional<JsonTree>& record, std::string_view key) {
    std::vector<std::int64_t> ids;
    if (!record) return ids;
    for (const JsonTree& id : list_of(*record, key)) {
      if (const std::optional<std::int64_t> number = id.whole_number()) ids.push_back(*number);
    }
    return ids;
  }

  void add_inputs(const OpenFunction& function) {
    std::vector<std::int64_t> ids = ids_in(function.python_io, "input_tensor_ids");
    if (ids.empty()) {
      for (const NamedTensor& tensor : tensors_at(function.node, "input_tensors"))
        ids.push_back(tensor.tensor_id);
    }
    if (ids.empty()) {
      for (const std::int64_t id : inside_.inputs) {
        if (!inside_.made.contains(id)) ids.push_back(id);
      }
    }
    for (const std::int64_t id : ids) tensors_.add_input(operation_id(), id);
  }

  /// The tensor nodes that belong to the operation's graph as its results.
  std::vector<NodePlace> add_outputs(const OpenFunction& function, const JsonTree& end) {
    std::vector<NamedTensor> nodes = tensors_at(end, "connections");
    const std::vector<std::int64_t> named = ids_in(function.python_io, "output_tensor_ids");
    if (!named.empty()) {
      if (nodes.empty()) nodes = inside_.outputs;
      for (std::size_t i = 0; i < named.size(); ++i) {
        tensors_.add_output(operation_id(), named[i]);
        if (i < nodes.size()) tensors_.alias_tensor(named[i], nodes[i].place.index);
      }
      return {};
    }
    if (nodes.empty()) {
      std::set<std::int64_t> seen;
      for (const NamedTensor& tensor : inside_.outputs) {
        const std::int64_t id = tensor.tensor_id;
        if (inside_.made.contains(id) && inside_.used.contains(id)) continue;
        if (seen.insert(id).second) nodes.push_back(tensor);
      }
    }
    std::vector<NodePlace> places;
    for (const NamedTensor& tensor : nodes) {
      tensors_.add_output(operation_id(), tensor.tensor_id);
      places.push_back(tensor.place);
    }
    return places;
  }

  void add_graph(const OpenFunction& function, const std::vector<NodePlace>& outputs) {
    const JsonTree* const own = function.python_io ? function.python_io->find("captured_graph") : nullptr;
    if (own != nullptr && !own->items().empty()) return store_graph(with_ids(*own));
    std::string text;
    for_each_operation_node(
        inside_.nodes, outputs, [&](std::size_t index) { return file_.node(index); },
        [&](const JsonTree& node) {
          text += text.empty() ? "[" : ", ";
          node.dump_to(text);
          add_edges(node);
        });
    text += ']';
    add(VisualizerTable::kCapturedGraph, {operation_id(), std::move(text)});
  }

  void store_graph(const JsonTree& graph) {
    add(VisualizerTable::kCapturedGraph, {operation_id(), graph.dump()});
    for (const JsonTree& node : graph.items()) add_edges(node);
  }

  void add_edges(const JsonTree& node) {
    const std::vector<JsonTree>& connections = list_of(node, "connections");
    for (std::size_t i = 0; i < connections.size(); ++i) {
      const auto place = static_cast<std::int64_t>(i);
      add(VisualizerTable::kEdges,
          {operation_id(), number_of(node, "counter"), connections[i].whole_number().value_or(0), place,
           std::int64_t{0}, place});
    }
  }

  void add_buffers(const OpenFunction& function) {
    const std::string_view* const own = recorded_buffers(number_of(function.node, "counter"));
    if (own == nullptr) return add_live_buffers();
    for_each_element(*own, [&](std::string_view text) {
      const JsonTree buffer = file_.piece(text);
      add(VisualizerTable::kBuffers, {operation_id(), number_of(buffer, "device_id"),
                                      number_of(buffer, "address"), number_of(buffer, "max_size_per_bank"),
                                      number_of(buffer, "buffer_type"), number_of(buffer, "buffer_layout")});
    });
  }

  const std::string_view* recorded_buffers(std::int64_t start_counter) {
    if (recorded_.empty()) {
      for (const auto& [counter, buffers] : file_.operation_buffers) recorded_[counter] = &buffers;
    }
    const auto found = recorded_.find(std::to_string(start_counter));
    return found == recorded_.end() ? nullptr : found->second;
  }

  void add_live_buffers() {
    for (const LiveBuffer& buffer : live_) {
      add(VisualizerTable::kBuffers, {operation_id(), buffer.device_id, buffer.address, buffer.per_bank,
                                      buffer.buffer_type, buffer.layout});
    }
  }

  std::int64_t banks_of(std::int64_t device_id, std::int64_t buffer_type) const {
    for (const JsonTree& device : list_of(file_.head, "devices")) {
      if (number_of(device, "device_id") != device_id) continue;
      return number_of(device, buffer_type == 0 ? "num_dram_channels" : "l1_num_banks");
    }
    return 0;
  }

  std::int64_t per_bank(const JsonTree& params, std::int64_t device_id, bool interleaved) const {
    if (const std::optional<std::int64_t> recorded = maybe_number(params, "max_size_per_bank"))
      return *recorded;
    const std::int64_t size = number_of(params, "size");
    const std::int64_t page = number_of(params, "page_size");
    if (page <= 0 || size <= 0) return size;
    const std::int64_t parts =
        interleaved ? banks_of(device_id, number_of(params, "buffer_type")) : number_of(params, "num_cores");
    if (parts <= 0) return size;
    const std::int64_t pages = size / page;
    return (pages / parts + (pages % parts != 0 ? 1 : 0)) * page;
  }

  void allocate(const JsonTree& node) {
    const JsonTree& params = params_of(node);
    const std::string layout = maybe_text(params, "layout").value_or("INTERLEAVED");
    LiveBuffer buffer;
    buffer.device_id = number_of(params, "device_id");
    buffer.address = number_of(params, "address");
    buffer.buffer_type = number_of(params, "buffer_type");
    buffer.per_bank = per_bank(params, buffer.device_id, layout == "INTERLEAVED");
    buffer.layout = layout == "HEIGHT_SHARDED"  ? 1
                    : layout == "WIDTH_SHARDED" ? 2
                    : layout == "BLOCK_SHARDED" ? 3
                                                : 0;
    ++imported_.allocations;
    if (buffer.address != 0) ++imported_.placed;
    live_.push_back(buffer);
  }

  std::optional<std::int64_t> freed_address(const JsonTree& node) const {
    if (const std::optional<std::int64_t> own = maybe_number(params_of(node), "address")) return own;
    for (const JsonTree& counter : list_of(node, "connections")) {
      const JsonTree other = node_at(counter);
      if (node_type_of(other) == "buffer_allocate") return number_of(params_of(other), "address");
    }
    return std::nullopt;
  }

  void deallocate(const JsonTree& node) {
    const std::optional<std::int64_t> address = freed_address(node);
    std::optional<std::int64_t> tensor;
    if (address) {
      std::erase_if(live_, [&](const LiveBuffer& buffer) { return buffer.address == *address; });
      tensor = tensors_.at_address(*address);
    }
    if (!open_.empty()) {
      if (tensor) inside_.inputs.push_back(*tensor);
      return;
    }
    constexpr std::string_view kName = "ttnn::deallocate";
    add_operation(std::string(kName), 0.0);
    add(VisualizerTable::kNodes, {operation_id(), number_of(node, "counter"), count_, std::string(kName)});
    if (tensor) tensors_.add_input(operation_id(), *tensor);
    add_live_buffers();
    store_graph(deallocation_graph(node));
    ++count_;
  }

  void add_error(const std::string& operation, const std::string& type, const std::string& message) {
    add(VisualizerTable::kErrors,
        {file_.first_operation, operation, type, message, std::string(), std::string()});
  }

  void report_unfinished() {
    for (const OpenFunction& function : open_) {
      if (function.nested || failed_.contains(function.name)) continue;
      add_error(function.name, "incomplete_operation",
                fmt::format("Operation '{}' started but never completed (likely crashed)", function.name));
    }
  }

  const TtnnReport& file_;
  SourceTies& ties_;
  VisualizerSink& sink_;
  TensorRows tensors_;
  ImportedOperations imported_;
  std::unordered_map<std::string, std::deque<std::string_view>> python_io_;
  std::unordered_map<std::string, const std::string_view*> recorded_;  ///< TtnnReport::operation_buffers
  std::vector<OpenFunction> open_;
  Inside inside_;
  std::vector<LiveBuffer> live_;
  std::set<std::string> failed_;
  std::int64_t count_ = 1;  ///< number of the operation that is next
  std::size_t depth_ = 0;   ///< open operations
  bool has_computed_ = false;
};

}  // namespace

ImportedOperations import_operations(const TtnnReport& file, std::vector<LiveBuffer> live, SourceTies& ties,
                                     VisualizerSink& sink) {
  return OperationWalk(file, std::move(live), ties, sink).run();
}

namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional<std::int64_t>(number) : std::nullopt;
}

bool is_deallocation(std::string_view name) {
  return name == "ttnn.deallocate" || name == "ttnn::deallocate";
}

}  // namespace

std::optional<std::string> read_source_file(const std::string& path) {
  constexpr std::uintmax_t kMaxBytes = std::uintmax_t{4} << 20;
  std::error_code error;
  if (!path.ends_with(".py") || !fs::is_regular_file(path, error) || fs::file_size(path, error) > kMaxBytes ||
      error) {
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The innermost frame, which stands first: `File "model.py", line 10, in forward` or `model.py:12`.
std::optional<SourceTies::Place> SourceTies::place_of(std::string_view trace) {
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kLine = "\", line ";
  const std::size_t file = trace.find(kFile);
  if (file != std::string_view::npos) {
    const std::string_view rest = trace.substr(file + kFile.size());
    const std::size_t end = rest.find(kLine);
    if (end == std::string_view::npos) return std::nullopt;
    const std::optional<std::int64_t> line = leading_number(rest.substr(end + kLine.size()));
    return line ? std::optional<Place>({std::string(rest.substr(0, end)), *line}) : std::nullopt;
  }
  const std::string_view first = trace.substr(0, trace.find('\n'));
  const std::size_t colon = first.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::optional<std::int64_t> line = leading_number(first.substr(colon + 1));
  return line ? std::optional<Place>({std::string(first.substr(0, colon)), *line}) : std::nullopt;
}

std::optional<std::int64_t> SourceTies::source_file(const std::string& file) {
  if (!fs::path(file).is_absolute()) return std::nullopt;
  const std::string path = fs::path(file).lexically_normal().string();
  const auto known = file_ids_.find(path);
  if (known != file_ids_.end()) return known->second;
  std::optional<std::string> contents = read_source_(path);
  if (!contents) return std::nullopt;
  const auto id = static_cast<std::int64_t>(file_ids_.size()) + 1;
  file_ids_.emplace(path, id);
  sink_.add(VisualizerTable::kSourceFiles, {id, path, std::move(*contents)});
  return id;
}

void SourceTies::add_stack_trace(std::int64_t rank, std::int64_t operation, std::string trace) {
  has_traces_ = true;
  const std::optional<Place> place = place_of(trace);
  std::optional<std::int64_t> file;
  if (place) {
    places_[{rank, operation}] = *place;
    file = source_file(place->file);
  }
  sink_.add(VisualizerTable::kStackTraces, {operation, std::move(trace), cell(file), rank});
}

void SourceTies::note_operation(std::int64_t rank, std::int64_t operation, std::string_view name) {
  if (is_deallocation(name)) deallocations_.insert({rank, operation});
}

void SourceTies::note_use(std::int64_t rank, std::int64_t tensor, std::int64_t operation, bool produces) {
  Lifetime& life = lifetimes_[{rank, tensor}];
  if (produces) {
    if (!life.producer) life.producer = operation;
    return;
  }
  std::optional<std::int64_t>& last =
      deallocations_.contains({rank, operation}) ? life.deallocated : life.last_use;
  last = std::max(last.value_or(operation), operation);
}

void SourceTies::add_place(std::int64_t rank, const std::optional<std::int64_t>& operation,
                           VisualizerRow& row) const {
  const auto found = operation ? places_.find({rank, *operation}) : places_.end();
  row.resize(row.size() + 2);
  if (found == places_.end()) return;
  row[row.size() - 2] = found->second.file;
  row.back() = found->second.line;
}

void SourceTies::finish() {
  if (!has_traces_) return;
  for (const auto& [key, life] : lifetimes_) {
    VisualizerRow row;
    row.reserve(9);
    row.emplace_back(key.second);
    for (const std::optional<std::int64_t>& operation : {life.producer, life.last_use, life.deallocated}) {
      row.push_back(cell(operation));
    }
    add_place(key.first, life.producer, row);
    add_place(key.first, life.last_use, row);
    row.emplace_back(key.first);
    sink_.add(VisualizerTable::kTensorLifetime, std::move(row));
  }
}

}  // namespace ttscope::graph
