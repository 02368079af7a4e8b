#pragma once

#include <string>
#include <vector>

#include "app/open_run.h"
#include "base/result.h"
#include "gate/report.h"

namespace ttscope::app {

struct GateOptions {
  OpenOptions open{};
  std::vector<std::string> baseline{};  ///< instead of the one that the budgets file names
};

/// Holds a run, given as arguments (`a.csv,b.csv` are repeats, `a.log+a.csv` belong together), against a
/// budgets file.
Result<gate::GateReport> gate_runs(const std::vector<std::string>& arguments, const std::string& budget_path,
                                   const GateOptions& options = {});

}  // namespace ttscope::app
