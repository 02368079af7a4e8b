#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/trust.h"
#include "mem/analyse/failure.h"

/// What the verdict says, without words: those are in mem/write/words/finding_text.h.
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
  std::uint32_t rank = kNone;                 ///< in RuntimeTrace::ranks
  std::uint32_t op = kNone;                   ///< that made the peak, or was running; in RankTrace::ops
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
  kLastOpModelled,      ///< no block follows the last op: what it did is modelled
  kLastOpUnknown,       ///< the same without op lines
  kAllModelled,         ///< no memory lines
  kTemporaries,         ///< what an op makes and frees within itself is not seen
  kL1TensorsOnly,       ///< nor are circular buffers and kernels
  kDeviceAssumed,       ///< the log does not name the device
  kReaderWarning,       ///< a problem of an input as a whole, in the reader's words
  kFromFiles,           ///< made from the files of a run
  kFilesAllModelled,    ///< whose log had no memory lines
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

}  // namespace ttscope::mem
