#pragma once

#include <string>
#include <vector>

#include "capture/runtime_build.h"

namespace ttscope::app {

enum class CheckStatus { kOk, kNote, kProblem };

/// One thing that decides what a log will hold.
struct Check {
  CheckStatus status = CheckStatus::kOk;
  std::string name;   ///< `TTMLIR_RUNTIME_LOGGER_LEVEL`, `disk room`
  std::string found;  ///< may hold text of the environment
  std::string means;  ///< what follows from it
  std::string fix;    ///< a command or what to do; empty: nothing
};

/// What a program started by `ttscope run` would print here.
struct Prospects {
  capture::Known op_lines = capture::Known::kUnknown;
  capture::Known memory_lines = capture::Known::kUnknown;
  capture::Known module_dumps = capture::Known::kUnknown;
};

struct Diagnosis {
  std::vector<Check> checks;
  Prospects prospects;
  bool has_problem() const;
};

struct DoctorRequest {
  std::string build_folder;              ///< of TT-XLA; empty: those that are found
  std::string base;                      ///< where runs are kept
  std::vector<std::string> environment;  ///< `NAME=value`
};

/// Looks at the environment, the TT-XLA installation, devices and disks.
Diagnosis diagnose(const DoctorRequest& request);

}  // namespace ttscope::app
