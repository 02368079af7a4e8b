// Two tables of declared.h: the moments of the peaks, and what is live then.
#include "graph/analyse/names.h"
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

using Place = ListRows::Place;

/// A peak is a list of live buffers, so a row of `peaks` is a list.
Place list_of(std::size_t row) { return {row, 0}; }

const GraphPeak& peak_of(const LiveRows& rows, const Place& place) {
  const SegmentProfile& found = rows.segment(place).profile;
  return LiveRows::in_dram(place) ? found.dram_peak : found.l1_peak;
}
std::string_view memory_of(const Place& place) { return LiveRows::in_dram(place) ? "DRAM" : "L1"; }

std::optional<std::string> path_of(const LiveRows& rows, const Place& place, std::uint32_t call) {
  if (call == kNone) return std::nullopt;
  const ProfiledSegment& segment = rows.segment(place);
  return call_path(*segment.trace, segment.profile, call);
}

template <typename Get>
table::ColumnOf<LiveRows> of_peak(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<LiveRows>(
      name, unit, doc, [](const LiveRows& rows, std::size_t row) { return Get{}(rows, list_of(row)); });
}
template <typename Get>
table::ColumnOf<LiveRows> of_live(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<LiveRows>(name, unit, doc, [](const LiveRows& rows, std::size_t row) {
    const Place place = rows.place(row);
    return Get{}(rows, place, rows.segment(place).profile.buffers[rows.buffer(place)]);
  });
}

}  // namespace

const table::TableOf<LiveRows>& peaks_spec() {
  static const table::TableOf<LiveRows> kSpec = table::table_of<LiveRows>(
      "peaks",
      "The moment at which the use of a memory is highest in a segment: one row for DRAM, one for L1",
      {
          table::ascending(of_peak("segment", "", "Number of the segment, as in the table `segments`",
                                   [](const LiveRows&, const Place& place) { return place.list / 2; })),
          of_peak("memory", "", "`DRAM` (bytes of one device) or `L1` (bytes per core)",
                  [](const LiveRows&, const Place& place) { return memory_of(place); }),
          of_peak("bytes", "bytes", "What is in use then above the start of the capture; measured",
                  [](const LiveRows& rows, const Place& place) { return peak_of(rows, place).bytes; }),
          of_peak("node", "", "Node that reaches it; null where use never rises above the start",
                  [](const LiveRows& rows, const Place& place) {
                    return node_or_none(peak_of(rows, place).node);
                  }),
          of_peak("op", "", "Number of the innermost call around it, in `ops`",
                  [](const LiveRows& rows, const Place& place) {
                    return rows.buffers->ops->op_of(place.list / 2, peak_of(rows, place).call);
                  }),
          of_peak("path", "", "The functions around it, outermost first",
                  [](const LiveRows& rows, const Place& place) {
                    return path_of(rows, place, peak_of(rows, place).call);
                  }),
          of_peak("live_buffers", "", "How many buffers of the capture are live then",
                  [](const LiveRows& rows, const Place& place) { return peak_of(rows, place).live.size(); }),
          of_peak("older_freed_bytes", "bytes",
                  "Buffers older than the capture that were freed before: live less this is the peak",
                  [](const LiveRows& rows, const Place& place) {
                    return peak_of(rows, place).older_freed_bytes;
                  }),
          of_peak(
              "programs_bytes", "bytes", "Circular buffers and the like at that moment; L1 only",
              [](const LiveRows& rows, const Place& place) { return peak_of(rows, place).programs_bytes; }),
      });
  return kSpec;
}

const table::TableOf<LiveRows>& live_at_peak_spec() {
  static const table::TableOf<LiveRows> kSpec = table::table_of<LiveRows>(
      "live_at_peak", "A buffer that is live at the peak of its memory, largest first",
      {
          table::ascending(
              of_live("segment", "", "Number of the segment, as in the table `segments`",
                      [](const LiveRows&, const Place& place, const BufferLife&) { return place.list / 2; })),
          of_live("memory", "", "`DRAM` or `L1`: the peak that it is live at",
                  [](const LiveRows&, const Place& place, const BufferLife&) { return memory_of(place); }),
          of_live("buffer", "", "Number of the buffer in the table `buffers`",
                  [](const LiveRows& rows, const Place& place, const BufferLife&) {
                    return rows.buffers->begins[place.list / 2] + rows.buffer(place);
                  }),
          of_live("name", "", "The first tensor in it, with shape and type, or the kind of buffer",
                  [](const LiveRows& rows, const Place& place, const BufferLife& life) {
                    return buffer_title(*rows.segment(place).trace, life);
                  }),
          of_live("size_bytes", "bytes", "Size of the whole buffer on one device; measured",
                  [](const LiveRows&, const Place&, const BufferLife& life) { return life.size_bytes; }),
          of_live("bytes_per_bank", "bytes", "What it takes of the fullest bank; measured or derived",
                  [](const LiveRows&, const Place&, const BufferLife& life) { return life.per_bank_bytes; }),
          of_live("bytes_of_peak", "bytes", "What it adds to the peak: its size in DRAM, of a core in L1",
                  [](const LiveRows&, const Place& place, const BufferLife& life) {
                    return LiveRows::in_dram(place) ? life.size_bytes : life.per_bank_bytes;
                  }),
          of_live("allocated_at_node", "", "Node that allocates it",
                  [](const LiveRows&, const Place&, const BufferLife& life) {
                    return node_or_none(life.allocated);
                  }),
          of_live("path", "", "The functions that allocate it, outermost first",
                  [](const LiveRows& rows, const Place& place, const BufferLife& life) {
                    return path_of(rows, place, life.call);
                  }),
      });
  return kSpec;
}

}  // namespace ttscope::graph
