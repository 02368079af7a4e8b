#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ttscope::app {

/// Our `tracy` and `ttnn` for Python, for where tt-metal's are absent.
struct PythonStandins {
  std::string folder;  ///< holds tracy/tracy and ttnn/ttnn; empty: not found, nothing is added
  std::string
      package_folder;  ///< holds the package ttscope, where Python does not find it by itself; may be empty
};

/// What is said where they are not found.
inline constexpr const char* kNoStandins =
    "our stand-ins for Python's modules are not beside this program; in the sources of ttscope `./dev build` "
    "makes them, and its package has them";

/// Those beside a program, as the build puts them there, else in the folder `installed` as seen from that of
/// the program.
PythonStandins find_standins(const std::string& program, const std::string& installed);

/// What Python finds of tt-metal.
struct PythonFindings {
  bool has_tracy = false;  ///< tt-metal's own
  bool has_ttnn = false;
  bool was_asked = false;  ///< Python could be run
};

/// How code for `python -c` begins: the current folder, which `-c` puts first, is left before anything is
/// imported from there. The module `sys` is part of the interpreter.
inline constexpr const char* kLeaveCurrentFolder =
    "import sys; sys.path[:1] = [p for p in sys.path[:1] if p]; ";

/// Whether the shell took our folders (`eval "$(ttscope trace --env)"`).
bool is_opted_in(const PythonStandins& standins, const std::vector<std::string>& environment);

/// Asks Python which modules it would import, without importing them.
PythonFindings ask_python(const std::string& python, const PythonStandins& standins,
                          const std::vector<std::string>& environment);

/// The value of PYTHONPATH with the stand-ins for what is absent in front of what `environment` has; those of
/// an earlier call are not added twice.
std::string python_path_with(const PythonStandins& standins, const PythonFindings& found,
                             const std::vector<std::string>& environment);

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
/// tt-metal's own where it is found, else ours. A script elsewhere gets no module of the current folder.
std::vector<std::string> profiled_command(const std::vector<std::string>& typed, const PythonRun& run,
                                          const std::vector<std::string>& environment);

/// The commands that opt a shell in: there `python -m tracy` works. `program` is ours.
Result<std::string> opt_in_commands(const PythonStandins& standins, const std::string& program,
                                    const std::vector<std::string>& environment);

}  // namespace ttscope::app
