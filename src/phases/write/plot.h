#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/analyze/phase_analysis.h"
#include "ui/plot.h"

namespace ttscope::phases {

/// Where it goes when no file is named, as in tt-train.
inline constexpr std::string_view kUsualPlotFile = "memory_peak_visualization.png";

/// A part of a bar.
struct PlotSegment {
  std::string_view label;  ///< for the legend; the same label has the same color everywhere
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

ui::PlotScene layout_plot(const PhasePlot& plot);

/// The bars of all runs.
PhasePlot phases_plot(const PhaseAnalysis& analysis, const std::string& title);

/// How a part of the peak is called and colored in every output; the first five as in the tracker's
/// document.
struct ComponentStyle {
  std::string_view label;
  std::string_view color;
};

const ComponentStyle& style_of(ComponentKind kind);

}  // namespace ttscope::phases
