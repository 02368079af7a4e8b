#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/writer.h"

namespace ttscope::ui {

enum class TextAnchor { kStart, kMiddle, kEnd };

/// Shapes in pixels, y downwards. Colors are `#rrggbb`.
struct RectShape {
  double x = 0, y = 0, width = 0, height = 0;
  std::string_view fill;
  double fill_opacity = 1;
  std::string_view stroke{};
  double stroke_width = 0;
  double stroke_opacity = 1;
  double radius = 0;
};

struct LineShape {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  std::string_view color;
  double width = 1;
  double opacity = 1;
  double dash = 0;  ///< length of a dash; 0: drawn through
  double gap = 0;
};

struct TextShape {
  double x = 0, y = 0;  ///< of the baseline
  std::string text;
  double size = 10;
  bool bold = false;
  std::string_view color = "#000000";
  TextAnchor anchor = TextAnchor::kMiddle;
  bool upwards = false;  ///< turned by a quarter
};

using PlotShape = std::variant<RectShape, LineShape, TextShape>;

/// A picture that does not depend on how it is written.
struct PlotScene {
  double width = 0;
  double height = 0;
  std::vector<PlotShape> shapes;
};

/// How wide a text is in DejaVu Sans of that size; characters outside ASCII count as an `o`.
double text_width(std::string_view text, double size, bool bold);

enum class PlotFormat { kPng, kSvg };

/// Told by the extension of a file name; an error names those that are known. Without an extension it is PNG.
Result<PlotFormat> plot_format(const std::string& path);

/// The scene as an SVG document with real text.
void write_svg(const PlotScene& scene, Writer& out);
/// The scene as a PNG of its size in pixels; an error when it is too large to be drawn.
Result<void> write_png(const PlotScene& scene, Writer& out);
Result<void> write_plot(const PlotScene& scene, PlotFormat format, Writer& out);

}  // namespace ttscope::ui
