#include "timeline/write/terminal/timeline_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/text_escape.h"
#include "report/number_text.h"
#include "timeline/tables/finding_text.h"
#include "timeline/write/terminal/timeline_words.h"

namespace ttscope::timeline {
namespace {

using Ink = report::Painter::Ink;

constexpr std::size_t kFigure = 11;
constexpr std::size_t kCount = 9;
constexpr std::size_t kShare = 7;
constexpr std::size_t kRoomForMean = 100;  ///< columns

class Report {
 public:
  Report(const Profile& profile, const report::TextOptions& options)
      : profile_(profile),
        timeline_(profile.timeline),
        rows_(options.top <= 0 ? SIZE_MAX : static_cast<std::size_t>(options.top)),
        out_(options.color, static_cast<std::size_t>(std::clamp(options.width, 72, 140))) {}

  std::string make() {
    out_.line(out_.paint(fmt::format("Timeline of {}", terminal_safe(profile_.name)), Ink::kBold));
    out_.paragraph(2, content_words(timeline_));
    for (const TrackKind kind : shown_kinds()) add_kind(kind);
    add_messages();
    add_plots();
    add_trust();
    return out_.take();
  }

 private:
  void add_kind(TrackKind kind) {
    const std::vector<const ZoneStat*> stats = stats_of_kind(profile_, kind);
    if (stats.empty()) return;
    std::size_t tracks = 0;
    for (const Track& track : timeline_.tracks) tracks += track.kind == kind ? 1 : 0;
    out_.heading(kind_title(kind),
                 report::counted(tracks, "track") + (tracks == 1 ? ", share: own time of its time"
                                                                 : ", share: own time of the time of all"));
    whole_ns_ = (timeline_.last_ns - timeline_.first_ns) * static_cast<std::int64_t>(tracks);
    // A mean is told by count and total: where there is little room, names need it more.
    shows_mean_ = out_.width() >= kRoomForMean;
    name_width_ = out_.width() - 2 - kCount - (shows_mean_ ? 4 : 3) * kFigure - kShare;
    out_.line("  " + report::pad_right("Zone", name_width_) + report::pad_left("count", kCount) +
              report::pad_left("total", kFigure) + report::pad_left("own", kFigure) +
              report::pad_left("share", kShare) + (shows_mean_ ? report::pad_left("mean", kFigure) : "") +
              report::pad_left("longest", kFigure));
    const std::size_t shown = std::min(stats.size(), rows_);
    std::map<std::string, std::size_t> alike;
    for (std::size_t i = 0; i < shown; ++i) ++alike[report::fit(name_of(*stats[i]), name_width_)];
    for (std::size_t i = 0; i < shown; ++i) {
      add_stat(*stats[i], alike[report::fit(name_of(*stats[i]), name_width_)] > 1);
    }
    if (shown < stats.size()) {
      out_.line(
          fmt::format("  ... {} more (--top 0 shows all)", report::counted(stats.size() - shown, "row")));
    }
  }

  std::string name_of(const ZoneStat& stat) const {
    return terminal_safe(timeline_.name_of_location(stat.location));
  }

  /// The name, and where it stands if there is room for that, or if another row would look the same.
  std::string name_cell(const ZoneStat& stat, bool has_double) const {
    const std::string own = name_of(stat);
    const std::string place = terminal_safe(whereabouts_words(timeline_, stat));
    constexpr std::size_t kBetween = 2;
    const std::size_t width = report::display_width(own) + kBetween + report::display_width(place);
    if (place.empty() || (width > name_width_ && !has_double)) {
      return report::pad_right(report::fit(own, name_width_), name_width_);
    }
    const std::string shown_place = report::fit(place, name_width_ * 3 / 5);
    const std::size_t room = name_width_ - kBetween - report::display_width(shown_place);
    const std::string shown_name = report::fit(own, room);
    const std::size_t taken =
        report::display_width(shown_name) + kBetween + report::display_width(shown_place);
    // Colour codes take no columns.
    return shown_name + "  " + out_.paint(shown_place, Ink::kDim) + std::string(name_width_ - taken, ' ');
  }

  void add_stat(const ZoneStat& stat, bool has_double) {
    out_.line("  " + name_cell(stat, has_double) + report::pad_left(report::count_text(stat.count), kCount) +
              report::pad_left(time_words(stat.total_ns), kFigure) +
              report::pad_left(time_words(stat.self_ns), kFigure) +
              report::pad_left(report::percent_text(report::ratio(stat.self_ns, whole_ns_)), kShare) +
              (shows_mean_ ? report::pad_left(time_words(stat.mean_ns()), kFigure) : "") +
              report::pad_left(time_words(stat.max_ns), kFigure));
  }

