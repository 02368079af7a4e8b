#pragma once

#include <string>

namespace ttscope::cli {

/// `tt-memory-profiler --visualize DIR`: writes NAME_report.html into the folder of a run, from its four
/// files alone. `name` is empty where the folder holds one run. Returns the exit code.
int visualize_run(const std::string& folder, const std::string& name);

}  // namespace ttscope::cli
