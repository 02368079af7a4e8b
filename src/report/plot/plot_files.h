#pragma once

#include <string>

#include "base/result.h"
#include "base/writer.h"
#include "report/plot/plot_scene.h"

namespace ttscope::report {

enum class PlotFormat { kPng, kSvg };

/// Told by the extension of a file name; an error names those that are known. Without an extension it is PNG.
Result<PlotFormat> plot_format(const std::string& path);

/// The scene as an SVG document with real text.
void write_svg(const PlotScene& scene, Writer& out);
/// The scene as a PNG of its size in pixels; an error when it is too large to be drawn.
Result<void> write_png(const PlotScene& scene, Writer& out);
Result<void> write_plot(const PlotScene& scene, PlotFormat format, Writer& out);

}  // namespace ttscope::report
