#include "gate/report.h"

#include <algorithm>
#include <array>

namespace ttscope::gate {

std::string_view key_of(CheckOutcome outcome) {
  constexpr std::array<std::string_view, 3> kKeys = {"passed", "failed", "unknown"};
  return kKeys[static_cast<std::size_t>(outcome)];
}

std::string_view key_of(Reason reason) {
  constexpr std::array<std::string_view, 10> kKeys = {
      "none",     "over_bound",   "run_failed",  "no_input",        "not_told",
      "no_whole", "no_such_name", "no_baseline", "baseline_failed", "unlike_baseline"};
  return kKeys[static_cast<std::size_t>(reason)];
}

bool GateReport::has_failed_run() const {
  return std::any_of(runs.begin(), runs.end(), [](const GatedRun& run) { return !run.failure.empty(); });
}

bool GateReport::passed() const {
  return !has_failed_run() && std::all_of(checks.begin(), checks.end(), [](const Check& check) {
    return check.outcome == CheckOutcome::kPassed;
  });
}

}  // namespace ttscope::gate
