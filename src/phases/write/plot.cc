#include "phases/write/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"

namespace ttscope::phases {
namespace {

// Lengths are in pixels of 150 to the inch; sizes of fonts are given in points as in the original plot.

constexpr double kPoint = 150.0 / 72;
constexpr double kEdge = 16;
constexpr double kSlot = 889;       // a panel with its scale
constexpr double kScaleRoom = 128;  // left of the axes: scale and its name
constexpr double kAxesWidth = kSlot - kScaleRoom - 8;
constexpr double kAxesHeight = 1064;
constexpr double kBarShare = 0.5;
constexpr double kLegendColumns = 3;
constexpr double kLegendRow = 36;
constexpr double kNameLine = 28;
constexpr std::size_t kMaxNameLines = 3;
constexpr std::string_view kLimitLabel = "Device Memory Limit";
constexpr std::string_view kLimitColor = "#ff0000";
constexpr std::string_view kBlack = "#000000";
constexpr std::string_view kWhite = "#ffffff";

/// The step of a scale with at most nine of them.
double nice_step(double most) {
  const double raw = most / 9;
  const double decade = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * decade >= raw) return factor * decade;
  }
  return 10 * decade;
}

std::string tick_text(double value, double step) {
  int decimals = 0;
  for (double unit = step; decimals < 6 && std::abs(unit - std::round(unit)) > 1e-9; unit *= 10) ++decimals;
  return fmt::format("{:.{}f}", value, decimals);
}

/// A name in at most three lines that fit below its panel.
std::vector<std::string> name_lines(const std::string& name, double size, double room) {
  std::vector<std::string> lines(1);
  for (const char c : terminal_safe(name)) {
    lines.back() += c;
    if (ui::text_width(lines.back(), size, true) <= room) continue;
    const std::size_t blank = lines.back().rfind(' ');
    const bool breakable = blank != std::string::npos && blank > 0 && blank + 1 < lines.back().size();
    std::string rest = breakable ? lines.back().substr(blank + 1) : std::string(1, c);
    lines.back().resize(breakable ? blank : lines.back().size() - 1);
    if (lines.size() == kMaxNameLines) {
      lines.back() = utf8_repaired(lines.back());
      lines.back() += "…";
      break;
    }
    lines.push_back(std::move(rest));
  }
  for (std::string& line : lines) line = utf8_repaired(line);
  return lines;
}

struct LegendEntry {
  std::string_view label;
  std::string_view color;
};

class Layout {
 public:
  explicit Layout(const PhasePlot& plot) : plot_(plot) {
    max_ = 1;
    for (const PlotPanel& panel : plot.panels) {
      max_ = std::max({max_, panel.total_mb, panel.limit_mb.value_or(0)});
      names_.push_back(name_lines(panel.name, 11 * kPoint, kAxesWidth));
    }
    if (!std::isfinite(max_)) max_ = 1;
    max_ *= 1.1;
  }

  ui::PlotScene make() {
    collect_legend();
    const double legend_width = legend_room();
    scene_.width = std::ceil(
        std::max(kSlot * static_cast<double>(plot_.panels.size()) + kEdge, legend_width + 2 * kEdge));
    const double left = (scene_.width - kSlot * static_cast<double>(plot_.panels.size()) - kEdge) / 2;
    top_ = kEdge;
    add(ui::RectShape{0, 0, scene_.width, 0, kWhite});  // its height is known at the end
    add_title();
    add_legend((scene_.width - legend_width) / 2, legend_width);
    std::size_t lines = 1;
    for (std::size_t i = 0; i < plot_.panels.size(); ++i) {
      add_panel(plot_.panels[i], left + kSlot * static_cast<double>(i) + kScaleRoom);
      add_name(names_[i], left + kSlot * static_cast<double>(i) + kScaleRoom + kAxesWidth / 2);
      lines = std::max(lines, names_[i].size());
    }
    scene_.height = std::ceil(top_ + kAxesHeight + 12 + kNameLine * static_cast<double>(lines) + kEdge);
    std::get<ui::RectShape>(scene_.shapes.front()).height = scene_.height;
    return std::move(scene_);
  }

 private:
  template <typename Shape>
  void add(Shape shape) {
    scene_.shapes.emplace_back(std::in_place_type<Shape>, std::move(shape));
  }

  double y_of(double mb) const { return top_ + kAxesHeight * (1 - mb / max_); }

