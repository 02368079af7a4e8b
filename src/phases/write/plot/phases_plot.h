#pragma once

#include <string>

#include "phases/analyse/phase_analysis.h"
#include "phases/write/plot/histogram.h"

namespace ttscope::phases {

/// The bars of all runs.
PhasePlot phases_plot(const PhaseAnalysis& analysis, const std::string& title);

}  // namespace ttscope::phases
