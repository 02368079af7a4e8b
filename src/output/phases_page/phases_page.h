#pragma once

#include <string>

#include "analysis/phases/phase_analysis.h"
#include "base/writer.h"
#include "output/phases_json/phases_json.h"

namespace ttscope::output {

/// The page that compares runs: the built front end with the JSON document inside. One file, no requests.
void write_phases_page(const PhaseLog& log, const analysis::PhaseAnalysis& analysis, Writer& out,
                       const PhasesJsonOptions& options);

/// The built front end, with its marks.
std::string_view phases_page_template();

}  // namespace ttscope::output
