#pragma once

#include <vector>

#include "mem/analyse/profile.h"

namespace ttscope::mem {

/// A crash that no failure of memory explains.
struct CrashReport {
  std::uint32_t rank = 0;   ///< in RuntimeTrace::ranks
  std::uint32_t crash = 0;  ///< in RankTrace::crashes: the first line that tells the cause
};

/// One for each place of the run where programs died. A crash beside a failure of memory is that failure in
/// other words: the assertion's header, Python's wrapper, the abort that follows.
std::vector<CrashReport> find_crashes(const RuntimeTrace& trace);

/// A text that tells of failures: what was read of it and why each happened.
struct OomLog {
  Profile profile;
  std::vector<CrashReport> crashes{};  ///< what else ended programs

  /// Each failure once, in text order.
  const std::vector<FailureReport>& reports() const { return profile.memory.failures; }
};

/// A print of a failure, in the order of the text.
struct FailurePrint {
  std::uint32_t log = 0;                 ///< in the list of logs
  std::uint32_t report = kNone;          ///< in OomLog::reports(); kNone for a crash
  std::uint32_t crash = kNone;           ///< in OomLog::crashes
  const OutOfMemory* printed = nullptr;  ///< null for a crash
  std::uint32_t line = 0;
  std::uint32_t repeats = kNone;  ///< index of the first print of the same failure, in the same list
};

/// Every message of all logs. The logs outlive the list.
std::vector<FailurePrint> prints_of(const std::vector<OomLog>& logs);

/// Failures that are the same in several logs, by fingerprint, in order of their first print.
struct FailureGroup {
  std::uint64_t fingerprint = 0;
  std::vector<std::uint32_t> prints;  ///< first prints only, in prints_of()
};
std::vector<FailureGroup> groups_of(const std::vector<OomLog>& logs, const std::vector<FailurePrint>& prints);

}  // namespace ttscope::mem
