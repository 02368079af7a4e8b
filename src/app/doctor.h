#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "launch/runtime_logging.h"

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
struct ExpectedOutput {
  launch::Tristate op_lines = launch::Tristate::kUnknown;
  launch::Tristate memory_lines = launch::Tristate::kUnknown;
  launch::Tristate module_dumps = launch::Tristate::kUnknown;
};

struct Diagnosis {
  std::vector<Check> checks;
  ExpectedOutput expected_output;
  bool has_problem() const;
};

struct DoctorRequest {
  std::string build_folder;              ///< of TT-XLA; empty: those that are found
  std::string base;                      ///< where runs are kept
  std::vector<std::string> environment;  ///< `NAME=value`
};

/// Looks at the environment, the TT-XLA installation, devices and disks.
Diagnosis diagnose(const DoctorRequest& request);

/// What `ttscope trace` will find: Tracy's tools, the variables of the profiler with what follows from them,
/// those that exclude each other, and what the last run in the folder of the profiler shows (ops against the
/// support count, clocks, dropped markers).
void add_profiler_checks(const std::vector<std::string>& environment, Diagnosis& diagnosis);

/// What `ttscope doctor` prints: for a terminal of so many columns, as markdown, and as JSON
/// (`ttscope.doctor/1`).
std::string doctor_text(const Diagnosis& diagnosis, bool color, std::size_t width);
std::string doctor_markdown(const Diagnosis& diagnosis);
std::string doctor_json(const Diagnosis& diagnosis, std::string_view version);

}  // namespace ttscope::app
