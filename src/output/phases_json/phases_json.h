#pragma once

#include <string>
#include <string_view>

#include "analysis/phases/phase_analysis.h"
#include "base/writer.h"

namespace ttscope::output {

struct PhasesJsonOptions {
  std::string_view tool_version{};
  std::string title{};
};

/// Writes the document `ttscope.phases/1` (docs/formats/phases_json.md).
void write_phases_json(const PhaseLog& log, const analysis::PhaseAnalysis& analysis, Writer& out,
                       const PhasesJsonOptions& options);

}  // namespace ttscope::output
