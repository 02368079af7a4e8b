// A table of declared.h.
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

/// What the params of a node say, whatever its kind.
struct NodeValues {
  std::string_view name;
  std::int64_t address = kNotRecorded;
  std::int64_t size_bytes = kNotRecorded;
  std::int64_t per_bank_bytes = kNotRecorded;
  std::int64_t buffer_type = kNotRecorded;
  std::int64_t device_id = kNotRecorded;
  std::int64_t tensor_id = kNotRecorded;
};

NodeValues buffer_values(const GraphTrace& trace, std::uint32_t node) {
  const BufferFacts& facts = trace.buffer_of(node);
  NodeValues values;
  if (trace.kinds[node] != NodeKind::kBuffer) values.address = trace.buffer_address(node);
  values.size_bytes = facts.size_bytes;
  values.per_bank_bytes = facts.max_size_per_bank_bytes;
  values.buffer_type = facts.buffer_type;
  values.device_id = facts.device_id;
  return values;
}

NodeValues program_values(const GraphTrace& trace, std::uint32_t node) {
  const ProgramBufferFacts& facts = trace.program_buffer_of(node);
  NodeValues values;
  values.address = trace.program_addresses[trace.details[node]];
  values.size_bytes = facts.size_bytes;
  values.device_id = facts.device_id;
  return values;
}

NodeValues tensor_values(const GraphTrace& trace, std::uint32_t node) {
  const TensorFacts& facts = trace.tensor_facts_of(node);
  NodeValues values;
  values.address = trace.tensor_of(node).address;
  values.size_bytes = facts.size_bytes;
  values.buffer_type = facts.buffer_type;
  values.device_id = facts.device_id;
  values.tensor_id = trace.tensor_of(node).tensor_id;
  return values;
}

NodeValues values_of(const GraphTrace& trace, std::uint32_t node) {
  NodeValues values;
  switch (trace.kinds[node]) {
    case NodeKind::kBuffer:
    case NodeKind::kBufferAllocate:
    case NodeKind::kBufferDeallocate:
      return buffer_values(trace, node);
    case NodeKind::kCircularBufferAllocate:
    case NodeKind::kDataflowBufferAllocate:
    case NodeKind::kScratchpadAllocate:
      return program_values(trace, node);
    case NodeKind::kTensor:
      return tensor_values(trace, node);
    case NodeKind::kFunctionStart:
      values.name = trace.text(trace.function_of(node).name);
      return values;
    case NodeKind::kFunctionEnd:
      values.name = trace.text(trace.function_ends[trace.details[node]].name);
      return values;
    case NodeKind::kDeallocateAll:
      values.device_id = trace.device_ids[trace.details[node]];
      return values;
    default:
      return values;
  }
}

/// A column that reads the trace at a node.
template <typename Get>
table::ColumnOf<SegmentRows> of_node(std::string_view name, std::string_view doc, Get) {
  return table::column<SegmentRows>(name, "", doc, [](const SegmentRows& rows, std::size_t row) {
    const ListRows::Place place = rows.place(row);
    return Get{}(*rows.profile->segments[place.list].trace, place.index);
  });
}

template <std::int64_t NodeValues::*kField>
table::ColumnOf<SegmentRows> of_params(std::string_view name, std::string_view unit, std::string_view doc) {
  return table::column<SegmentRows>(name, unit, doc, [](const SegmentRows& rows, std::size_t row) {
    const ListRows::Place place = rows.place(row);
    return recorded(values_of(*rows.profile->segments[place.list].trace, place.index).*kField);
  });
}

/// Types that this program does not know are given as they are.
std::string_view type_text(const GraphTrace& trace, std::uint32_t node) {
  return trace.kinds[node] == NodeKind::kOther ? trace.text(trace.details[node])
                                               : node_type_text(trace.kinds[node]);
}

}  // namespace

const table::TableOf<SegmentRows>& nodes_spec() {
  static const table::TableOf<SegmentRows> kSpec = table::table_of<SegmentRows>(
      "nodes", "A node of a capture, as recorded; sizes and addresses of one device",
      {
          segment_column<SegmentRows>(),
          of_node("counter", "Number of the node, as recorded",
                  [](const GraphTrace& trace, std::uint32_t node) { return trace.counter(node); }),
          of_node("node_type", "What it records: `function_start`, `buffer_allocate` and so on",
                  [](const GraphTrace& trace, std::uint32_t node) {
                    return text_or_none(type_text(trace, node));
                  }),
          of_node("stacking_level", "How many functions it is inside of; 255 is that or deeper",
                  [](const GraphTrace& trace, std::uint32_t node) { return trace.levels[node]; }),
          of_node("name", "Name of the function, for starts and ends of functions",
                  [](const GraphTrace& trace, std::uint32_t node) {
                    return text_or_none(values_of(trace, node).name);
                  }),
          of_params<&NodeValues::address>("address", "",
                                          "Address in its memory; 0 where nothing was allocated"),
          of_params<&NodeValues::size_bytes>(
              "size_bytes", "bytes",
              "Size of the whole buffer or tensor; of circular buffers on each "
              "of their cores"),
          of_params<&NodeValues::per_bank_bytes>("max_size_per_bank_bytes", "bytes",
                                                 "What it takes of the fullest bank"),
          of_params<&NodeValues::buffer_type>(
              "buffer_type", "", "0 DRAM, 1 L1, 2 SYSTEM_MEMORY, 3 L1_SMALL, 4 TRACE, as recorded"),
          of_params<&NodeValues::device_id>("device_id", "", "Mesh for buffers, chip for circular buffers"),
          of_params<&NodeValues::tensor_id>("tensor_id", "", "Number of the tensor, for tensors"),
      });
  return kSpec;
}

}  // namespace ttscope::graph
