#include "mem/model/crash.h"

#include <array>

namespace ttscope::mem {

std::string_view name_of(CrashKind kind) {
  constexpr std::array<std::string_view, kCrashKindCount> kNames = {
      "fatal",       "throw",   "assert",       "segmentation_fault", "aborted",    "killed",
      "host_memory", "timeout", "python_error", "bus_error",          "terminated", "reported_failure"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace ttscope::mem
