// A table of declared.h.
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

template <typename Get>
table::ColumnOf<SegmentRows> of_output(std::string_view name, std::string_view unit, std::string_view doc,
                                       Get) {
  return table::column<SegmentRows>(name, unit, doc, [](const SegmentRows& rows, std::size_t row) {
    const ListRows::Place place = rows.place(row);
    const ProfiledSegment& segment = rows.profile->segments[place.list];
    return Get{}(*segment.trace, segment.profile.outputs[place.index]);
  });
}

template <std::uint32_t TensorFacts::*kField>
table::ColumnOf<SegmentRows> text_of_output(std::string_view name, std::string_view doc) {
  return of_output(name, "", doc, [](const GraphTrace& trace, std::uint32_t node) {
    return text_or_none(trace.text(trace.tensor_facts_of(node).*kField));
  });
}

}  // namespace

const table::TableOf<SegmentRows>& output_tensors_spec() {
  static const table::TableOf<SegmentRows> kSpec = table::table_of<SegmentRows>(
      "output_tensors", "A tensor that the last outermost call of a segment leaves",
      {
          segment_column<SegmentRows>(),
          of_output("node", "", "Node of the tensor",
                    [](const GraphTrace&, std::uint32_t node) { return node; }),
          of_output("tensor_id", "", "Its number, as recorded",
                    [](const GraphTrace& trace, std::uint32_t node) {
                      return recorded(trace.tensor_of(node).tensor_id);
                    }),
          text_of_output<&TensorFacts::shape>("shape", "Its shape, as recorded"),
          text_of_output<&TensorFacts::dtype>("dtype", "Its type, as recorded"),
          text_of_output<&TensorFacts::layout>("layout", "Its layout, as recorded"),
          of_output("size_bytes", "bytes", "Its size, as recorded",
                    [](const GraphTrace& trace, std::uint32_t node) {
                      return recorded(trace.tensor_facts_of(node).size_bytes);
                    }),
          of_output("address", "", "Its address, as recorded",
                    [](const GraphTrace& trace, std::uint32_t node) {
                      return recorded(trace.tensor_of(node).address);
                    }),
          of_output("device_id", "", "Device that it lies on, as recorded",
                    [](const GraphTrace& trace, std::uint32_t node) {
                      return recorded(trace.tensor_facts_of(node).device_id);
                    }),
      });
  return kSpec;
}

}  // namespace ttscope::graph
