#pragma once

#include <string>
#include <vector>

#include "app/trace/python_standins.h"
#include "base/result.h"

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

/// The Python that runs scripts: TTSCOPE_PYTHON, else that of the active virtual environment or PATH.
std::string python_of(const std::vector<std::string>& environment);

/// Sets the variables by which Python finds what stands in for tt-metal's modules.
void set_python_variables(const PythonRun& run, std::vector<std::string>& environment);

/// `typed` (interpreter, script or `-m MODULE`, their arguments) with the runner of the profiler in between:
/// tt-metal's own where it is found, else ours.
std::vector<std::string> profiled_words(const std::vector<std::string>& typed, const PythonRun& run,
                                        const std::vector<std::string>& environment);

/// The commands that opt a shell in: there `python -m tracy` works. `program` is ours.
Result<std::string> opt_in_commands(const PythonStandins& standins, const std::string& program,
                                    const std::vector<std::string>& environment);

}  // namespace ttscope::app
