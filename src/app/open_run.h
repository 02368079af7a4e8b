#pragma once

#include <string>
#include <vector>

#include "app/open.h"
#include "base/result.h"

namespace ttscope::app {

/// Runs of the same thing, each of one file or of several that belong together.
using RunInputs = std::vector<std::vector<std::string>>;

/// Takes `A1,A2+A2.csv` apart: commas between runs, plus signs between files of one run. A name that exists
/// as a file is never taken apart.
RunInputs run_inputs(const std::string& argument);

/// The files of one run, a profile for each subject that they are of, in the order of Subject.
Result<std::vector<Profile>> open_run(const std::vector<std::string>& paths, const OpenOptions& options);

}  // namespace ttscope::app
