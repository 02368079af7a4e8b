#pragma once

#include <string>

#include "base/writer.h"
#include "phases/analyse/phase_analysis.h"

namespace ttscope::phases {

/// The report on training phases as markdown, for language models and for issues.
void write_phases_markdown(const PhaseLog& log, const PhaseAnalysis& analysis, const std::string& title,
                           Writer& out);

}  // namespace ttscope::phases
