#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/trust.h"
#include "mem/model/runtime_trace.h"

/// The verdict of a run in three parts that do not depend on each other: how it ended, whether its memory
/// fits, how far the figures can be trusted. Words are in mem/write/words/verdict_text.h.
namespace ttscope::mem {

struct MemoryProfile;

enum class Outcome : std::uint8_t {
  kUnknown,
  kFinished,     ///< every started program ended and no failure follows
  kOutOfMemory,  ///< an allocation failed
  kCrashed,      ///< it died of something else
  kCut,          ///< the log ends inside a program
  kRunning,      ///< the same, and it is still being written
};
std::string_view name_of(Outcome outcome);

enum class OutcomeReason : std::uint8_t {
  kProgramsEnded,
  kFailureMessage,
  kCrashLine,
  kEndsInProgram,    ///< cut and running
  kInputCut,         ///< the compressed input ends or is damaged before its end
  kNoProgramLines,   ///< unknown: the log has no line of a program's start or end
  kEarlierLeftOpen,  ///< unknown: a program without an end, and others after it
  kFromFiles,        ///< unknown: the files of a run do not tell
  kNotRun,           ///< unknown: a compiled module, which nobody ran
};
std::string_view name_of(OutcomeReason reason);

enum class Fit : std::uint8_t { kUnknown, kYes, kNo };
std::string_view name_of(Fit fit);

enum class FitReason : std::uint8_t {
  kMeasured,          ///< yes: every printed state is below the size of a bank
  kAllocationFailed,  ///< no
  kCrashed,           ///< unknown, as all that follow: what the run would still have needed nobody knows
  kCut,
  kRunning,
  kModelled,    ///< no memory line was read: the curve is computed
  kNoBankSize,  ///< nothing tells how much a bank holds
  kSkipped,     ///< too many memory lines could not be read
  kFewStates,   ///< most ops have no state: what was between the printed ones is not known
  kNotRun,      ///< a compiled module: the curve is computed, and nothing was asked of a device
};
std::string_view name_of(FitReason reason);

enum class TrustReason : std::uint8_t {
  kPrinted,        ///< the figures are the printed ones
  kNoMemoryLines,  ///< modelled
  kManySkipped,
  kManyRepaired,
  kFewStates,  ///< memory was printed around programs only
  kNotRun,     ///< modelled: a compiled module, which nobody ran
};
std::string_view name_of(TrustReason reason);

/// What was never used of a memory, in every bank; of the rank that used most.
struct Headroom {
  Memory memory = Memory::kDram;
  std::uint32_t rank = 0;
  std::int64_t bytes_per_bank = 0;
  std::int64_t capacity_bytes_per_bank = 0;
};

struct RunVerdict {
  Outcome outcome = Outcome::kUnknown;
  OutcomeReason outcome_reason = OutcomeReason::kNoProgramLines;
  std::uint32_t rank = kNone;           ///< whose end it is; kNone: all
  std::uint32_t op = kNone;             ///< running when it ended, where it did not finish
  std::uint32_t program = kNone;        ///< instance that was left open
  std::uint32_t line = 0;               ///< of the message, or the last line of the log; 0: unknown
  CrashKind crash = CrashKind::kFatal;  ///< kCrashed
  std::string crash_text{};             ///< kCrashed: the line, the log's own text

  Fit fit = Fit::kUnknown;
  FitReason fit_reason = FitReason::kModelled;
  std::vector<Headroom> headroom;  ///< memories in use whose size is known

  Confidence trust = Confidence::kModelled;
  TrustReason trust_reason = TrustReason::kNoMemoryLines;
  std::uint64_t memory_views = 0;          ///< lines with the state of a memory that were read
  std::uint64_t skipped_memory_views = 0;  ///< that were not
  std::uint64_t repaired = 0;              ///< records used after a repair, of all kinds
  std::uint64_t skipped = 0;               ///< records not used, of all kinds

  /// An allocation failed or the program died: over any limit.
  bool failed() const { return outcome == Outcome::kOutOfMemory || outcome == Outcome::kCrashed; }
};

/// What nobody can read in the log itself.
struct RunFacts {
  std::function<bool()> is_being_written{};  ///< asked only where the log ends inside a program
  bool from_files = false;                   ///< the files of a run, which do not tell how it ended
};

/// Parts above which a log is no longer one that can be taken at its word.
inline constexpr double kManySkippedViews = 0.01;
inline constexpr double kMostlySkippedViews = 0.5;
inline constexpr double kManyRepairs = 0.10;
inline constexpr double kFewStatesOfOps = 0.5;

/// Peaks and devices of the profile must be there.
RunVerdict conclude(const RuntimeTrace& trace, const MemoryProfile& profile, const RunFacts& facts);

}  // namespace ttscope::mem
