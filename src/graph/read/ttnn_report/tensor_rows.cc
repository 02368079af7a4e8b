#include "graph/read/ttnn_report/tensor_rows.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ttscope::graph {
namespace {

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

}  // namespace

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

}  // namespace ttscope::graph
