#include "tables/graph_tables.h"

#include "graph/analyse/figures.h"
#include "tables/text_codes.h"

namespace ttscope::tables {
namespace {

using Numbers = std::vector<std::int64_t>;

struct NodeColumns {
  Numbers segment, counter, level, address, size, per_bank, buffer_type, device, tensor;
  TextCodes kind, name;
};

struct NodeValues {
  std::string_view name;
  std::int64_t address = graph::kNotRecorded;
  std::int64_t size = graph::kNotRecorded;
  std::int64_t per_bank = graph::kNotRecorded;
  std::int64_t buffer_type = graph::kNotRecorded;
  std::int64_t device = graph::kNotRecorded;
  std::int64_t tensor = graph::kNotRecorded;
};

NodeValues buffer_values(const graph::GraphTrace& trace, std::uint32_t node) {
  const graph::BufferFacts& facts = trace.buffer_of(node);
  NodeValues values;
  if (trace.kinds[node] != graph::NodeKind::kBuffer) values.address = trace.buffer_address(node);
  values.size = facts.size_bytes;
  values.per_bank = facts.max_size_per_bank_bytes;
  values.buffer_type = facts.buffer_type;
  values.device = facts.device_id;
  return values;
}

NodeValues program_values(const graph::GraphTrace& trace, std::uint32_t node) {
  const graph::ProgramBufferFacts& facts = trace.program_buffer_of(node);
  NodeValues values;
  values.address = trace.program_addresses[trace.details[node]];
  values.size = facts.size_bytes;
  values.device = facts.device_id;
  return values;
}

NodeValues tensor_values(const graph::GraphTrace& trace, std::uint32_t node) {
  const graph::TensorFacts& facts = trace.tensor_facts_of(node);
  NodeValues values;
  values.address = trace.tensor_of(node).address;
  values.size = facts.size_bytes;
  values.buffer_type = facts.buffer_type;
  values.device = facts.device_id;
  values.tensor = trace.tensor_of(node).tensor_id;
  return values;
}

NodeValues values_of(const graph::GraphTrace& trace, std::uint32_t node) {
  NodeValues values;
  switch (trace.kinds[node]) {
    case graph::NodeKind::kBuffer:
    case graph::NodeKind::kBufferAllocate:
    case graph::NodeKind::kBufferDeallocate:
      return buffer_values(trace, node);
    case graph::NodeKind::kCircularBufferAllocate:
    case graph::NodeKind::kDataflowBufferAllocate:
    case graph::NodeKind::kScratchpadAllocate:
      return program_values(trace, node);
    case graph::NodeKind::kTensor:
      return tensor_values(trace, node);
    case graph::NodeKind::kFunctionStart:
      values.name = trace.text(trace.function_of(node).name);
      return values;
    case graph::NodeKind::kFunctionEnd:
      values.name = trace.text(trace.function_ends[trace.details[node]].name);
      return values;
    case graph::NodeKind::kDeallocateAll:
      values.device = trace.device_ids[trace.details[node]];
      return values;
    default:
      return values;
  }
}

void add_nodes(NodeColumns& columns, const graph::GraphTrace& trace, std::int64_t segment) {
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    const NodeValues values = values_of(trace, node);
    columns.segment.push_back(segment);
    columns.counter.push_back(trace.counter(node));
    columns.level.push_back(trace.levels[node]);
    columns.address.push_back(values.address);
    columns.size.push_back(values.size);
    columns.per_bank.push_back(values.per_bank);
    columns.buffer_type.push_back(values.buffer_type);
    columns.device.push_back(values.device);
    columns.tensor.push_back(values.tensor);
    columns.kind.add(graph::node_type_text(trace.kinds[node]));
    columns.name.add(values.name);
  }
}

Table nodes_table(const graph::GraphCapture& capture) {
  NodeColumns columns;
  std::int64_t number = 0;
  for (const graph::GraphSegment& segment : capture.segments) add_nodes(columns, segment.trace, number++);
  Table table{"nodes", {}};
  table.add("segment", std::move(columns.segment));
  table.add("counter", std::move(columns.counter));
  table.add("node_type", columns.kind.take());
  table.add("stacking_level", std::move(columns.level));
  table.add("name", columns.name.take());
  table.add("address", std::move(columns.address));
  table.add("size_bytes", std::move(columns.size));
  table.add("max_size_per_bank_bytes", std::move(columns.per_bank));
  table.add("buffer_type", std::move(columns.buffer_type));
  table.add("device_id", std::move(columns.device));
  table.add("tensor_id", std::move(columns.tensor));
  return table;
}

Result<Table> segments_table(const graph::GraphCapture& capture) {
  TextCodes names;
  Numbers peak, allocations, deallocations, cb, l1, total;
  for (const graph::GraphSegment& segment : capture.segments) {
    const auto dram = graph::dram_usage(segment.trace);
    if (!dram) return failure(dram.error());
    const auto core = graph::l1_usage(segment.trace, graph::kCorrectedRules);
    if (!core) return failure(core.error());
    names.add(segment.name);
    peak.push_back(dram->peak);
    allocations.push_back(dram->total_allocations);
    deallocations.push_back(dram->total_deallocations);
    cb.push_back(static_cast<std::int64_t>(core->peak_cb));
    l1.push_back(static_cast<std::int64_t>(core->peak_l1));
    total.push_back(static_cast<std::int64_t>(core->peak_total));
  }
  Table table{"segments", {}};
  table.add("name", names.take());
  table.add("dram_peak_bytes", std::move(peak));
  table.add("dram_allocations_bytes", std::move(allocations));
  table.add("dram_deallocations_bytes", std::move(deallocations));
  table.add("l1_peak_cb_bytes_per_core", std::move(cb));
  table.add("l1_peak_buffer_bytes_per_core", std::move(l1));
  table.add("l1_peak_total_bytes_per_core", std::move(total));
  return table;
}

}  // namespace

Result<ProfileTables> graph_tables(const graph::GraphCapture& capture) {
  auto segments = segments_table(capture);
  if (!segments) return failure(segments.error());
  ProfileTables profile;
  profile.kind = "graph_capture";
  profile.tables.push_back(std::move(*segments));
  profile.tables.push_back(nodes_table(capture));
  return profile;
}

}  // namespace ttscope::tables
