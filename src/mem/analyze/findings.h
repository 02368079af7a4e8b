#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/trust.h"
#include "mem/analyze/failures.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {

enum class FindingCause : std::uint8_t {
  kNothingInUse,         ///< no tensor memory is in use
  kOutOfMemory,          ///< an allocation failed
  kPeak,                 ///< how much of a bank the peak fills
  kPeakWithoutCapacity,  ///< a peak, but no line tells how much a bank holds
  kPadding,              ///< what padding adds to the tensors live at the DRAM peak
  kCrashed,              ///< the program died of something other than memory
  kCut,                  ///< the log ends before the run does
  kRunning,              ///< the same, and it is still being written
  kSkipped,              ///< memory lines that could not be read
  kRepaired,             ///< records that were put right before use
  kWouldRunOut,          ///< by the model of a compiled module, the first op that finds no room
  kModuleCut,            ///< a compiled module ends inside a function
};

std::string_view name_of(FindingCause cause);

/// One statement of the verdict: how bad, why, its figures, and where.
struct Finding {
  Severity severity = Severity::kOk;
  FindingCause cause = FindingCause::kNothingInUse;
  std::optional<Memory> memory{};
  std::optional<std::int64_t> bytes_per_bank{};           ///< the peak; kOutOfMemory: asked for; kPadding
  std::optional<std::int64_t> capacity_bytes_per_bank{};  ///< where it is known
  std::optional<double> fraction{};  ///< kPeak: of the capacity; kPadding: padding of the logical bytes
  Confidence confidence = Confidence::kNone;  ///< of the peak
  FailedBank bank{};                          ///< kOutOfMemory
  std::uint32_t rank = kNone;                 ///< in RuntimeLog::ranks
  std::uint32_t op = kNone;                   ///< that made the peak, or was running; in RankLog::ops
  std::uint32_t message_line = 0;       ///< kOutOfMemory, kCrashed: of the message; kCut: the last of the log
  CrashKind crash = CrashKind::kFatal;  ///< kCrashed
  std::string text{};                   ///< kCrashed: the line, the log's own text
  std::uint64_t records = 0;            ///< kSkipped, kRepaired, kModuleCut
  bool at_start = false;  ///< kWouldRunOut: already before the op, with what its program is given
};

/// A part of the input that is not there.
enum class MissingPart : std::uint8_t {
  kOpLines,
  kMemoryLines,
  kMemoryLinesBeforeOps,  ///< blocks around programs only
  kModules,
  kFile,              ///< one of the files of a run
  kDeallocations,     ///< files of a run never have them
  kRun,               ///< a compiled module: nothing was measured
  kWholeLog,          ///< the text has messages of failures and nothing else
  kOpLinesOfModules,  ///< as kOpLines; what would run is taken from the modules of the log
};

struct MissingInput {
  MissingPart part = MissingPart::kOpLines;
  std::string file{};  ///< kFile: its name
};

/// What the figures include and leave out.
enum class MemoryNoteKind : std::uint8_t {
  kPeaksPrinted,        ///< peaks are the highest printed states
  kLastOpModeled,       ///< no block follows the last op: what it did is modeled
  kLastOpUnknown,       ///< the same without op lines
  kAllModeled,          ///< no memory lines
  kTemporaries,         ///< what an op makes and frees within itself is not seen
  kL1TensorsOnly,       ///< nor are circular buffers and kernels
  kDeviceAssumed,       ///< the log does not name the device
  kReaderWarning,       ///< a problem of an input as a whole, in the reader's words
  kFromFiles,           ///< made from the files of a run
  kFilesAllModeled,     ///< whose log had no memory lines
  kFilesRounded,        ///< whose figures are rounded
  kFilesGrowth,         ///< whose growth includes what deallocates freed
  kFilesPadding,        ///< whose padding takes tensors of one name for one
  kFilesL1TensorsOnly,  ///< as kL1TensorsOnly
  kFromModule,          ///< made from a compiled module
  kModuleLeavesOut,     ///< what no module tells
  kModuleArguments,     ///< all arguments count, and whether deallocating one frees it
  kModuleDevice,        ///< the module does not name the device
};

struct MemoryNote {
  MemoryNoteKind kind = MemoryNoteKind::kTemporaries;
  std::string text{};  ///< kReaderWarning
};

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
  kModeled,     ///< no memory line was read: the curve is computed
  kNoBankSize,  ///< nothing tells how much a bank holds
  kSkipped,     ///< too many memory lines could not be read
  kFewStates,   ///< most ops have no state: what was between the printed ones is not known
  kNotRun,      ///< a compiled module: the curve is computed, and nothing was asked of a device
};

std::string_view name_of(FitReason reason);

enum class TrustReason : std::uint8_t {
  kPrinted,        ///< the figures are the printed ones
  kNoMemoryLines,  ///< modeled
  kManySkipped,
  kManyRepaired,
  kFewStates,  ///< memory was printed around programs only
  kNotRun,     ///< modeled: a compiled module, which nobody ran
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
  FitReason fit_reason = FitReason::kModeled;
  std::vector<Headroom> headroom;  ///< memories in use whose size is known

  Confidence trust = Confidence::kModeled;
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
RunVerdict find_verdict(const RuntimeLog& log, const MemoryProfile& profile, const RunFacts& facts);

}  // namespace ttscope::mem
