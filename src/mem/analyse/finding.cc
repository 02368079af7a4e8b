#include "mem/analyse/finding.h"

namespace ttscope::mem {

std::string_view name_of(FindingCause cause) {
  switch (cause) {
    case FindingCause::kNothingInUse:
      return "nothing_in_use";
    case FindingCause::kOutOfMemory:
      return "out_of_memory";
    case FindingCause::kPeak:
      return "peak";
    case FindingCause::kPeakWithoutCapacity:
      return "peak_without_capacity";
    case FindingCause::kCrashed:
      return "crashed";
    case FindingCause::kCut:
      return "cut";
    case FindingCause::kRunning:
      return "running";
    case FindingCause::kSkipped:
      return "skipped";
    case FindingCause::kRepaired:
      return "repaired";
    case FindingCause::kWouldRunOut:
      return "would_run_out";
    case FindingCause::kModuleCut:
      return "module_cut";
    case FindingCause::kPadding:
      break;
  }
  return "padding";
}

}  // namespace ttscope::mem