  void add_messages() {
    if (timeline_.messages.empty()) return;
    out_.heading("Messages", report::counted(timeline_.messages.size(), "message"));
    const std::size_t shown = std::min(timeline_.messages.size(), rows_);
    for (std::size_t i = 0; i < shown; ++i) {
      const Message& message = timeline_.messages[i];
      const std::string time = report::pad_left(time_words(message.time_ns), kFigure + 2);
      constexpr std::size_t kMostBytes = 400;  // a message may hold a whole document
      const std::string text = terminal_safe(timeline_.text(message.text).substr(0, kMostBytes));
      out_.line("  " + time + "  " + fitted_message(text, out_.width() - kFigure - 6));
    }
    if (shown < timeline_.messages.size()) {
      out_.line(fmt::format("  ... {} more", report::count_text(timeline_.messages.size() - shown)));
    }
  }

  /// Of an op's message the beginning tells what it is, of others often the end (a place in the source).
  static std::string fitted_message(const std::string& text, std::size_t width) {
    constexpr std::string_view kOpMark = "`TT_DNN_DEVICE_OP: \"";
    if (!text.starts_with(kOpMark) || report::display_width(text) <= width) return report::fit(text, width);
    const std::size_t name_end = text.find('"', kOpMark.size());
    if (name_end == std::string::npos || name_end + 2 > width) return report::fit(text, width);
    const std::string name = text.substr(0, name_end + 1);
    return name + report::fit(text.substr(name_end + 1), width - report::display_width(name));
  }

  /// Behind what it belongs to, where several have its name.
  std::string plot_name(const Plot& plot) const {
    const auto same = std::count_if(timeline_.plots.begin(), timeline_.plots.end(),
                                    [&](const Plot& other) { return other.name == plot.name; });
    std::string name = terminal_safe(timeline_.text(plot.name));
    if (same < 2 || plot.group == kNone) return name;
    return fmt::format("{}: {}", terminal_safe(full_name(timeline_, plot.group)), name);
  }

  void add_plots() {
    if (timeline_.plots.empty()) return;
    out_.heading("Plots");
    const std::size_t shown = std::min(timeline_.plots.size(), rows_);
    std::size_t name_width = 0;
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string name = plot_name(timeline_.plots[i]);
      name_width = std::clamp(report::display_width(name), name_width, out_.width() / 2);
    }
    for (std::size_t i = 0; i < shown; ++i) {
      const Plot& plot = timeline_.plots[i];
      const auto [low, high] =
          std::minmax_element(plot.points.begin(), plot.points.end(),
                              [](const PlotPoint& a, const PlotPoint& b) { return a.value < b.value; });
      const std::string name = report::fit(plot_name(plot), name_width);
      out_.line(fmt::format("  {}  {}, from {} to {}{}", report::pad_right(name, name_width),
                            report::counted(plot.points.size(), "point"), value_text(plot, low->value),
                            value_text(plot, high->value), plot.made ? " (derived)" : ""));
    }
    if (shown < timeline_.plots.size()) {
      out_.line(fmt::format("  ... {} more", report::count_text(timeline_.plots.size() - shown)));
    }
  }

  static std::string value_text(const Plot& plot, double value) {
    constexpr double kMost = 9e18;
    if (plot.unit == PlotUnit::kBytes && value > -kMost && value < kMost) {
      return report::size_text(static_cast<std::int64_t>(value));
    }
    return fmt::format("{:g}{}", value, plot.unit == PlotUnit::kPercent ? " %" : "");
  }

  void add_trust() {
    out_.heading("Trust");
    for (const TimelineSource& source : timeline_.sources) {
      std::string text = fmt::format("{}: {}", terminal_safe(source.path), source.format);
      if (!source.program.empty()) text += fmt::format(", of {}", terminal_safe(source.program));
      if (source.not_kept > 0) {
        text += fmt::format("; {} of locks and samples read over", report::counted(source.not_kept, "event"));
      }
      out_.item("read", text);
    }
    for (const Alignment& alignment : timeline_.alignments) {
      out_.item("axis", fmt::format("{}: {}", terminal_safe(alignment.what), alignment_words(alignment)));
    }
    for (std::size_t i = 0; i < kTimelineProblemCount; ++i) {
      const auto problem = static_cast<TimelineProblem>(i);
      const std::uint64_t count = timeline_.problems.count(problem);
      if (count == 0) continue;
      const auto& places = timeline_.problems.places(problem);
      out_.item(info_of(problem).repaired ? "repaired" : "skipped",
                fmt::format("{} {}{}{}", report::count_text(count), info_of(problem).sentence,
                            places.empty() ? "" : "; first in the ",
                            places.empty() ? "" : terminal_safe(places.front())));
    }
    for (const std::string& warning : warning_texts(timeline_)) {
      out_.item("input", terminal_safe(warning), Ink::kYellow);
    }
  }

  std::int64_t whole_ns_ = 0;  ///< of all tracks of the kind on show
  std::size_t name_width_ = 0;
  bool shows_mean_ = true;
  const Profile& profile_;
  const Timeline& timeline_;
  std::size_t rows_;
  report::Painter out_;
};

}  // namespace

std::string timeline_summary_text(const Profile& profile, const report::TextOptions& options) {
  return Report(profile, options).make();
}

}  // namespace ttscope::timeline
