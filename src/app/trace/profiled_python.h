#pragma once

#include <string>
#include <vector>

#include "app/trace/python_standins.h"

namespace ttscope::app {

/// How Python runs under the profiler.
struct PythonRun {
  PythonStandins standins;
  PythonFindings found;
  bool makes_report = false;      ///< `-r`
  bool of_marked_parts = false;   ///< `-p`
  bool of_lines = false;          ///< `-l`
  bool profiles_devices = false;  ///< not `--no-device`
};

/// Sets the variables by which Python finds what stands in for tt-metal's modules.
void set_python_variables(const PythonRun& run, std::vector<std::string>& environment);

/// `typed` (interpreter, script or `-m MODULE`, their arguments) with the runner of the profiler in between:
/// tt-metal's own where it is found, else ours.
std::vector<std::string> profiled_words(const std::vector<std::string>& typed, const PythonRun& run,
                                        const std::vector<std::string>& environment);

}  // namespace ttscope::app
