#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "base/text.h"
#include "timeline/tables/tables.h"
#include "timeline/write/outputs.h"
#include "ui/text.h"

namespace ttscope::timeline {

std::string time_label(std::int64_t ns) {
  const double value = static_cast<double>(ns);
  const double size = value < 0 ? -value : value;
  if (size < 1e3) return fmt::format("{} ns", ns);
  if (size < 1e6) return fmt::format("{:.3f} µs", value / 1e3);
  if (size < 1e9) return fmt::format("{:.3f} ms", value / 1e6);
  return fmt::format("{:.3f} s", value / 1e9);
}

std::string location_label(const Timeline& timeline, std::uint32_t location) {
  const Location& place = timeline.locations[location];
  std::string_view file = timeline.text(place.file);
  // Of a place without a line the function tells more.
  const std::string_view function = timeline.text(place.function);
  if (place.line == 0 && !function.empty() && function != timeline.name_of_location(location))
    return std::string(function);
  if (file.empty()) return {};
  file = file.substr(file.find_last_of("/\\") + 1);
  return fmt::format("{}:{}", file, place.line);
}

std::string whereabouts_text(const Timeline& timeline, const ZoneStat& stat) {
  const std::string_view processor = timeline.text(stat.track_name);
  const bool is_told = timeline.name_of_location(stat.location).starts_with(processor);
  if (stat.kind == TrackKind::kLane && !is_told) return std::string(processor);
  return location_label(timeline, stat.location);
}

namespace {

/// What is taken for granted where nothing tells how fast a device truly counted.
std::string rate_text(const Alignment& alignment) {
  if (alignment.cycles_per_ns <= 0) return {};
  return fmt::format(" as far as it kept to {:g} MHz", std::round(alignment.cycles_per_ns * 1e6) / 1e3);
}

std::string clock_accuracy_text(std::uint64_t count, std::string_view samples, double worst_ns) {
  if (count == 0) return {};
  std::string text = fmt::format(" ({}", ui::counted(count, samples));
  if (worst_ns >= 0) text += fmt::format(", all within {}", time_label(std::llround(worst_ns)));
  return text + ")";
}

/// How a device lies beside the others and, by another way, beside the host.
std::string peer_text(const PeerExchanges& peers) {
  const std::string text = "to the other devices by exchanges with a simulated host" +
                           clock_accuracy_text(peers.count, "exchange", peers.worst_ns);
  if (peers.to_host == PeerExchanges::ToHost::kOtherOps)
    return text + "; to the host of the zones by their ops, none of which begins before it was sent";
  return text + "; how far from the host of the zones is not known";
}

}  // namespace

std::string alignment_text(const Alignment& alignment) {
  const auto known = [&](std::string_view samples) {
    return clock_accuracy_text(alignment.samples, samples, alignment.worst_ns);
  };
  switch (alignment.basis) {
    case AlignmentBasis::kAxis:
      return "its clock is the axis";
    case AlignmentBasis::kRecorded:
      return "times as the capture has them";
    case AlignmentBasis::kSync:
      if (alignment.peers.count > 0) return peer_text(alignment.peers);
      return "by exchanges between host and device" + known("exchange");
    case AlignmentBasis::kHostOps:
      return "by the host: no op begins before it was sent, so the true times are this or later" +
             rate_text(alignment) + known("shared op") +
             (alignment.peers.count > 0
                  ? "; to the other devices by exchanges" +
                        clock_accuracy_text(alignment.peers.count, "exchange", alignment.peers.worst_ns)
                  : std::string());
    case AlignmentBasis::kCollectives:
      return "by collectives, which all devices leave together" + known("collective");
    case AlignmentBasis::kDeviceOps:
      return "by the ops that the devices share, taken to begin together; how far apart they truly began is "
             "not known";
    case AlignmentBasis::kOps:
      return "by ops that both name" + known("shared op");
    case AlignmentBasis::kStamps:
      return "by the time of day that both say" + known("stamp");
    case AlignmentBasis::kStart:
      break;
  }
  return "nothing is shared with the others: it begins where they begin, offsets between them mean nothing";
}

std::string content_text(const Timeline& timeline) {
  std::string text = fmt::format("{}, {}, {}", ui::counted(timeline.tracks.size(), "track"),
                                 ui::counted(timeline.zones.size(), "zone"),
                                 ui::counted(timeline.messages.size(), "message"));
  if (!timeline.plots.empty()) text += ", " + ui::counted(timeline.plots.size(), "plot");
  if (!timeline.links.empty()) text += ", " + ui::counted(timeline.links.size(), "link");
  return text + fmt::format(" from {} to {}", time_label(timeline.first_ns), time_label(timeline.last_ns));
}

std::string_view kind_title(TrackKind kind) {
  constexpr std::array<std::string_view, 5> kTitles = {"Zones of threads", "Frames",
                                                       "Zones of device processors", "Ops on devices",
                                                       "Devices between their ops"};
  return kTitles[static_cast<std::size_t>(kind)];
}

std::string no_input_text(const std::vector<std::string>& paths) {
  return fmt::format("{}: no zone, no message and no plot in it", paths.front());
}

std::vector<const ZoneStat*> stats_of_kind(const Profile& profile, TrackKind kind) {
  std::vector<const ZoneStat*> stats;
  for (const ZoneStat& stat : profile.stats) {
    if (stat.kind == kind) stats.push_back(&stat);
  }
  std::stable_sort(stats.begin(), stats.end(),
                   [](const ZoneStat* a, const ZoneStat* b) { return a->total_ns > b->total_ns; });
  return stats;
}

const std::vector<TrackKind>& shown_kinds() {
  static const std::vector<TrackKind> kKinds = {TrackKind::kOps, TrackKind::kGaps, TrackKind::kThread,
                                                TrackKind::kLane, TrackKind::kFrames};
  return kKinds;
}

namespace {

using Ink = ui::Painter::Ink;

constexpr std::size_t kFigure = 11;
constexpr std::size_t kCount = 9;
constexpr std::size_t kShare = 7;
constexpr std::size_t kMinWidthForMean = 100;  ///< columns

class Report {
 public:
  Report(const Profile& profile, const ui::TextOptions& options)
      : profile_(profile),
        timeline_(profile.timeline),
        rows_(options.top <= 0 ? SIZE_MAX : static_cast<std::size_t>(options.top)),
        out_(options.color, static_cast<std::size_t>(std::clamp(options.width, 72, 140))) {}

