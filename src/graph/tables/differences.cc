// A table of declared.h.
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

const Difference& difference_of(const SegmentRows& rows, std::size_t row) {
  const ListRows::Place place = rows.place(row);
  return rows.profile->segments[place.list].profile.differences[place.index];
}

}  // namespace

const table::TableOf<SegmentRows>& differences_spec() {
  static const table::TableOf<SegmentRows> kSpec = table::table_of<SegmentRows>(
      "differences", "A reason why the figures of a segment differ from those of the original tracker",
      {
          segment_column<SegmentRows>(),
          table::column<SegmentRows>("kind", "", "`older_l1_freed`, `chips_apart` or `bank_derived`",
                                     [](const SegmentRows& rows, std::size_t row) {
                                       return name_of(difference_of(rows, row).kind);
                                     }),
          table::column<SegmentRows>(
              "figure", "", "Bytes per core that were freed, chips, or events without the size in a bank",
              [](const SegmentRows& rows, std::size_t row) { return difference_of(rows, row).figure; }),
      });
  return kSpec;
}

}  // namespace ttscope::graph
