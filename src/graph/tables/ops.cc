// A table of declared.h.
#include "graph/analyse/names.h"
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

const GraphCall& call_of(const OpRows& rows, std::size_t row) {
  const ListRows::Place place = rows.place(row);
  return rows.profile->segments[place.list].profile.calls[place.index];
}

template <typename Get>
table::ColumnOf<OpRows> of_call(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<OpRows>(name, unit, doc,
                               [](const OpRows& rows, std::size_t row) { return Get{}(call_of(rows, row)); });
}

std::vector<table::ColumnOf<OpRows>> place_columns() {
  return {
      table::ascending(table::column<OpRows>("op", "", "Number of the call, from 0, over all segments",
                                             [](const OpRows&, std::size_t row) { return row; })),
      segment_column<OpRows>(),
      table::column<OpRows>("name", "", "Name of the function as recorded: `ttnn::matmul`",
                            [](const OpRows& rows, std::size_t row) {
                              return rows.segment(row).trace->text(call_of(rows, row).name);
                            }),
      table::column<OpRows>("path", "", "The functions around it and itself, outermost first",
                            [](const OpRows& rows, std::size_t row) {
                              const ListRows::Place place = rows.place(row);
                              const ProfiledSegment& segment = rows.profile->segments[place.list];
                              return call_path(*segment.trace, segment.profile, place.index);
                            }),
      of_call("level", "", "How deep it is called, 1 is outermost; derived in old captures",
              [](const GraphCall& call) { return call.level; }),
      table::column<OpRows>("parent_op", "", "Number of the call around it; null for outermost ones",
                            [](const OpRows& rows, std::size_t row) {
                              return rows.op_of(rows.segment_number(row), call_of(rows, row).parent);
                            }),
      of_call("start_node", "", "Node where it begins", [](const GraphCall& call) { return call.start; }),
      of_call("end_node", "", "Node where it ends; null where it never ended",
              [](const GraphCall& call) { return node_or_none(call.end); }),
  };
}

std::vector<table::ColumnOf<OpRows>> use_columns() {
  return {
      of_call("duration_ns", "ns", "Host time of the call; null where not recorded; measured",
              [](const GraphCall& call) {
                return call.duration_ns == 0 ? std::nullopt : std::optional<std::int64_t>(call.duration_ns);
              }),
      of_call("dram_allocated_bytes", "bytes", "DRAM that it allocates, inner calls included; measured",
              [](const GraphCall& call) { return call.dram_allocated_bytes; }),
      of_call("dram_freed_bytes", "bytes", "DRAM that it frees, inner calls included; measured",
              [](const GraphCall& call) { return call.dram_freed_bytes; }),
      of_call("dram_peak_bytes", "bytes",
              "Most DRAM in use during it, counted from the start of the capture; measured",
              [](const GraphCall& call) { return call.dram_peak_bytes; }),
      of_call("l1_allocated_bytes_per_core", "bytes per core",
              "L1 that it allocates in buffers, inner calls included; measured",
              [](const GraphCall& call) { return call.l1_allocated_per_core_bytes; }),
      of_call("l1_freed_bytes_per_core", "bytes per core",
              "L1 that it frees in buffers, inner calls included; measured",
              [](const GraphCall& call) { return call.l1_freed_per_core_bytes; }),
      of_call("l1_peak_bytes_per_core", "bytes per core",
              "Most L1 in use during it, buffers and programs of the fullest device; measured",
              [](const GraphCall& call) { return call.l1_peak_per_core_bytes; }),
      of_call("cb_peak_bytes_per_core", "bytes per core",
              "Most L1 in circular buffers of its programs, of the fullest device; measured",
              [](const GraphCall& call) { return call.cb_peak_per_core_bytes; }),
  };
}

}  // namespace

const table::TableOf<OpRows>& ops_spec() {
  static const table::TableOf<OpRows> kSpec = [] {
    std::vector<table::ColumnOf<OpRows>> columns = place_columns();
    for (const table::ColumnOf<OpRows>& column : use_columns()) columns.push_back(column);
    return table::table_of<OpRows>(
        "ops", "A call of a function that the capture recorded, in the order of execution", columns);
  }();
  return kSpec;
}

}  // namespace ttscope::graph