  std::string make() {
    out_.line(out_.paint(fmt::format("Timeline of {}", terminal_safe(profile_.name)), Ink::kBold));
    out_.paragraph(2, content_text(timeline_));
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
                 ui::counted(tracks, "track") + (tracks == 1 ? ", share: own time of its time"
                                                             : ", share: own time of the time of all"));
    whole_ns_ = (timeline_.last_ns - timeline_.first_ns) * static_cast<std::int64_t>(tracks);
    // A mean is told by count and total: where there is little room, names need it more.
    shows_mean_ = out_.width() >= kMinWidthForMean;
    name_width_ = out_.width() - 2 - kCount - (shows_mean_ ? 4 : 3) * kFigure - kShare;
    out_.line("  " + ui::pad_right("Zone", name_width_) + ui::pad_left("count", kCount) +
              ui::pad_left("total", kFigure) + ui::pad_left("own", kFigure) + ui::pad_left("share", kShare) +
              (shows_mean_ ? ui::pad_left("mean", kFigure) : "") + ui::pad_left("longest", kFigure));
    const std::size_t shown = std::min(stats.size(), rows_);
    std::map<std::string, std::size_t> alike;
    for (std::size_t i = 0; i < shown; ++i) ++alike[ui::fit(name_of(*stats[i]), name_width_)];
    for (std::size_t i = 0; i < shown; ++i) {
      add_stat(*stats[i], alike[ui::fit(name_of(*stats[i]), name_width_)] > 1);
    }
    if (shown < stats.size()) {
      out_.line(fmt::format("  ... {} more (--top 0 shows all)", ui::counted(stats.size() - shown, "row")));
    }
  }

  std::string name_of(const ZoneStat& stat) const {
    return terminal_safe(timeline_.name_of_location(stat.location));
  }

  /// The name, and where it stands if there is room for that, or if another row would look the same.
  std::string name_cell(const ZoneStat& stat, bool has_double) const {
    const std::string own = name_of(stat);
    const std::string place = terminal_safe(whereabouts_text(timeline_, stat));
    constexpr std::size_t kBetween = 2;
    const std::size_t width = ui::display_width(own) + kBetween + ui::display_width(place);
    if (place.empty() || (width > name_width_ && !has_double)) {
      return ui::pad_right(ui::fit(own, name_width_), name_width_);
    }
    const std::string shown_place = ui::fit(place, name_width_ * 3 / 5);
    const std::size_t room = name_width_ - kBetween - ui::display_width(shown_place);
    const std::string shown_name = ui::fit(own, room);
    const std::size_t taken = ui::display_width(shown_name) + kBetween + ui::display_width(shown_place);
    // Color codes take no columns.
    return shown_name + "  " + out_.paint(shown_place, Ink::kDim) + std::string(name_width_ - taken, ' ');
  }

