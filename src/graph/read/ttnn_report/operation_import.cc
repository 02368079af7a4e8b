#include "graph/read/ttnn_report/operation_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <unordered_map>

#include "graph/read/ttnn_report/json_parts.h"
#include "graph/read/ttnn_report/operation_graph.h"
#include "graph/read/ttnn_report/tensor_rows.h"

namespace ttscope::graph {
namespace {

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
        if (i < nodes.size()) tensors_.name_again(named[i], nodes[i].place.index);
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

}  // namespace ttscope::graph
