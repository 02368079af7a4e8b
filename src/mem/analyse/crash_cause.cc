#include "mem/analyse/crash_cause.h"

namespace ttscope::mem {
namespace {

/// The smaller, the nearer to the cause.
int distance_of(const Crash& crash) {
  if (crash.kind == CrashKind::kReportedFailure) return 2;
  if (crash.kind != CrashKind::kPythonError) return 0;
  return crash.text.starts_with("Traceback (") ? 3 : 1;
}

}  // namespace

std::uint32_t cause_among(const std::vector<Crash>& crashes, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t cause = begin;
  for (std::uint32_t i = begin; i < end; ++i) {
    if (distance_of(crashes[i]) < distance_of(crashes[cause])) cause = i;
  }
  return cause;
}

std::uint32_t end_of_crash(const std::vector<Crash>& crashes, std::uint32_t begin) {
  std::uint32_t end = begin + 1;
  while (end < crashes.size() && crashes[end].last_op == crashes[begin].last_op) ++end;
  return end;
}

}  // namespace ttscope::mem
