#include "ui/plot.h"

#include <cairo.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>

#include "base/text.h"

namespace ttscope::ui {
namespace {

// Widths of DejaVu Sans in thousandths of its size, from the font's own table, for the characters from blank
// to
// `~`. With them a layout is the same on every machine, whatever fonts it has.

constexpr std::array<std::uint16_t, 95> kRegular = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr std::array<std::uint16_t, 95> kBold = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838};

}  // namespace

double text_width(std::string_view text, double size, bool bold) {
  const auto& widths = bold ? kBold : kRegular;
  double thousandths = 0;
  while (!text.empty()) {
    const DecodedCharacter next = decode_utf8(text);
    const bool ascii = next.code_point >= ' ' && next.code_point <= '~';
    thousandths += widths[ascii ? static_cast<std::size_t>(next.code_point - ' ') : 'o' - ' '];
    text.remove_prefix(next.size_bytes);
  }
  return thousandths * size / 1000;
}

namespace {

constexpr std::string_view kFont = "DejaVu Sans, Verdana, sans-serif";

/// A number with at most two decimals and no needless zeros.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

class SvgShapes {
 public:
  explicit SvgShapes(Writer& out) : out_(out) {}

  void operator()(const RectShape& rect) {
    out_.write(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(rect.x),
                           number(rect.y), number(rect.width), number(rect.height)));
    if (rect.radius > 0) out_.write(fmt::format(" rx=\"{}\"", number(rect.radius)));
    out_.write(fmt::format(" fill=\"{}\"", rect.fill.empty() ? "none" : rect.fill));
    opacity("fill-opacity", rect.fill.empty() ? 1 : rect.fill_opacity);
    if (rect.stroke_width > 0) {
      out_.write(fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", rect.stroke, number(rect.stroke_width)));
      opacity("stroke-opacity", rect.stroke_opacity);
    }
    out_.write("/>\n");
  }

  void operator()(const LineShape& line) {
    out_.write(fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"",
                           number(line.x1), number(line.y1), number(line.x2), number(line.y2), line.color,
                           number(line.width)));
    opacity("stroke-opacity", line.opacity);
    if (line.dash > 0)
      out_.write(fmt::format(" stroke-dasharray=\"{} {}\"", number(line.dash), number(line.gap)));
    out_.write("/>\n");
  }

  void operator()(const TextShape& text) {
    constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
    out_.write(fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"",
                           number(text.x), number(text.y), number(text.size),
                           kAnchors[static_cast<int>(text.anchor)], text.color));
    if (text.bold) out_.write(" font-weight=\"bold\"");
    if (text.upwards)
      out_.write(fmt::format(" transform=\"rotate(-90 {} {})\"", number(text.x), number(text.y)));
    out_.write(fmt::format(">{}</text>\n", markup_text(text.text)));
  }

 private:
  void opacity(std::string_view name, double value) {
    if (value < 1) out_.write(fmt::format(" {}=\"{}\"", name, number(value)));
  }

  Writer& out_;
};

}  // namespace

void write_svg(const PlotScene& scene, Writer& out) {
  out.write(fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"{2}\">\n",
      number(scene.width), number(scene.height), kFont));
  SvgShapes shapes(out);
  for (const PlotShape& shape : scene.shapes) std::visit(shapes, shape);
  out.write("</svg>\n");
}

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
  constexpr double kMaxPixels = 32000;  // cairo's limit is 32767
  if (scene.width > kMaxPixels || scene.height > kMaxPixels) {
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

}  // namespace ttscope::ui
