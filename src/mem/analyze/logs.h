#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mem/analyze/memory_profile.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// Lines of a file, both ends included, counted from 1.
struct LineRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// A module dump: a header line, then so many lines of the same rank.
struct ModuleLines {
  std::uint32_t header = 0;
  std::uint32_t count = 0;  ///< lines of the rank after the header, its end line included
};

/// What to leave out so that only the last run of a rank remains.
struct RankCut {
  enum class Basis : std::uint8_t {
    kWholeLog,  ///< only one run: nothing is dropped
    kMarkers,   ///< `Got output shape:` lines part the runs
    kPrograms,  ///< the outermost programs repeat
  };
  Basis basis = Basis::kWholeLog;
  std::uint32_t kept_programs = 0;  ///< outermost program instances of the last run
  std::uint32_t dropped_programs = 0;
  std::vector<LineRange> dropped;    ///< sorted, apart; they concern this rank's lines only
  std::vector<ModuleLines> modules;  ///< stay even within a dropped range; sorted by header
};

/// The last run of a log with warm-up passes, for each rank of the trace. With two or more output markers the
/// last run begins after the last but one; otherwise it is the last pass of the model: of the sequences of
/// outermost programs that stand twice at the end the one with the most graphs, the shortest of these (A A A:
/// the last A; A B A B: the last A B; C A A C A A: the last C A A). Helpers, graphs with less than an eighth
/// of the ops of the largest, do not count. Earlier programs, their markers and the memory blocks around them
/// are dropped; everything else stays, so that weights and modules can still be read.
std::vector<RankCut> find_last_run(const RuntimeLog& log);

/// What several logs that were given together seem to be.
struct SeveralLogs {
  enum class Difference : std::uint8_t {
    kNone,         ///< nothing speaks against ranks of one run
    kSameRank,     ///< two of them have lines of the same rank
    kOtherDevice,  ///< their devices are not alike
    kOtherOps,     ///< a program of one name has other ops
    kNames,        ///< they are called `before` and `after`, or the like
  };
  Difference difference = Difference::kNone;  ///< why they are two runs rather than ranks of one
  std::string detail;                         ///< the rank, the program or the word
  struct File {
    std::string path;
    std::vector<int> ranks;  ///< numbers under which its processes are shown
  };
  std::vector<File> files;
};

/// For profiles of two logs or more; `files` is empty otherwise.
SeveralLogs several_logs(const Profile& profile);

/// A crash that no failure of memory explains.
struct UnexplainedCrash {
  std::uint32_t rank = 0;   ///< in RuntimeLog::ranks
  std::uint32_t crash = 0;  ///< in RankLog::crashes: the first line that tells the cause
};

/// One for each place of the run where programs died. A crash beside a failure of memory is that failure in
/// other words: the assertion's header, Python's wrapper, the abort that follows.
std::vector<UnexplainedCrash> find_crashes(const RuntimeLog& log);

/// A text that tells of failures: what was read of it and why each happened.
struct OomLog {
  Profile profile;
  std::vector<UnexplainedCrash> crashes{};  ///< what else ended programs

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
