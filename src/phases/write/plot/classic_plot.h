#pragma once

#include "phases/analyse/classic_breakdown.h"
#include "phases/write/plot/histogram.h"

namespace ttscope::phases {

/// The bar that analyze_memory.py draws for a section.
PlotPanel classic_panel(const std::string& name, const ClassicBreakdown& bar);

}  // namespace ttscope::phases
