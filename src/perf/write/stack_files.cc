#include "perf/write/stack_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "base/writer.h"
#include "perf/write/terminal_tables.h"
#include "ui/plot.h"

namespace ttscope::perf {
namespace {

constexpr double kTop = 60;
constexpr double kBottom = 60;
constexpr double kBarHeight = 1080;
constexpr double kLeft = 150;
constexpr double kBarWidth = 640;
constexpr double kDeviceBarWidth = 320;
constexpr double kBarGap = 90;
constexpr double kRight = 40;
constexpr double kTextSize = 13;
constexpr double kNamedShare = 0.02;
constexpr std::string_view kWhite = "#ffffff";
constexpr std::string_view kBlack = "#1a1a1a";

/// Entries of one device, by category and then by time.
std::vector<const StackEntry*> bar_of(const std::vector<StackEntry>& entries, std::int32_t device) {
  std::vector<const StackEntry*> bar;
  for (const StackEntry& entry : entries) {
    if (entry.device == device && entry.device_us > 0) bar.push_back(&entry);
  }
  std::stable_sort(bar.begin(), bar.end(), [](const StackEntry* a, const StackEntry* b) {
    return a->category != b->category ? a->category < b->category : a->device_us > b->device_us;
  });
  return bar;
}

class StackLayout {
 public:
  StackLayout(const std::vector<StackEntry>& entries, const StackOptions& options)
      : entries_(entries), per_device_(options.per_device) {
    for (const StackEntry& entry : entries) devices_.push_back(entry.device);
    std::sort(devices_.begin(), devices_.end());
    devices_.erase(std::unique(devices_.begin(), devices_.end()), devices_.end());
  }

  ui::PlotScene make() {
    const double bar_width = per_device_ ? kDeviceBarWidth : kBarWidth;
    const double bars = static_cast<double>(std::max<std::size_t>(devices_.size(), 1));
    scene_.width = kLeft + bars * (bar_width + kBarGap) - kBarGap + kRight;
    scene_.height = kTop + kBarHeight + kBottom;
    add(ui::RectShape{0, 0, scene_.width, scene_.height, kWhite});
    double total = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      total += add_bar(devices_[i], kLeft + static_cast<double>(i) * (bar_width + kBarGap), bar_width);
    }
    add_text(scene_.width / 2, kTop / 2 + 6,
             fmt::format("Stacked device time{}: {:.1f} μs", per_device_ ? " per device, in all" : "", total),
             {18, true, kBlack});
    return std::move(scene_);
  }

 private:
  template <typename Shape>
  void add(Shape shape) {
    scene_.shapes.emplace_back(std::in_place_type<Shape>, std::move(shape));
  }
  struct Style {
    double size = kTextSize;
    bool bold = false;
    std::string_view color = kBlack;
  };
  void add_text(double x, double y, std::string text, const Style& style) {
    ui::TextShape shape;
    shape.x = x;
    shape.y = y;
    shape.text = std::move(text);
    shape.size = style.size;
    shape.bold = style.bold;
    shape.color = style.color;
    add(std::move(shape));
  }

  double add_bar(std::int32_t device, double left, double width);
  void add_part(const StackEntry& entry, const ui::RectShape& place, double share);
  void add_category(OpCategory category, double left, double top, double height);

  const std::vector<StackEntry>& entries_;
  bool per_device_;
  std::vector<std::int32_t> devices_;
  ui::PlotScene scene_;
};

void StackLayout::add_part(const StackEntry& entry, const ui::RectShape& place, double share) {
  add(ui::RectShape(place));
  if (share < kNamedShare) return;
  std::string text = fmt::format("({:.1f} %) {} {:.1f} μs; {} ops", share * 100, shown_name(entry.name),
                                 entry.device_us, entry.ops);
  if (has_number(entry.flops_weighted_mean)) {
    text += fmt::format("; FLOPs {:.1f} %", entry.flops_weighted_mean);
  }
  while (text.size() > 4 && ui::text_width(text, kTextSize, false) > place.width - 8) text.pop_back();
  add_text(place.x + place.width / 2, place.y + place.height / 2 + kTextSize / 3, utf8_repaired(text),
           {kTextSize, false, kWhite});
}

/// A name along the bar and a frame around the parts.
void StackLayout::add_category(OpCategory category, double left, double top, double height) {
  const double share = height / kBarHeight;
  ui::TextShape name;
  name.x = left - 10;
  name.y = top + height / 2;
  name.text = fmt::format("{} ({:.1f} %)", name_of(category), share * 100);
  name.size = kTextSize;
  name.bold = true;
  name.upwards = true;
  if (ui::text_width(name.text, name.size, true) <= height || share >= 0.05) add(std::move(name));
}

double StackLayout::add_bar(std::int32_t device, double left, double width) {
  const std::vector<const StackEntry*> bar = bar_of(entries_, device);
  double total = 0;
  for (const StackEntry* entry : bar) total += entry->device_us;
  double y = kTop + kBarHeight;
  for (std::size_t i = 0; i < bar.size();) {
    const OpCategory category = bar[i]->category;
    const double base = y;
    double shade = 1;
    for (; i < bar.size() && bar[i]->category == category; ++i) {
      const double share = bar[i]->device_us / total;
      const double height = share * kBarHeight;
      y -= height;
      ui::RectShape place{left, y, width, height, category_color(category), shade};
      place.stroke = kWhite;
      place.stroke_width = height > 3 ? 1 : 0;
      add_part(*bar[i], place, share);
      shade = std::max(0.55, shade - 0.06);
    }
    add_category(category, left, y, base - y);
  }
  if (per_device_)
    add_text(left + width / 2, kTop + kBarHeight + 26, fmt::format("Device {}", device), {15, true, kBlack});
  return total;
}

}  // namespace

std::string_view category_color(OpCategory category) {
  constexpr std::array<std::string_view, kOpCategoryCount> kColors = {"#6f5fbf", "#0b7a75", "#2f7d32",
                                                                      "#b8560c", "#a3243b", "#5a5f66"};
  return kColors[static_cast<std::size_t>(category)];
}

ui::PlotScene stack_scene(const std::vector<StackEntry>& entries, const StackOptions& options) {
  return StackLayout(entries, options).make();
}

namespace {

/// The path without its extension: `report` of `report.csv`.
std::string without_extension(const std::string& path) {
  const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos || dot <= name ? path : path.substr(0, dot);
}

}  // namespace

std::string bounds_path(const std::string& csv_path) { return without_extension(csv_path) + "_bounds.csv"; }

std::string stack_base(const std::string& csv_path) { return without_extension(csv_path) + "_stacked"; }

std::vector<std::string> stack_paths(const std::string& base) {
  return {base + ".csv", base + ".png", base + ".svg"};
}

Result<void> write_stack_files(const std::vector<StackEntry>& entries, const StackOptions& options,
                               const std::string& base,
                               void (*write_csv)(const std::vector<StackEntry>& entries,
                                                 const StackOptions& options, Writer& out)) {
  const std::vector<std::string> paths = stack_paths(base);
  Result<void> done = write_file(paths[0], [&](Writer& out) { write_csv(entries, options, out); });
  if (!done) return done;
  const ui::PlotScene scene = stack_scene(entries, options);
  done = write_file(paths[1], [&](Writer& out) { return ui::write_png(scene, out); });
  if (done) done = write_file(paths[2], [&](Writer& out) { ui::write_svg(scene, out); });
  return done;
}

}  // namespace ttscope::perf
