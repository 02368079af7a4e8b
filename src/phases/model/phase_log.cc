#include "phases/model/phase_log.h"

namespace ttscope::phases {

const ProblemInfo& info_of(PhaseProblem problem) {
  static constexpr std::array<ProblemInfo, kPhaseProblemCount> kInfos = {{
      {"figure_unreadable", "lines of figures with numbers that cannot be read (those figures are missing)",
       false},
      {"figure_outside_phase", "lines of figures without a phase above them (ignored)", false},
      {"phase_without_figures", "phase headers without figures (ignored)", false},
      {"summary_cut", "summaries without their totals (taken from the last phase)", true},
      {"summary_header_missing", "phases without the line that opens a summary (taken as one)", true},
      {"segment_overwritten",
       "segments that replaced an earlier one of the same name (the earlier figures are lost)", false},
      {"nothing_captured", "summaries without any segment", false},
      {"line_too_long", "lines too long to be real (only the beginning was read)", true},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

}  // namespace ttscope::phases
