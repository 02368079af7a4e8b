#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/writer.h"
#include "timeline/analyze/profile.h"
#include "timeline/analyze/window.h"
#include "ui/text.h"

namespace ttscope::timeline {

/// Writes the document `ttscope.timeline/1` (docs/formats/timeline_json.md): statistics, tracks, messages and
/// plots. Single zones are in the tables and in the other forms of a timeline.
void write_timeline_json(const Profile& profile, std::string_view tool_version, Writer& out);

/// The statistics as markdown, at most 200 rows of each list.
void write_timeline_markdown(const Profile& profile, Writer& out);

/// The built page with marks where the data go; web/pages/timeline, embedded by the build.
std::string_view timeline_page_template();

/// Pages above this take browsers too long.
inline constexpr std::size_t kMaxPageBytes = 100'000'000;
/// More zones than this are not even tried.
inline constexpr std::size_t kMaxPageZones = 40'000'000;
inline constexpr std::string_view kTooLargeAdvice =
    "write a part of it (--from, --to, --op, --core), or see all of it with `ttscope serve --timeline PATH`";

struct TimelinePageOptions {
  std::string name;
  std::string_view tool_version{};
  unsigned threads = 1;
  bool windows = false;  ///< without zones: the page asks the server for those that it shows
  std::size_t most_bytes = kMaxPageBytes;
  unsigned refresh_s = 0;  ///< after which a browser gets the page anew: of a run that lasts; 0: never
};

/// Writes the page of a timeline: one file, offline (docs/formats/timeline_page.md). Nothing is written when
/// it would be too large.
Result<void> write_timeline_page(const Profile& profile, const TimelinePageOptions& options, Writer& out);

/// A window as the page takes it: `ttscope.timeline_window/1` (docs/serve_api.md).
std::string timeline_window_json(const WindowIndex& index, const WindowRequest& request,
                                 const Window& window);

/// Sums by name as JSON.
std::string sums_json(const WindowIndex& index, const std::vector<NameSum>& sums);

/// A zone that was looked for: its place, when it is, and where.
std::string hit_json(const WindowIndex& index, std::span<const std::uint32_t> hits, std::uint32_t place);

/// The track of a place and the row of it.
std::pair<std::uint32_t, std::uint32_t> row_of_place(const WindowIndex& index, std::uint32_t place);

/// The statistics of zones for a terminal, then messages, plots, and how far to trust them.
/// ui::TextOptions::top limits the rows of each list; 0 shows all.
std::string timeline_summary_text(const Profile& profile, const ui::TextOptions& options);

/// `12 ns`, `3.456 µs`, `1.234 s`.
std::string time_label(std::int64_t ns);
/// A place of the source, without its folders: `host.cpp:42`; empty where it is not known.
std::string location_label(const Timeline& timeline, std::uint32_t location);
/// What tells zones of the same name apart: their processor (`TRISC_0`) where it is one, else their place.
std::string whereabouts_text(const Timeline& timeline, const ZoneStat& stat);
/// How a source came onto the axis, and how well that is known.
std::string alignment_text(const Alignment& alignment);
/// What is in the timeline: `4 tracks, 31 zones, 9 messages, 1 plot over 562.733 ms`.
std::string content_text(const Timeline& timeline);
/// `Zones of threads`, `Zones of device processors`, ...
std::string_view kind_title(TrackKind kind);
/// Why nothing can be shown.
std::string no_input_text(const std::vector<std::string>& paths);

/// The statistics of tracks of one kind, the longest first.
std::vector<const ZoneStat*> stats_of_kind(const Profile& profile, TrackKind kind);
/// The kinds, in the order in which they are shown.
const std::vector<TrackKind>& shown_kinds();

}  // namespace ttscope::timeline
