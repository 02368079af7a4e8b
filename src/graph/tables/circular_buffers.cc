// A table of declared.h.
#include "graph/analyse/names.h"
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

template <typename Get>
table::ColumnOf<ProgramRows> of_program_buffer(std::string_view name, std::string_view unit,
                                               std::string_view doc, Get) {
  return table::column<ProgramRows>(name, unit, doc, [](const ProgramRows& rows, std::size_t row) {
    return Get{}(*rows.segment(row).trace, rows.lives[row]);
  });
}

}  // namespace

const table::TableOf<ProgramRows>& circular_buffers_spec() {
  static const table::TableOf<ProgramRows> kSpec = table::table_of<ProgramRows>(
      "circular_buffers", "A circular buffer, dataflow buffer or scratchpad of a program",
      {
          segment_column<ProgramRows>(),
          of_program_buffer("kind", "", "`circular buffer`, `dataflow buffer` or `scratchpad`",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return program_buffer_text(trace.kinds[life.allocated]);
                            }),
          of_program_buffer("device_id", "", "Chip that it lies on, as recorded",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return recorded(trace.program_buffer_of(life.allocated).device_id);
                            }),
          of_program_buffer("core_ranges", "", "Cores that it lies on: `{[0-0 - 7-7]}`",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return text_or_none(
                                  trace.text(trace.program_buffer_of(life.allocated).core_ranges));
                            }),
          of_program_buffer("address", "", "Address in the L1 of each of its cores",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return recorded(trace.program_addresses[trace.details[life.allocated]]);
                            }),
          of_program_buffer("bytes_per_core", "bytes per core", "Its size on each of its cores; measured",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return recorded(trace.program_buffer_of(life.allocated).size_bytes);
                            }),
          of_program_buffer("is_borrowed", "",
                            "Whether it lies in memory that a buffer accounts for, so that it takes nothing",
                            [](const GraphTrace& trace, const ProgramBufferLife& life) {
                              return trace.program_buffer_of(life.allocated).borrowed;
                            }),
          of_program_buffer("allocated_at_node", "", "Node that allocates it",
                            [](const GraphTrace&, const ProgramBufferLife& life) { return life.allocated; }),
          of_program_buffer(
              "released_at_node", "", "Node that releases it; null where none does",
              [](const GraphTrace&, const ProgramBufferLife& life) { return node_or_none(life.released); }),
      });
  return kSpec;
}

}  // namespace ttscope::graph
