// A table of declared.h.
#include "phases/tables/declared.h"

namespace ttscope::phases {
namespace {

template <typename Get>
table::ColumnOf<SpreadRows> of_part(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<SpreadRows>(name, unit, doc, [](const SpreadRows& rows, std::size_t row) {
    return Get{}(rows.configuration(row).components[rows.places[row].index]);
  });
}

}  // namespace

const table::TableOf<SpreadRows>& components_spec() {
  static const table::TableOf<SpreadRows> kSpec = table::table_of<SpreadRows>(
      "components", "A part of a run's peak; the parts of a run add up to its peak",
      {
          summary_column(),
          configuration_column(),
          of_part("kind", "",
                  "What the memory is used for: `other`, `model`, `gradients_overhead`, "
                  "`optimizer`, `activations`, `gradients`, `other_phases` or `temporaries`",
                  [](const Component& part) { return name_of(part.kind); }),
          of_part("bytes", "bytes",
                  "Size at the moment of the peak: measured, or as expected for model "
                  "and optimizer",
                  [](const Component& part) { return part.bytes; }),
          of_part("measured_bytes", "bytes", "The same with measured sizes for all parts",
                  [](const Component& part) { return part.measured_bytes; }),
          of_part("confidence", "", "Whether `bytes` is `measured`, `derived` or `modelled`",
                  [](const Component& part) { return name_of(part.confidence); }),
      });
  return kSpec;
}

}  // namespace ttscope::phases
