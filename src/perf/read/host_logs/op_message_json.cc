#include "perf/read/host_logs/op_message_json.h"

#include <simdjson.h>

#include <algorithm>

#include "base/number_text.h"
#include "base/python_text.h"

namespace ttscope::perf {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr int kDeepest = 64;

/// A value as Python prints it inside a list or a map.
void append_repr(std::string& to, element value, int depth);

void append_map(std::string& to, object map, int depth) {
  to += '{';
  bool first = true;
  for (const auto [key, value] : map) {
    if (!first) to += ", ";
    first = false;
    append_python_repr(to, key);
    to += ": ";
    append_repr(to, value, depth + 1);
  }
  to += '}';
}

void append_list(std::string& to, array list, int depth) {
  to += '[';
  bool first = true;
  for (const element value : list) {
    if (!first) to += ", ";
    first = false;
    append_repr(to, value, depth + 1);
  }
  to += ']';
}

void append_repr(std::string& to, element value, int depth) {
  if (depth > kDeepest) return;
  switch (value.type()) {
    case simdjson::dom::element_type::ARRAY:
      append_list(to, array(value), depth);
      break;
    case simdjson::dom::element_type::OBJECT:
      append_map(to, object(value), depth);
      break;
    case simdjson::dom::element_type::STRING:
      append_python_repr(to, std::string_view(value));
      break;
    case simdjson::dom::element_type::INT64:
      to += std::to_string(std::int64_t(value));
      break;
    case simdjson::dom::element_type::UINT64:
      to += std::to_string(std::uint64_t(value));
      break;
    case simdjson::dom::element_type::DOUBLE:
      append_python_float(to, double(value));
      break;
    case simdjson::dom::element_type::BOOL:
      to += bool(value) ? "True" : "False";
      break;
    default:
      to += "None";
  }
}

/// The same as a cell of its own: a text stands without quotes.
std::string cell_text(element value) {
  if (value.is_string()) return std::string(std::string_view(value));
  std::string text;
  append_repr(text, value, 0);
  return text;
}

std::string cell_of(object map, const char* key) {
  element value;
  return map[key].get(value) == simdjson::SUCCESS ? cell_text(value) : std::string();
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

/// `DEV_0_DRAM_INTERLEAVED`, or the text that a tensor on the host has.
std::string memory_cell(object tensor) {
  element storage;
  if (tensor["storage_type"].get(storage) != simdjson::SUCCESS) return {};
  object device;
  if (storage.get(device) != simdjson::SUCCESS) return cell_text(storage);
  object config;
  if (device["memory_config"].get(config) != simdjson::SUCCESS) return {};
  return "DEV_" + cell_of(device, "device_id") + "_" + upper(cell_of(config, "buffer_type")) + "_" +
         upper(cell_of(config, "memory_layout"));
}

void read_tensors(object map, const char* key, std::vector<TensorCells>& tensors) {
  array list;
  if (map[key].get(list) != simdjson::SUCCESS) return;
  for (const element item : list) {
    TensorCells& cells = tensors.emplace_back();
    object tensor;
    if (item.get(tensor) != simdjson::SUCCESS) continue;
    object shape;
    if (tensor["shape"].get(shape) == simdjson::SUCCESS) {
      cells.w = cell_of(shape, "W");
      cells.z = cell_of(shape, "Z");
      cells.y = cell_of(shape, "Y");
      cells.x = cell_of(shape, "X");
    }
    cells.layout = cell_of(tensor, "layout");
    cells.dtype = cell_of(tensor, "dtype");
    cells.memory = memory_cell(tensor);
  }
}

/// The `source` and `name` of each kernel as two Python lists.
void read_kernels(object kernels, const char* key, std::string& sources, std::string& names) {
  sources = "[";
  names = "[";
  array list;
  if (kernels[key].get(list) == simdjson::SUCCESS) {
    for (const element item : list) {
      object kernel;
      if (item.get(kernel) != simdjson::SUCCESS) continue;
      if (sources.size() > 1) sources += ", ";
      if (names.size() > 1) names += ", ";
      append_python_repr(sources, cell_of(kernel, "source"));
      append_python_repr(names, cell_of(kernel, "name"));
    }
  }
  sources += "]";
  names += "]";
}

void read_kernel_info(object map, OpInfo& info) {
  object kernels;
  if (map["kernel_info"].get(kernels) != simdjson::SUCCESS) return;
  read_kernels(kernels, "compute_kernels", info.compute_sources, info.compute_hashes);
  read_kernels(kernels, "datamovement_kernels", info.data_movement_sources, info.data_movement_hashes);
  array list;
  if (kernels["compute_kernels"].get(list) == simdjson::SUCCESS) {
    for (const element item : list) {
      object kernel;
      if (item.get(kernel) == simdjson::SUCCESS) info.math_fidelity = cell_of(kernel, "math_fidelity");
    }
  }
  object sizes;
  if (kernels["kernel_sizes"].get(sizes) != simdjson::SUCCESS) return;
  for (const auto [key, value] : sizes) {
    std::string column = upper(std::string(key)) + " [B]";
    std::replace(column.begin(), column.end(), '_', ' ');
    info.kernel_sizes.emplace_back(std::move(column), cell_text(value));
  }
}

void read_performance_model(object map, OpInfo& info) {
  object model;
  if (map["performance_model"].get(model) != simdjson::SUCCESS) return;
  info.pm_ideal = cell_of(model, "ideal_ns");
  info.pm_compute = cell_of(model, "compute_ns");
  info.pm_bandwidth = cell_of(model, "bandwidth_ns");
  info.pm_req_input = cell_of(model, "input_bws");
  info.pm_req_output = cell_of(model, "output_bws");
  info.pm_compute_ns = parse_number(info.pm_compute).value_or(-1);
}

void read_identity(object map, OpMessage& message) {
  if (const auto id = parse_unsigned(cell_of(map, "global_call_count"))) {
    message.id = *id;
    message.has_id = true;
  }
  message.device = parse_whole(cell_of(map, "device_id")).value_or(-1);
  message.hash = cell_of(map, "op_hash");
  message.info.program_hash = message.hash;
  element flag;
  if (map["program_cache_hit"].get(flag) == simdjson::SUCCESS) {
    message.has_cache_flag = true;
    message.cache_hit = flag.is_bool() && bool(flag);
  }
}

}  // namespace

struct OpMessageReader::Parser {
  simdjson::dom::parser json;
};

OpMessageReader::OpMessageReader() : parser_(std::make_unique<Parser>()) {}
OpMessageReader::~OpMessageReader() = default;

bool OpMessageReader::read(std::string_view json, OpMessage& message) {
  element root;
  object map;
  if (parser_->json.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return false;
  if (root.get(map) != simdjson::SUCCESS) return false;
  message = {};
  OpInfo& info = message.info;
  info.op_code = cell_of(map, "op_code");
  info.op_type = cell_of(map, "op_type");
  info.attributes = cell_of(map, "attributes");
  info.math_fidelity = cell_of(map, "math_fidelity");
  info.parallelization = cell_of(map, "parallelization_strategy");
  read_identity(map, message);
  read_tensors(map, "input_tensors", info.inputs);
  read_tensors(map, "optional_input_tensors", info.inputs);
  read_tensors(map, "output_tensors", info.outputs);
  read_kernel_info(map, info);
  read_performance_model(map, info);
  return true;
}

}  // namespace ttscope::perf
