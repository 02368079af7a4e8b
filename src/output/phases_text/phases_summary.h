#pragma once

#include <string>

#include "analysis/phases/phase_analysis.h"
#include "output/text/mem_summary.h"

namespace ttscope::output {

/// The report on training phases for a terminal: verdicts, then each run with its phases, then how far to
/// trust it. TextOptions::top limits the rows of phases; 0 shows all.
std::string phases_summary_text(const PhaseLog& log, const analysis::PhaseAnalysis& analysis,
                                const TextOptions& options);

}  // namespace ttscope::output
