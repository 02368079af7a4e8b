#pragma once

#include <string>
#include <vector>

#include "diff/run.h"
#include "gate/budget.h"
#include "gate/report.h"

namespace ttscope::gate {

/// Repeats of one run; the median of their figures counts.
struct MeasuredRuns {
  Section section = Section::kTime;
  std::vector<diff::ComparedRun> repeats;
  std::string subject{};  ///< only a run of the same subject is a baseline
};

/// Holds runs against a budget. `baseline` may be empty where no bound needs it.
GateReport judge(const Budget& budget, const std::vector<MeasuredRuns>& runs,
                 const std::vector<MeasuredRuns>& baseline);

}  // namespace ttscope::gate
