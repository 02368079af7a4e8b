// Declared in table_source.h, as all tables of this folder are.
#include "mem/tables/table_source.h"

namespace ttscope::mem {
namespace {

using Row = std::size_t;

const Fix& fix_at(const TableSource& source, Row row) { return source.memory.fixes[row]; }
const Fix& fix_at(const FixList& source, Row row) { return source.fixes[row]; }

/// The same columns for the fixes of a profile and for those of one failure.
template <typename Source>
std::vector<table::ColumnOf<Source>> fix_columns() {
  using table::column;
  return {
      column<Source>("kind", "", "What to do, as a word",
                     [](const Source& s, Row row) { return name_of(fix_at(s, row).kind); }),
      column<Source>("memory", "", "Memory whose peak becomes smaller; null for the host's",
                     [](const Source& s, Row row) {
                       const Fix& fix = fix_at(s, row);
                       return fix.kind == FixKind::kLessOnHost ? std::optional<std::string_view>()
                                                               : std::optional(name_of(fix.memory));
                     }),
      column<Source>("rank", "", "Number of the rank (process)",
                     [](const Source& s, Row row) { return s.trace.ranks[fix_at(s, row).rank].number; }),
      column<Source>("saves_bytes_per_bank", "bytes",
                     "By how much, when the run is replayed with it; modelled",
                     [](const Source& s, Row row) { return fix_at(s, row).saves_bytes_per_bank; }),
      column<Source>("peak_before_bytes_per_bank", "bytes",
                     "The peak, or what the failed allocation made of it",
                     [](const Source& s, Row row) { return fix_at(s, row).peak_before_bytes_per_bank; }),
      column<Source>("peak_after_bytes_per_bank", "bytes", "The peak of the replayed run; modelled",
                     [](const Source& s, Row row) { return fix_at(s, row).peak_after_bytes_per_bank; }),
      column<Source>("enough", "", "Whether the failed allocation would find room",
                     [](const Source& s, Row row) { return fix_at(s, row).enough; }),
      column<Source>("tensors", "", "Tensors that take less at the peak",
                     [](const Source& s, Row row) { return fix_at(s, row).tensors; }),
  };
}

template <typename Source>
const table::TableOf<Source>& declared() {
  static const table::TableOf<Source> kSpec = table::table_of<Source>(
      "fixes", "What would make the peak smaller, what saves most first; each alone", fix_columns<Source>());
  return kSpec;
}

}  // namespace

const table::TableOf<TableSource>& fixes_spec() { return declared<TableSource>(); }
const table::TableOf<FixList>& fix_list_spec() { return declared<FixList>(); }

}  // namespace ttscope::mem
