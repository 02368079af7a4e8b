#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/analyse/profile.h"
#include "graph/analyse/usage_curve.h"
#include "table/declare.h"

/// The declared tables, each in a file of its own name; tables.cc puts them together.
namespace ttscope::graph {

/// Rows of several lists one after the other: one for each segment, or two (DRAM, then L1).
struct ListRows {
  struct Place {
    std::size_t list = 0;
    std::uint32_t index = 0;  ///< in the list
  };

  std::shared_ptr<const Profile> profile;
  std::vector<std::size_t> begins;  ///< first row of each list, and the number of rows at the end

  std::size_t size() const { return begins.back(); }
  Place place(std::size_t row) const {
    const auto next = std::upper_bound(begins.begin(), begins.end(), row);
    const auto list = static_cast<std::size_t>(next - begins.begin()) - 1;
    return {list, static_cast<std::uint32_t>(row - begins[list])};
  }
};

/// Rows of a list of each segment.
struct SegmentRows : ListRows {
  std::size_t segment_number(std::size_t row) const { return place(row).list; }
  const ProfiledSegment& segment(std::size_t row) const { return profile->segments[place(row).list]; }
};
/// `count(segment)` rows of each segment.
template <typename Rows = SegmentRows, typename Count>
std::shared_ptr<Rows> segment_rows(const std::shared_ptr<const Profile>& profile, Count count) {
  auto rows = std::make_shared<Rows>();
  rows->begins.push_back(0);
  for (const ProfiledSegment& segment : profile->segments)
    rows->begins.push_back(rows->begins.back() + count(segment));
  rows->profile = profile;
  return rows;
}

/// The calls of all segments, numbered over all of them.
struct OpRows : SegmentRows {
  /// The number of a call of a segment; none for kNone.
  std::optional<std::size_t> op_of(std::size_t segment, std::uint32_t call) const {
    return call == kNone ? std::nullopt : std::optional<std::size_t>(begins[segment] + call);
  }
};
/// Rows that name calls.
struct CalledRows : SegmentRows {
  std::shared_ptr<const OpRows> ops;
};
/// Circular buffers and the like with their lives.
struct ProgramRows : SegmentRows {
  std::vector<ProgramBufferLife> lives;
};
/// Two lists for each segment: what is live at the DRAM peak, then at the L1 peak.
struct LiveRows : ListRows {
  std::shared_ptr<const CalledRows> buffers;

  const ProfiledSegment& segment(const Place& place) const { return profile->segments[place.list / 2]; }
  static bool in_dram(const Place& place) { return place.list % 2 == 0; }
  /// The number of the buffer within its segment.
  std::uint32_t buffer(const Place& place) const {
    const SegmentProfile& found = segment(place).profile;
    return (in_dram(place) ? found.dram_peak : found.l1_peak).live[place.index];
  }
};
/// Live at the highest DRAM peak over all segments, then at the highest L1 peak.
struct OverallRows {
  std::shared_ptr<const Profile> profile;
  std::shared_ptr<const CalledRows> buffers;
  std::vector<std::uint32_t> live;  ///< in LiveSet::buffers
};
struct PartRow {
  std::uint32_t segment = 0;
  PartBytes part;
};
struct PartRows {
  std::shared_ptr<const Profile> profile;
  std::vector<PartRow> parts;
};
/// The devices that report files describe, of all files.
struct DescribedDevices {
  std::shared_ptr<const Profile> profile;
  std::vector<std::pair<std::size_t, const GraphDevice*>> devices;  ///< number of the file, device
};

const table::TableOf<Profile>& segments_spec();
const table::TableOf<OpRows>& ops_spec();
const table::TableOf<SegmentRows>& nodes_spec();
const table::TableOf<CalledRows>& buffers_spec();
const table::TableOf<ProgramRows>& circular_buffers_spec();
const table::TableOf<LiveRows>& peaks_spec();
const table::TableOf<LiveRows>& live_at_peak_spec();
const table::TableOf<OverallRows>& live_at_overall_peak_spec();
const table::TableOf<PartRows>& peak_parts_spec();
const table::TableOf<Profile>& findings_spec();
const table::TableOf<SegmentRows>& devices_spec();
const table::TableOf<DescribedDevices>& described_devices_spec();
const table::TableOf<SegmentRows>& output_tensors_spec();
const table::TableOf<SegmentRows>& differences_spec();

/// A figure that the capture may leave out.
inline std::optional<std::int64_t> recorded(std::int64_t figure) {
  return figure == kNotRecorded ? std::nullopt : std::optional<std::int64_t>(figure);
}
/// A node that may not be there.
inline std::optional<std::uint32_t> node_or_none(std::uint32_t node) {
  return node == kNone ? std::nullopt : std::optional<std::uint32_t>(node);
}
inline std::optional<std::string_view> text_or_none(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

/// The column that tells which segment a row belongs to.
template <typename Rows>
table::ColumnOf<Rows> segment_column() {
  return table::ascending(
      table::column<Rows>("segment", "", "Number of its segment, from 0, as in the table `segments`",
                          [](const Rows& rows, std::size_t row) { return rows.segment_number(row); }));
}

}  // namespace ttscope::graph