  void add_stat(const ZoneStat& stat, bool has_double) {
    out_.line("  " + name_cell(stat, has_double) + ui::pad_left(ui::count_text(stat.count), kCount) +
              ui::pad_left(time_label(stat.total_ns), kFigure) +
              ui::pad_left(time_label(stat.self_ns), kFigure) +
              ui::pad_left(ui::percent_text(ui::ratio(stat.self_ns, whole_ns_)), kShare) +
              (shows_mean_ ? ui::pad_left(time_label(stat.mean_ns()), kFigure) : "") +
              ui::pad_left(time_label(stat.max_ns), kFigure));
  }

  void add_messages() {
    if (timeline_.messages.empty()) return;
    out_.heading("Messages", ui::counted(timeline_.messages.size(), "message"));
    const std::size_t shown = std::min(timeline_.messages.size(), rows_);
    for (std::size_t i = 0; i < shown; ++i) {
      const Message& message = timeline_.messages[i];
      const std::string time = ui::pad_left(time_label(message.time_ns), kFigure + 2);
      constexpr std::size_t kMaxBytes = 400;  // a message may hold a whole document
      const std::string text = terminal_safe(timeline_.text(message.text).substr(0, kMaxBytes));
      out_.line("  " + time + "  " + fitted_message(text, out_.width() - kFigure - 6));
    }
    if (shown < timeline_.messages.size()) {
      out_.line(fmt::format("  ... {} more", ui::count_text(timeline_.messages.size() - shown)));
    }
  }

  /// Of an op's message the beginning tells what it is, of others often the end (a place in the source).
  static std::string fitted_message(const std::string& text, std::size_t width) {
    constexpr std::string_view kOpPrefix = "`TT_DNN_DEVICE_OP: \"";
    if (!text.starts_with(kOpPrefix) || ui::display_width(text) <= width) return ui::fit(text, width);
    const std::size_t name_end = text.find('"', kOpPrefix.size());
    if (name_end == std::string::npos || name_end + 2 > width) return ui::fit(text, width);
    const std::string name = text.substr(0, name_end + 1);
    return name + ui::fit(text.substr(name_end + 1), width - ui::display_width(name));
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
      name_width = std::clamp(ui::display_width(name), name_width, out_.width() / 2);
    }
    for (std::size_t i = 0; i < shown; ++i) {
      const Plot& plot = timeline_.plots[i];
      const auto [low, high] =
          std::minmax_element(plot.points.begin(), plot.points.end(),
                              [](const PlotPoint& a, const PlotPoint& b) { return a.value < b.value; });
      const std::string name = ui::fit(plot_name(plot), name_width);
      out_.line(fmt::format("  {}  {}, from {} to {}{}", ui::pad_right(name, name_width),
                            ui::counted(plot.points.size(), "point"), value_text(plot, low->value),
                            value_text(plot, high->value), plot.made ? " (derived)" : ""));
    }
    if (shown < timeline_.plots.size()) {
      out_.line(fmt::format("  ... {} more", ui::count_text(timeline_.plots.size() - shown)));
    }
  }

  static std::string value_text(const Plot& plot, double value) {
    constexpr double kMax = 9e18;
    if (plot.unit == PlotUnit::kBytes && value > -kMax && value < kMax) {
      return ui::size_text(static_cast<std::int64_t>(value));
    }
    return fmt::format("{:g}{}", value, plot.unit == PlotUnit::kPercent ? " %" : "");
  }

  void add_trust() {
    out_.heading("Trust");
    for (const TimelineSource& source : timeline_.sources) {
      std::string text = fmt::format("{}: {}", terminal_safe(source.path), source.format);
      if (!source.program.empty()) text += fmt::format(", of {}", terminal_safe(source.program));
      if (source.skipped_events > 0) {
        text +=
            fmt::format("; {} of locks and samples read over", ui::counted(source.skipped_events, "event"));
      }
      out_.item("read", text);
    }
    for (const Alignment& alignment : timeline_.alignments) {
      out_.item("axis", fmt::format("{}: {}", terminal_safe(alignment.what), alignment_text(alignment)));
    }
    for (std::size_t i = 0; i < kTimelineProblemCount; ++i) {
      const auto problem = static_cast<TimelineProblem>(i);
      const std::uint64_t count = timeline_.problems.count(problem);
      if (count == 0) continue;
      const auto& places = timeline_.problems.places(problem);
      out_.item(info_of(problem).repaired ? "repaired" : "skipped",
                fmt::format("{} {}{}{}", ui::count_text(count), info_of(problem).sentence,
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
  ui::Painter out_;
};

}  // namespace

std::string timeline_summary_text(const Profile& profile, const ui::TextOptions& options) {
  return Report(profile, options).make();
}

}  // namespace ttscope::timeline