  void collect_legend() {
    for (const PlotPanel& panel : plot_.panels) {
      for (const PlotSegment& segment : panel.segments) {
        if (!(segment.mb > 0)) continue;
        const bool known = std::any_of(legend_.begin(), legend_.end(), [&](const LegendEntry& entry) {
          return entry.label == segment.label;
        });
        if (!known) legend_.push_back({segment.label, segment.color});
      }
    }
    // In stacking order, also when the first panel lacks a part.
    std::stable_sort(legend_.begin(), legend_.end(), [&](const LegendEntry& a, const LegendEntry& b) {
      return place_of(a.label) < place_of(b.label);
    });
    const bool limited = std::any_of(plot_.panels.begin(), plot_.panels.end(),
                                     [](const PlotPanel& panel) { return panel.limit_mb.has_value(); });
    if (limited) legend_.push_back({kLimitLabel, kLimitColor});
  }

  std::size_t place_of(std::string_view label) const {
    std::size_t place = 0;
    for (const PlotPanel& panel : plot_.panels) {
      for (std::size_t i = 0; i < panel.segments.size(); ++i) {
        if (panel.segments[i].label == label) place = std::max(place, i);
      }
    }
    return place;
  }

  std::size_t legend_rows() const {
    return static_cast<std::size_t>(std::ceil(static_cast<double>(legend_.size()) / kLegendColumns));
  }

  double legend_column() const {
    double widest = 0;
    for (const LegendEntry& entry : legend_)
      widest = std::max(widest, ui::text_width(entry.label, 11 * kPoint, false));
    return widest + 46 + 20 + 36;
  }

  double legend_room() const {
    const double columns = std::min(kLegendColumns, static_cast<double>(legend_.size()));
    return columns * legend_column() - 36 + 24;
  }

  void add_title() {
    if (plot_.title.empty()) return;
    const double size = 14 * kPoint;
    add(ui::TextShape{scene_.width / 2, top_ + size, utf8_repaired(terminal_safe(plot_.title)), size, true});
    top_ += size + 18;
  }

  void add_legend(double x, double width) {
    if (legend_.empty()) return;
    const std::size_t rows = legend_rows();
    const double height = kLegendRow * static_cast<double>(rows) + 16;
    add(ui::RectShape{x, top_, width, height, kWhite, 0.8, "#cccccc", 1.7, 1, 6});
    for (std::size_t i = 0; i < legend_.size(); ++i) {
      const std::size_t column = i / rows;
      const double entry_x = x + 12 + legend_column() * static_cast<double>(column);
      const double middle = top_ + 8 + kLegendRow * (static_cast<double>(i % rows) + 0.5);
      if (legend_[i].label == kLimitLabel) {
        add(ui::LineShape{entry_x, middle, entry_x + 46, middle, kLimitColor, 2 * kPoint, 1, 15.4, 6.7});
      } else {
        add(ui::RectShape{entry_x, middle - 8, 46, 16, legend_[i].color});
      }
      add(ui::TextShape{entry_x + 66, middle + 8, std::string(legend_[i].label), 11 * kPoint, false, kBlack,
                        ui::TextAnchor::kStart});
    }
    top_ += height + 20;
  }

  void add_panel(const PlotPanel& panel, double x) {
    add_scale(x);
    add_bar(panel, x);
    if (panel.limit_mb && *panel.limit_mb <= max_) {
      const double y = y_of(*panel.limit_mb);
      add(ui::LineShape{x, y, x + kAxesWidth, y, kLimitColor, 2 * kPoint, 1, 15.4, 6.7});
    }
    add(ui::RectShape{x, top_, kAxesWidth, kAxesHeight, {}, 0, kBlack, 1.7});
    add_labels(panel, x);
  }

  void add_scale(double x) {
    const double step = nice_step(max_);
    for (int i = 0; i * step <= max_; ++i) {
      const double y = y_of(i * step);
      if (i > 0) add(ui::LineShape{x, y, x + kAxesWidth, y, "#b0b0b0", 1.7, 0.3, 6.2, 2.7});
      add(ui::LineShape{x - 7, y, x, y, kBlack, 1.7});
      add(ui::TextShape{x - 14, y + 7.5, tick_text(i * step, step), 10 * kPoint, false, kBlack,
                        ui::TextAnchor::kEnd});
    }
    add(ui::TextShape{x - kScaleRoom + 30, top_ + kAxesHeight / 2, "Memory (MB)", 12 * kPoint, true, kBlack,
                      ui::TextAnchor::kMiddle, true});
  }

  void add_bar(const PlotPanel& panel, double x) {
    add_segments(panel, x, false);
    add_segments(panel, x, true);  // on top, or the edges of their neighbors would hide them
  }

