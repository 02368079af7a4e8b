#pragma once

#include "analysis/phases/classic_breakdown.h"
#include "output/phase_plot/histogram.h"

namespace ttscope::output {

/// The bar that analyze_memory.py draws for a section.
PlotPanel classic_panel(const std::string& name, const analysis::ClassicBreakdown& bar);

}  // namespace ttscope::output
