// Declared in plot_files.h, with the other forms of a plot.
#include <cairo.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>

#include "report/plot/plot_files.h"

namespace ttscope::report {
namespace {

struct SurfaceEnd {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct PenEnd {
  void operator()(cairo_t* pen) const { cairo_destroy(pen); }
};

double channel(std::string_view color, std::size_t at) {
  unsigned value = 0;
  if (color.size() >= at + 2) std::from_chars(color.data() + at, color.data() + at + 2, value, 16);
  return value / 255.0;
}

class PngShapes {
 public:
  explicit PngShapes(cairo_t* pen) : pen_(pen) {}

  void operator()(const RectShape& rect) {
    outline(rect);
    if (!rect.fill.empty()) {
      ink(rect.fill, rect.fill_opacity);
      cairo_fill_preserve(pen_);
    }
    if (rect.stroke_width > 0) {
      ink(rect.stroke, rect.stroke_opacity);
      cairo_set_dash(pen_, nullptr, 0, 0);
      cairo_set_line_width(pen_, rect.stroke_width);
      cairo_stroke_preserve(pen_);
    }
    cairo_new_path(pen_);
  }

  void operator()(const LineShape& line) {
    const double dashes[] = {line.dash, line.gap};
    cairo_set_dash(pen_, dashes, line.dash > 0 ? 2 : 0, 0);
    ink(line.color, line.opacity);
    cairo_set_line_width(pen_, line.width);
    cairo_move_to(pen_, line.x1, line.y1);
    cairo_line_to(pen_, line.x2, line.y2);
    cairo_stroke(pen_);
  }

  void operator()(const TextShape& text) {
    cairo_select_font_face(pen_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           text.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen_, text.size);
    ink(text.color, 1);
    cairo_text_extents_t extents;
    cairo_text_extents(pen_, text.text.c_str(), &extents);
    const double shift = text.anchor == TextAnchor::kStart    ? 0
                         : text.anchor == TextAnchor::kMiddle ? extents.x_advance / 2
                                                              : extents.x_advance;
    cairo_save(pen_);
    cairo_translate(pen_, text.x, text.y);
    if (text.upwards) cairo_rotate(pen_, -std::acos(0.0));
    cairo_move_to(pen_, -shift, 0);
    cairo_show_text(pen_, text.text.c_str());
    cairo_restore(pen_);
    cairo_new_path(pen_);
  }

 private:
  void ink(std::string_view color, double opacity) {
    cairo_set_source_rgba(pen_, channel(color, 1), channel(color, 3), channel(color, 5), opacity);
  }

  void outline(const RectShape& rect) {
    if (rect.radius <= 0) {
      cairo_rectangle(pen_, rect.x, rect.y, rect.width, rect.height);
      return;
    }
    const double quarter = std::acos(0.0);
    const double r = rect.radius;
    const double right = rect.x + rect.width - r;
    const double bottom = rect.y + rect.height - r;
    cairo_new_sub_path(pen_);
    cairo_arc(pen_, right, rect.y + r, r, -quarter, 0);
    cairo_arc(pen_, right, bottom, r, 0, quarter);
    cairo_arc(pen_, rect.x + r, bottom, r, quarter, 2 * quarter);
    cairo_arc(pen_, rect.x + r, rect.y + r, r, 2 * quarter, 3 * quarter);
    cairo_close_path(pen_);
  }

  cairo_t* pen_;
};

cairo_status_t take_bytes(void* to, const unsigned char* bytes, unsigned size) {
  static_cast<Writer*>(to)->write({reinterpret_cast<const char*>(bytes), size});
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<void> write_png(const PlotScene& scene, Writer& out) {
  constexpr double kMostPixels = 32000;  // cairo's limit is 32767
  if (scene.width > kMostPixels || scene.height > kMostPixels) {
    return failure(write_failed(fmt::format(
        "a picture of {:.0f} by {:.0f} pixels is too large for PNG; write SVG, or plot fewer runs",
        scene.width, scene.height)));
  }
  const std::unique_ptr<cairo_surface_t, SurfaceEnd> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(scene.width)),
                                 static_cast<int>(std::ceil(scene.height))));
  const std::unique_ptr<cairo_t, PenEnd> pen(cairo_create(surface.get()));
  PngShapes shapes(pen.get());
  for (const PlotShape& shape : scene.shapes) std::visit(shapes, shape);
  cairo_status_t status = cairo_status(pen.get());
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream(surface.get(), take_bytes, &out);
  if (status == CAIRO_STATUS_SUCCESS) return {};
  return failure(
      write_failed(fmt::format("the picture could not be drawn: {}", cairo_status_to_string(status))));
}

Result<PlotFormat> plot_format(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  const std::size_t point = file.rfind('.');
  if (point == std::string::npos || point == 0) return PlotFormat::kPng;
  const std::string extension = file.substr(point + 1);
  if (extension == "png" || extension == "PNG") return PlotFormat::kPng;
  if (extension == "svg" || extension == "SVG") return PlotFormat::kSvg;
  return failure(write_failed(fmt::format("{}: a plot is written as .png or .svg", path)));
}

Result<void> write_plot(const PlotScene& scene, PlotFormat format, Writer& out) {
  if (format == PlotFormat::kPng) return write_png(scene, out);
  write_svg(scene, out);
  return {};
}

}  // namespace ttscope::report
