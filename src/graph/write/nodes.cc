#include <fmt/format.h>

#include "graph/write/outputs.h"

namespace ttscope::graph {
namespace {

void number(JsonWriter& json, std::string_view key, std::int64_t value) {
  if (value != kNotRecorded) json.field(key, value);
}

void text(JsonWriter& json, std::string_view key, const GraphTrace& trace, std::uint32_t id) {
  if (id != kNone) json.field(key, trace.text(id));
}

/// Keys of our own (docs/formats/graph_trace.md); ttnn's readers pass over them.
void write_label(JsonWriter& json, const GraphTrace& trace, std::uint32_t node) {
  const BufferLabel* label = trace.label_of(node);
  if (label == nullptr) return;
  number(json, "buffer_id", label->buffer_id);
  text(json, "kind", trace, label->kind);
  text(json, "owner", trace, label->name);
}

/// Keys in the order in which ttnn dumps them.
void write_buffer(JsonWriter& json, const GraphTrace& trace, std::uint32_t node) {
  const BufferFacts& facts = trace.buffer_of(node);
  if (trace.kinds[node] != NodeKind::kBuffer) number(json, "address", trace.buffer_address(node));
  number(json, "buffer_type", facts.buffer_type);
  number(json, "device_id", facts.device_id);
  text(json, "layout", trace, facts.layout);
  number(json, "max_size_per_bank", facts.max_size_per_bank_bytes);
  number(json, "num_cores", facts.num_cores);
  number(json, "page_size", facts.page_size_bytes);
  number(json, "size", facts.size_bytes);
  text(json, "type", trace, facts.type);
  if (trace.kinds[node] == NodeKind::kBuffer) write_label(json, trace, node);
}

void write_program_buffer(JsonWriter& json, const GraphTrace& trace, std::uint32_t node) {
  const ProgramBufferFacts& facts = trace.program_buffer_of(node);
  const bool dataflow = trace.kinds[node] == NodeKind::kDataflowBufferAllocate;
  const auto borrowed = [&](std::string_view key) {
    if (facts.borrowed) json.field(key, *facts.borrowed ? "1" : "0");
  };
  number(json, "address", trace.program_addresses[trace.details[node]]);
  if (dataflow) borrowed("borrows_memory");
  text(json, "core_range_set", trace, facts.core_ranges);
  number(json, "device_id", facts.device_id);
  if (!dataflow) borrowed("globally_allocated");
  number(json, "size", facts.size_bytes);
}

void write_tensor(JsonWriter& json, const GraphTrace& trace, std::uint32_t node) {
  const TensorNode& tensor = trace.tensor_of(node);
  const TensorFacts& facts = trace.tensor_facts_of(node);
  number(json, "address", tensor.address);
  number(json, "buffer_type", facts.buffer_type);
  number(json, "device_id", facts.device_id);
  text(json, "dtype", trace, facts.dtype);
  text(json, "layout", trace, facts.layout);
  text(json, "memory_config", trace, facts.memory_config);
  text(json, "shape", trace, facts.shape);
  number(json, "size", facts.size_bytes);
  number(json, "tensor_id", tensor.tensor_id);
}

void write_function(JsonWriter& json, const GraphTrace& trace, std::uint32_t node) {
  const FunctionNode& function = trace.function_of(node);
  if (function.inputs != kNotRecorded) json.field("inputs", fmt::format("{}", function.inputs));
  text(json, "name", trace, function.name);
}

void write_params(JsonWriter& json, const GraphTrace& trace, std::uint32_t node) {
  switch (trace.kinds[node]) {
    case NodeKind::kFunctionStart:
      return write_function(json, trace, node);
    case NodeKind::kFunctionEnd:
      return text(json, "name", trace, trace.function_ends[trace.details[node]].name);
    case NodeKind::kTensor:
      return write_tensor(json, trace, node);
    case NodeKind::kBuffer:
    case NodeKind::kBufferAllocate:
    case NodeKind::kBufferDeallocate:
      return write_buffer(json, trace, node);
    case NodeKind::kCircularBufferAllocate:
    case NodeKind::kDataflowBufferAllocate:
    case NodeKind::kScratchpadAllocate:
      return write_program_buffer(json, trace, node);
    case NodeKind::kDeallocateAll:
      return number(json, "device_id", trace.device_ids[trace.details[node]]);
    default:
      return;
  }
}

void write_duration(JsonWriter& json, const GraphTrace& trace, std::uint32_t node) {
  const NodeKind kind = trace.kinds[node];
  if (kind != NodeKind::kFunctionEnd && kind != NodeKind::kCaptureEnd) return;
  const std::int64_t duration_ns = trace.function_ends[trace.details[node]].duration_ns;
  if (duration_ns > 0) json.field("duration_ns", duration_ns);
}

/// With the keys of ttnn's reports.
void write_device(JsonWriter& json, const GraphDevice& device) {
  const std::int64_t cores = device.num_y_cores * device.num_x_cores;
  json.object([&] {
    number(json, "device_id", device.device_id);
    number(json, "num_y_cores", device.num_y_cores);
    number(json, "num_x_cores", device.num_x_cores);
    number(json, "num_y_compute_cores", device.num_y_cores);
    number(json, "num_x_compute_cores", device.num_x_cores);
    number(json, "worker_l1_size", device.worker_l1_size_bytes);
    number(json, "l1_num_banks", device.l1_num_banks);
    number(json, "l1_bank_size", device.l1_bank_size_bytes);
    number(json, "address_at_first_l1_bank", device.first_l1_bank_address);
    number(json, "address_at_first_l1_cb_buffer", device.first_l1_cb_address);
    json.field("num_banks_per_storage_core", 1);
    json.field("num_compute_cores", cores);
    json.field("num_storage_cores", 0);
    json.field("total_l1_memory", cores * device.worker_l1_size_bytes);
    json.field("total_l1_for_tensors", 0);
    json.field("total_l1_for_interleaved_buffers", device.l1_num_banks * device.l1_bank_size_bytes);
    json.field("total_l1_for_sharded_buffers", device.l1_num_banks * device.l1_bank_size_bytes);
    number(json, "cb_limit", device.cb_limit_bytes);
    json.field("arch", std::string_view(device.arch));
    number(json, "num_dram_channels", device.num_dram_channels);
    number(json, "dram_size_per_channel", device.dram_size_per_channel_bytes);
  });
}

void write_devices(JsonWriter& json, const std::vector<GraphDevice>& devices) {
  json.list("devices", devices, [&](const GraphDevice& device) { write_device(json, device); });
}

void write_counters(JsonWriter& json, std::string_view key, std::span<const std::uint32_t> counters) {
  json.list(key, counters);
}

std::string_view type_text(const GraphTrace& trace, std::uint32_t node) {
  const std::string_view known = node_type_text(trace.kinds[node]);
  return known.empty() ? trace.text(trace.details[node]) : known;
}

void write_node(JsonWriter& json, const GraphTrace& trace, std::uint32_t node) {
  const bool function = trace.kinds[node] == NodeKind::kFunctionStart;
  const bool no_params =
      trace.kinds[node] == NodeKind::kCaptureStart || trace.kinds[node] == NodeKind::kCaptureEnd;
  json.object([&] {
    json.key("arguments");
    json.raw(function && !trace.function_of(node).arguments_json.empty()
                 ? trace.function_of(node).arguments_json
                 : "[]");
    write_counters(json, "connections", trace.connections_of(node));
    json.field("counter", trace.counter(node));
    write_duration(json, trace, node);
    write_counters(json, "input_tensors",
                   function ? trace.inputs_of(trace.function_of(node)) : std::span<const std::uint32_t>());
    json.field("node_type", type_text(trace, node));
    if (no_params) json.field("params", nullptr);
    if (!no_params) json.object("params", [&] { write_params(json, trace, node); });
    if (trace.has_levels) json.field("stacking_level", static_cast<std::uint32_t>(trace.levels[node]));
  });
}

}  // namespace

void write_graph_nodes(JsonWriter& json, const GraphTrace& trace) {
  json.array([&] {
    for (std::uint32_t node = 0; node < trace.size(); ++node) write_node(json, trace, node);
  });
}

void write_graph_segments(JsonWriter& json, std::span<const GraphSegment> segments) {
  json.array([&] {
    for (const GraphSegment& segment : segments)
      json.object([&] {
        json.field("name", segment.name);
        if (!segment.trace.devices.empty()) write_devices(json, segment.trace.devices);
        json.key("trace");
        write_graph_nodes(json, segment.trace);
      });
  });
}

}  // namespace ttscope::graph
