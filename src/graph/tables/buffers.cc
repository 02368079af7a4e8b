// A table of declared.h.
#include "graph/analyse/names.h"
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

const BufferLife& life_of(const CalledRows& rows, std::size_t row) {
  const ListRows::Place place = rows.place(row);
  return rows.profile->segments[place.list].profile.buffers[place.index];
}

template <typename Get>
table::ColumnOf<CalledRows> of_life(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<CalledRows>(
      name, unit, doc, [](const CalledRows& rows, std::size_t row) { return Get{}(life_of(rows, row)); });
}
/// A column that reads the capture as well.
template <typename Get>
table::ColumnOf<CalledRows> of_buffer(std::string_view name, std::string_view doc, Get) {
  return table::column<CalledRows>(name, "", doc, [](const CalledRows& rows, std::size_t row) {
    return Get{}(*rows.segment(row).trace, life_of(rows, row));
  });
}

std::vector<table::ColumnOf<CalledRows>> buffer_columns() {
  return {
      table::ascending(table::column<CalledRows>("buffer", "",
                                                 "Number of the buffer, from 0, over all segments",
                                                 [](const CalledRows&, std::size_t row) { return row; })),
      segment_column<CalledRows>(),
      of_buffer("name", "The first tensor in it, with shape and type, or the kind of buffer",
                [](const GraphTrace& trace, const BufferLife& life) { return buffer_title(trace, life); }),
      table::column<CalledRows>(
          "kind", "", "`weight`, `gradient`, `moment`, `activation`, `input`, `binary`, where known",
          [](const CalledRows& rows, std::size_t row) {
            return text_or_none(
                buffer_kind(*rows.segment(row).trace, rows.segment(row).profile, life_of(rows, row)));
          }),
      of_buffer("owner", "Whose memory it is: `layers.0.mlp.w1/weight`; where the capture says it",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return text_or_none(buffer_owner(trace, life));
                }),
      of_buffer("memory", "`DRAM`, `L1`, `L1_SMALL`, `TRACE` or `SYSTEM_MEMORY`",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return text_or_none(buffer_type_text(trace, trace.buffer_facts[life.facts]));
                }),
      of_buffer("layout", "`INTERLEAVED`, `HEIGHT_SHARDED`, ... as recorded",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return text_or_none(trace.text(trace.buffer_facts[life.facts].layout));
                }),
      of_buffer("tensor_id", "Number of the first tensor in it",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return life.tensor == kNone ? std::nullopt
                                              : recorded(trace.tensor_of(life.tensor).tensor_id);
                }),
      of_buffer("device_id", "Mesh that it lies on",
                [](const GraphTrace& trace, const BufferLife& life) {
                  return recorded(trace.buffer_facts[life.facts].device_id);
                }),
  };
}

std::vector<table::ColumnOf<CalledRows>> life_columns() {
  return {
      of_life("address", "", "Address in each bank; 0 where nothing was allocated",
              [](const BufferLife& life) { return recorded(life.address); }),
      of_life("size_bytes", "bytes", "Size of the whole buffer on one device, without padding; measured",
              [](const BufferLife& life) { return life.size_bytes; }),
      of_life("bytes_per_bank", "bytes",
              "What it takes of the fullest bank; measured, or derived where the capture leaves it out; 0: "
              "not known",
              [](const BufferLife& life) { return life.per_bank_bytes; }),
      of_life("in_dram", "", "Whether it counts as DRAM",
              [](const BufferLife& life) { return life.in_dram; }),
      of_life("allocated_at_node", "", "Node that allocates it; null where it is older than the capture",
              [](const BufferLife& life) { return node_or_none(life.allocated); }),
      of_life("freed_at_node", "", "Node that frees it; null where it outlives the capture",
              [](const BufferLife& life) { return node_or_none(life.freed); }),
      table::column<CalledRows>("producer_op", "", "Number of the innermost call that allocates it, in `ops`",
                                [](const CalledRows& rows, std::size_t row) {
                                  return rows.ops->op_of(rows.segment_number(row), life_of(rows, row).call);
                                }),
  };
}

}  // namespace

const table::TableOf<CalledRows>& buffers_spec() {
  static const table::TableOf<CalledRows> kSpec = [] {
    std::vector<table::ColumnOf<CalledRows>> columns = buffer_columns();
    for (const table::ColumnOf<CalledRows>& column : life_columns()) columns.push_back(column);
    return table::table_of<CalledRows>("buffers", "A device buffer that the capture allocates, frees or uses",
                                       columns);
  }();
  return kSpec;
}

}  // namespace ttscope::graph
