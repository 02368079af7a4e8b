// Declared in plot_files.h, with the other forms of a plot.
#include <fmt/format.h>

#include "base/text_escape.h"
#include "report/plot/plot_files.h"

namespace ttscope::report {
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

}  // namespace ttscope::report
