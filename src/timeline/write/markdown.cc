#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "timeline/tables/tables.h"
#include "timeline/write/outputs.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::timeline {
namespace {

constexpr std::size_t kMaxRows = 200;

void write_rest(std::size_t shown, std::size_t all, Writer& out) {
  if (shown < all) out.write(fmt::format("\n*... and {} more rows*\n", all - shown));
}

void write_kind(const Profile& profile, TrackKind kind, Writer& out) {
  const std::vector<const ZoneStat*> stats = stats_of_kind(profile, kind);
  if (stats.empty()) return;
  out.write(fmt::format(
      "\n## {}\n| Zone | Place | Count | Total (ns) | Self (ns) | Mean (ns) | Median (ns) | Min (ns) | Max "
      "(ns) |\n|------|-------|-------|------------|-----------|-----------|-------------|----------|--------"
      "--|\n",
      kind_title(kind)));
  const Timeline& timeline = profile.timeline;
  const std::size_t shown = std::min(stats.size(), kMaxRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const ZoneStat& stat = *stats[i];
    out.write(fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                          markdown_code(timeline.name_of_location(stat.location)),
                          markdown_cell(whereabouts_text(timeline, stat)), stat.count, stat.total_ns,
                          stat.self_ns, stat.mean_ns(), stat.median_ns, stat.min_ns, stat.max_ns));
  }
  write_rest(shown, stats.size(), out);
}

void write_messages(const Timeline& timeline, Writer& out) {
  if (timeline.messages.empty()) return;
  out.write("\n## Messages\n| Time (ns) | Message |\n|-----------|---------|\n");
  const std::size_t shown = std::min(timeline.messages.size(), kMaxRows);
  for (std::size_t i = 0; i < shown; ++i) {
    constexpr std::size_t kMaxBytes = 200;
    const std::string_view text = timeline.text(timeline.messages[i].text);
    out.write(fmt::format("| {} | {}{} |\n", timeline.messages[i].time_ns,
                          markdown_code(text.substr(0, kMaxBytes)), text.size() > kMaxBytes ? " ..." : ""));
  }
  write_rest(shown, timeline.messages.size(), out);
}

void write_trust(const Timeline& timeline, Writer& out) {
  out.write("\n## Trust\n");
  for (const TimelineSource& source : timeline.sources) {
    out.write(fmt::format("- read: {}, {}\n", markdown_code(source.path), source.format));
  }
  for (const Alignment& alignment : timeline.alignments) {
    out.write(fmt::format("- axis: {}: {}\n", markdown_cell(alignment.what),
                          markdown_cell(alignment_text(alignment))));
  }
  for (std::size_t i = 0; i < kTimelineProblemCount; ++i) {
    const auto problem = static_cast<TimelineProblem>(i);
    const std::uint64_t count = timeline.problems.count(problem);
    if (count > 0) out.write(fmt::format("- {} {}\n", count, info_of(problem).sentence));
  }
  for (const std::string& warning : warning_texts(timeline)) {
    out.write(fmt::format("- input: {}\n", markdown_cell(warning)));
  }
}

}  // namespace

void write_timeline_markdown(const Profile& profile, Writer& out) {
  out.write(fmt::format("# Timeline of {}\n\n{}\n\n{}\n", markdown_code(profile.name), ui::kDataNotice,
                        content_text(profile.timeline)));
  for (const TrackKind kind : shown_kinds()) write_kind(profile, kind, out);
  write_messages(profile.timeline, out);
  write_trust(profile.timeline, out);
}

}  // namespace ttscope::timeline
