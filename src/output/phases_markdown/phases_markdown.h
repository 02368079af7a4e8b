#pragma once

#include <string>

#include "analysis/phases/phase_analysis.h"
#include "base/writer.h"

namespace ttscope::output {

/// The report on training phases as markdown, for language models and for issues.
void write_phases_markdown(const PhaseLog& log, const analysis::PhaseAnalysis& analysis,
                           const std::string& title, Writer& out);

}  // namespace ttscope::output
