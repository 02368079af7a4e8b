#pragma once

#include <string>
#include <vector>

#include "app/open.h"
#include "base/result.h"
#include "diff/report.h"

namespace ttscope::app {

/// The inputs of one side: runs of the same thing, each of one file or of several that belong together.
using SideInputs = std::vector<std::vector<std::string>>;

/// Takes `A1,A2+A2.csv` apart: commas between runs, plus signs between files of one run. A name that exists
/// as a file is never taken apart.
SideInputs side_inputs(const std::string& argument);

/// Compares two runs of one subject. An error says which input is of another kind.
Result<diff::DiffReport> compare(const SideInputs& before, const SideInputs& after,
                                 const OpenOptions& options = {});

}  // namespace ttscope::app
