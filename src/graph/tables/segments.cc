// A table of declared.h.
#include "graph/analyse/names.h"
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

template <typename Get>
table::ColumnOf<Profile> of_segment(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(
      name, unit, doc, [](const Profile& profile, std::size_t row) { return Get{}(profile.segments[row]); });
}
template <typename Get>
table::ColumnOf<Profile> of_busiest(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc,
                                [](const Profile& profile, std::size_t row) -> std::optional<std::int64_t> {
                                  const BusiestCore& core = profile.segments[row].profile.busiest_core;
                                  return core.known ? std::optional<std::int64_t>(Get{}(core)) : std::nullopt;
                                });
}

std::vector<table::ColumnOf<Profile>> name_columns() {
  return {
      table::ascending(table::column<Profile>("segment", "", "Number of the segment, from 0, over all files",
                                              [](const Profile&, std::size_t row) { return row; })),
      table::column<Profile>(
          "name", "", "Name that the capture has in its file; null where it has none",
          [](const Profile& profile, std::size_t row) { return text_or_none(profile.segments[row].name); }),
      table::column<Profile>("file", "", "File that it is from, as given",
                             [](const Profile& profile, std::size_t row) -> const std::string& {
                               return profile.files[profile.segments[row].file];
                             }),
      table::column<Profile>("format", "", "Kind of that file: `nodes`, `report`, `segments` or `database`",
                             [](const Profile& profile, std::size_t row) {
                               return format_text(profile.captures[profile.segments[row].file]->format);
                             }),
      of_segment("run_mode", "", "`NORMAL`, `NO_DISPATCH` (recorded without allocating) or `unknown`",
                 [](const ProfiledSegment& segment) { return run_mode_text(segment.profile); }),
      of_segment("nodes", "", "How many nodes it has",
                 [](const ProfiledSegment& segment) { return segment.trace->size(); }),
      of_segment("ops", "", "How many calls it has",
                 [](const ProfiledSegment& segment) { return segment.profile.calls.size(); }),
  };
}

std::vector<table::ColumnOf<Profile>> figure_columns() {
  return {
      of_segment("dram_peak_bytes", "bytes",
                 "Most DRAM of one device in use above the start of the capture: whole buffers, no padding; "
                 "measured",
                 [](const ProfiledSegment& segment) { return segment.profile.dram.peak; }),
      of_segment("dram_allocations_bytes", "bytes", "All DRAM that it allocates; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.dram.total_allocations; }),
      of_segment("dram_deallocations_bytes", "bytes", "All DRAM that it frees; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.dram.total_deallocations; }),
      of_segment("l1_peak_cb_bytes_per_core", "bytes per core",
                 "Most L1 in circular buffers, of the fullest chip; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.l1.peak_cb; }),
      of_segment(
          "l1_peak_buffer_bytes_per_core", "bytes per core",
          "Most L1 in buffers; measured, or derived where an old capture leaves the size in a bank out",
          [](const ProfiledSegment& segment) { return segment.profile.l1.peak_l1; }),
      of_segment("l1_peak_dataflow_buffer_bytes_per_core", "bytes per core",
                 "Most L1 in dataflow buffers; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.l1.peak_dataflow_buffer; }),
      of_segment("l1_peak_scratchpad_bytes_per_core", "bytes per core", "Most L1 in scratchpads; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.l1.peak_scratchpad; }),
      of_segment("l1_peak_total_bytes_per_core", "bytes per core",
                 "Most L1 in all of these at one moment; measured",
                 [](const ProfiledSegment& segment) { return segment.profile.l1.peak_total; }),
      of_busiest("busiest_core_x", "",
                 "Column of the core with most L1 in use, where core ranges are readable",
                 [](const BusiestCore& core) { return core.x; }),
      of_busiest("busiest_core_y", "", "Row of that core", [](const BusiestCore& core) { return core.y; }),
      of_busiest("busiest_core_peak_bytes", "bytes", "Most L1 in use of that core; derived",
                 [](const BusiestCore& core) { return core.peak_total_bytes; }),
      of_busiest("busiest_core_cb_bytes", "bytes", "Most L1 in circular buffers of any core; derived",
                 [](const BusiestCore& core) { return core.peak_cb_bytes; }),
  };
}

}  // namespace

const table::TableOf<Profile>& segments_spec() {
  static const table::TableOf<Profile> kSpec = [] {
    std::vector<table::ColumnOf<Profile>> columns = name_columns();
    for (const table::ColumnOf<Profile>& column : figure_columns()) columns.push_back(column);
    return table::table_of<Profile>(
        "segments", "A capture: a file, one phase of a tracker, or an operation of a database", columns);
  }();
  return kSpec;
}

}  // namespace ttscope::graph
