// Two tables of declared.h: what is live at the highest sum over all segments, and the parts of peaks.
#include "graph/analyse/names.h"
#include "graph/tables/declared.h"

namespace ttscope::graph {
namespace {

const JoinedBuffer& joined_of(const OverallRows& rows, std::size_t row) {
  return rows.profile->live.buffers[rows.live[row]];
}

template <typename Get>
table::ColumnOf<OverallRows> of_joined(std::string_view name, std::string_view unit, std::string_view doc,
                                       Get) {
  return table::column<OverallRows>(name, unit, doc, [](const OverallRows& rows, std::size_t row) {
    return Get{}(rows, joined_of(rows, row));
  });
}

template <typename Get>
table::ColumnOf<PartRows> of_part(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<PartRows>(name, unit, doc, [](const PartRows& rows, std::size_t row) {
    return Get{}(*rows.profile, rows.parts[row]);
  });
}

}  // namespace

const table::TableOf<OverallRows>& live_at_overall_peak_spec() {
  static const table::TableOf<OverallRows> kSpec = table::table_of<OverallRows>(
      "live_at_overall_peak", "A buffer that is live when a memory is fullest over all segments",
      {
          of_joined("memory", "", "`DRAM` or `L1`",
                    [](const OverallRows&, const JoinedBuffer& buffer) {
                      return std::string_view(buffer.in_dram ? "DRAM" : "L1");
                    }),
          of_joined("segment", "", "Number of the segment that allocates it",
                    [](const OverallRows&, const JoinedBuffer& buffer) { return buffer.segment; }),
          of_joined("buffer", "", "Its number in the table `buffers`",
                    [](const OverallRows& rows, const JoinedBuffer& buffer) {
                      return rows.buffers->begins[buffer.segment] + buffer.buffer;
                    }),
          of_joined("name", "", "Its owner or first tensor, with shape and type",
                    [](const OverallRows& rows, const JoinedBuffer& buffer) {
                      const ProfiledSegment& segment = rows.profile->segments[buffer.segment];
                      return buffer_title(*segment.trace, segment.profile.buffers[buffer.buffer]);
                    }),
          of_joined("kind", "",
                    "`weight`, `gradient`, `moment`, `activation`, `input`, `binary`, where known",
                    [](const OverallRows&, const JoinedBuffer& buffer) { return text_or_none(buffer.kind); }),
          of_joined(
              "owner", "", "Whose memory it is: `layers.0.mlp.w1/weight`; where the capture says it",
              [](const OverallRows&, const JoinedBuffer& buffer) { return text_or_none(buffer.owner); }),
          of_joined("bytes_of_peak", "bytes", "What it adds to the peak: whole (DRAM), of a core (L1)",
                    [](const OverallRows&, const JoinedBuffer& buffer) { return buffer.bytes; }),
          of_joined("freed_in_segment", "", "Number of the segment that frees it; null where none does",
                    [](const OverallRows&, const JoinedBuffer& buffer) {
                      return node_or_none(buffer.freed.segment);
                    }),
      });
  return kSpec;
}

const table::TableOf<PartRows>& peak_parts_spec() {
  static const table::TableOf<PartRows> kSpec = table::table_of<PartRows>(
      "peak_parts", "A part of a DRAM peak of a segment, with what earlier segments left",
      {
          of_part("segment", "", "Number of the segment",
                  [](const Profile&, const PartRow& row) { return row.segment; }),
          of_part("is_overall", "", "Whether it is the segment with the highest peak of all",
                  [](const Profile& profile, const PartRow& row) {
                    return profile.live.dram.at.segment == row.segment;
                  }),
          of_part(
              "part", "",
              "Kind of memory (`weight`, ...) where the captures say it, else the segment that allocated it",
              [](const Profile& profile, const PartRow& row) -> const std::string& {
                return profile.live.parts[row.part.part];
              }),
          of_part("buffers", "", "Number of buffers",
                  [](const Profile&, const PartRow& row) { return row.part.buffers; }),
          of_part("bytes", "bytes", "Whole buffers of one device; measured",
                  [](const Profile&, const PartRow& row) { return row.part.bytes; }),
      });
  return kSpec;
}

}  // namespace ttscope::graph
