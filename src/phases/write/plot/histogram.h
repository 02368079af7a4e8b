#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/plot/plot_scene.h"

namespace ttscope::phases {

/// Where it goes when no file is named, as in tt-train.
inline constexpr std::string_view kUsualPlotFile = "memory_peak_visualization.png";

/// A part of a bar.
struct PlotSegment {
  std::string_view label;  ///< for the legend; the same label has the same colour everywhere
  std::string_view color;  ///< `#rrggbb`
  double mb = 0;           ///< what is not above 0 is not drawn
};

/// One run: a bar, and the memory that it has to stay below.
struct PlotPanel {
  std::string name;
  std::vector<PlotSegment> segments;  ///< from below
  double total_mb = 0;
  std::optional<double> limit_mb;
};

/// The stacked histogram of the tracker's document: what the peaks of some runs are made of.
struct PhasePlot {
  std::string title;
  std::vector<PlotPanel> panels;
};

report::PlotScene layout_plot(const PhasePlot& plot);

}  // namespace ttscope::phases
