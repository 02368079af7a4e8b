#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/compared_run.h"
#include "diff/report.h"
#include "gate/budget.h"

namespace ttscope::gate {

/// What became of a check. Only what is known to be within its bound passes.
enum class CheckOutcome : std::uint8_t { kPassed, kFailed, kUnknown };

std::string_view key_of(CheckOutcome outcome);

/// Why it is not passed.
enum class Reason : std::uint8_t {
  kNone,
  kOverBound,
  kRunFailed,       ///< the run itself failed
  kNoInput,         ///< no input of this section was given
  kFigureMissing,   ///< the inputs do not tell the figure
  kNoWhole,         ///< nothing tells what the share is of
  kNoSuchName,      ///< no op, or no layer, of this name
  kNoBaseline,      ///< the baseline does not tell the figure
  kBaselineFailed,  ///< its run failed
  kUnlikeBaseline,  ///< its times of ops are those of other things
};

std::string_view key_of(Reason reason);

/// One bound, and how the run stands to it.
struct Check {
  Bound bound;
  std::string input;  ///< that it is of, where several inputs tell the figure; else empty
  CheckOutcome outcome = CheckOutcome::kUnknown;
  Reason reason = Reason::kNone;
  std::optional<double> value;    ///< in the unit of the figure; of repeats the median
  std::optional<double> allowed;  ///< the most that passes
  std::optional<double> baseline;
  std::optional<double> whole;
  std::string how;      ///< `measured`, `modeled`; empty: as the input says
  std::string similar;  ///< kNoSuchName: a name that is there
};

/// A run that was looked at.
struct CheckedRun {
  std::string input;
  Section section = Section::kTime;
  std::string what;  ///< the window, the peak: in words
  std::string device;
  std::string failure;  ///< how it failed; empty: it is not known to have
  std::uint32_t repeats = 1;
};

struct GateResult {
  std::string budget;
  std::vector<CheckedRun> runs;
  std::vector<CheckedRun> baseline;     ///< empty: no bound needs it
  std::vector<diff::Caution> cautions;  ///< what makes run and baseline unlike
  std::vector<Check> checks;            ///< in the order of the budgets file

  bool has_failed_run() const;
  /// Every check passed, and no run failed.
  bool passed() const;
};

/// Repeats of one run; the median of their figures counts.
struct RunRepeats {
  Section section = Section::kTime;
  std::vector<diff::ComparedRun> repeats;
  std::string subject{};  ///< only a run of the same subject is a baseline
};

/// Holds runs against a budget. `baseline` may be empty where no bound needs it.
GateResult judge(const Budget& budget, const std::vector<RunRepeats>& runs,
                 const std::vector<RunRepeats>& baseline);

}  // namespace ttscope::gate
