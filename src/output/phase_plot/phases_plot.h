#pragma once

#include <string>

#include "analysis/phases/phase_analysis.h"
#include "output/phase_plot/histogram.h"

namespace ttscope::output {

/// The bars of all runs.
PhasePlot phases_plot(const analysis::PhaseAnalysis& analysis, const std::string& title);

}  // namespace ttscope::output