  void add_segments(const PlotPanel& panel, double x, bool thin) {
    constexpr double kThin = 12;
    const double width = kAxesWidth * kBarShare;
    double below = 0;
    for (const PlotSegment& segment : panel.segments) {
      if (!(segment.mb > 0)) continue;
      const double y = std::max(y_of(std::min(below + segment.mb, max_)), top_);
      const double height = y_of(std::min(below, max_)) - y;
      below += segment.mb;
      if (height <= 0 || (height < kThin) != thin) continue;
      add(ui::RectShape{x + (kAxesWidth - width) / 2, y, width, height, segment.color, 1, kWhite,
                        thin ? 0.5 : 2 * kPoint});
    }
  }

  /// In the middle of a part; beside the bar where a part is too thin for it.
  void add_labels(const PlotPanel& panel, double x) {
    const double middle = x + kAxesWidth / 2;
    const double beside = x + kAxesWidth * (1 + kBarShare) / 2;
    double below = 0;
    double free_from = top_ + kAxesHeight + 14;  // the labels beside go up and stay off the axis
    for (const PlotSegment& segment : panel.segments) {
      if (!(segment.mb > 0)) continue;
      const double y = y_of(std::min(below + segment.mb / 2, max_));
      const double height = segment.mb / max_ * kAxesHeight;
      const std::string text = fmt::format("{:.0f} MB", segment.mb);
      below += segment.mb;
      if (height >= 36) {
        add_boxed(middle, y, text);
        continue;
      }
      const double label_y = std::min(y, free_from - 36);
      free_from = label_y;
      add(ui::LineShape{beside + 3, y, beside + 26, label_y, "#808080", 1.7});
      add_boxed(beside + 34 + ui::text_width(text, 10 * kPoint, true) / 2, label_y, text);
    }
    const double top = y_of(std::min(panel.total_mb, max_));
    add(ui::TextShape{middle, top - 8, fmt::format("Total: {:.0f} MB", panel.total_mb), 11 * kPoint, true});
  }

  void add_boxed(double x, double y, const std::string& text) {
    const double size = 10 * kPoint;
    const double width = ui::text_width(text, size, true) + 12;
    add(ui::RectShape{x - width / 2, y - 16, width, 32, kBlack, 0.5, kBlack, 2, 0.5, 6});
    add(ui::TextShape{x, y + 7.5, text, size, true, kWhite});
  }

  void add_name(const std::vector<std::string>& lines, double x) {
    double y = top_ + kAxesHeight + 12;
    for (const std::string& line : lines) {
      y += kNameLine;
      add(ui::TextShape{x, y, line, 11 * kPoint, true});
    }
  }

  const PhasePlot& plot_;
  ui::PlotScene scene_;
  std::vector<LegendEntry> legend_;
  std::vector<std::vector<std::string>> names_;
  double max_ = 1;  ///< the upper end of the scale
  double top_ = 0;  ///< of the axes, once title and legend are there
};

}  // namespace

ui::PlotScene layout_plot(const PhasePlot& plot) { return Layout(plot).make(); }

const ComponentStyle& style_of(ComponentKind kind) {
  static constexpr std::array<ComponentStyle, kComponentCount> kStyles = {{
      {"Other", "#cccccc"},
      {"Model Parameters", "#4da6b8"},
      {"Gradients Overhead", "#e789ab"},
      {"Optimizer State", "#cec0fa"},
      {"Activations", "#e38a42"},
      {"Gradients", "#b5527c"},
      {"Other Phases", "#8dbb7c"},
      {"Temporaries", "#e6c34a"},
  }};
  return kStyles[static_cast<std::size_t>(kind)];
}

namespace {

/// What the two decimals of all figures can add up to.
double rounding_mb(const Configuration& run) { return 0.01 * (static_cast<double>(run.phases.size()) + 2); }

}  // namespace

PhasePlot phases_plot(const PhaseAnalysis& analysis, const std::string& title) {
  constexpr double kMb = 1048576;
  PhasePlot plot;
  plot.title = title;
  for (const Configuration& run : analysis.configurations) {
    PlotPanel& panel = plot.panels.emplace_back();
    panel.name = run.name;
    for (std::size_t i = 0; i < kComponentCount; ++i) {
      const auto kind = static_cast<ComponentKind>(i);
      const Component* part = run.component(kind);
      double mb = part == nullptr ? 0 : static_cast<double>(part->bytes) / kMb;
      if (kind == ComponentKind::kOther && mb < rounding_mb(run)) mb = 0;
      panel.segments.push_back({style_of(kind).label, style_of(kind).color, mb});
    }
    panel.total_mb = static_cast<double>(run.peak_bytes) / kMb;
    if (run.device.bytes) panel.limit_mb = static_cast<double>(*run.device.bytes) / kMb;
  }
  return plot;
}

}  // namespace ttscope::phases
