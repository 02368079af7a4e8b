#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/problem_counts.h"

namespace ttscope::perf {

/// Everything that can be wrong with the files of a profiler run. A problem is counted with its first
/// places; the report is made all the same.
enum class PerfProblem : std::uint8_t {
  kRowUnreadable,         ///< a row of a log with too few fields or a number that is none
  kHeaderIncomplete,      ///< the first line of a device log without clock or compute cores
  kMarkerUnmatched,       ///< a zone of firmware or kernel with only one of its ends
  kMarkerRepeated,        ///< a kernel zone twice in one run of an op on a core
  kCoreQuarantined,       ///< a core whose markers are left out of an op's figures
  kCoreTimerSkewed,       ///< a core whose timer is far from those of the others
  kTimestampWrapped,      ///< a device whose 44-bit timer started again from zero
  kSubDeviceConflict,     ///< an op with two sub-device ids
  kDuplicateKey,          ///< a second row of one execution; the later one counts
  kOpWithoutDeviceData,   ///< an op of the host that no device file knows
  kTraceNeverReplayed,    ///< an op captured into a trace that was not run
  kDeviceMissing,         ///< a device of the host's ops without any device data
  kDeviceOpWithoutHost,   ///< an execution on a device that the host's messages do not know
  kMoreReplays,           ///< replays on the device beyond the messages of the host
  kTraceOnlyRows,         ///< rows of whole trace replays, which are of no single op
  kOpMessageCut,          ///< an op message whose JSON cannot be read (cut at 64 KiB)
  kOpMessageUnknownHash,  ///< a short op message that refers to a full one that is not there
  kMessageMalformed,      ///< a trace or op message without the fields it must have
  kOpIdRepeated,          ///< a later message with the same op id; it replaces the earlier
  kZoneWithoutOp,         ///< a host zone of an op that no message describes
  kOpWithoutZone,         ///< an op without a host zone: no host times
  kTraceEndUnmatched,     ///< the end of a trace that was not begun
  kDispatchUnmatched,     ///< dispatch data of a program that is not in the report
  kZoneHashCollision,     ///< two zones whose 16-bit marker ids are equal
  kNocTraceUnreadable,    ///< a NoC trace file that is no list of events
  kNocEventSaturated,     ///< a NoC event whose size is at the most the recorder can hold
  kQuoteUnclosed,         ///< a quote in a CSV file that is never closed
  kReportsDiffer,         ///< executions where the runtime's own report and the device log disagree
  kFileCut,               ///< a compressed file that is cut or damaged
  kMarkersDropped,        ///< the runtime says that a core's profiler buffers were full
  kZoneUnmatched,         ///< a start or an end of any zone without its partner; only where zones are read
  kFileMissing,           ///< a file of the capture that the others need
  kHostFilesMissing,      ///< files of the device alone: ops have no names
  kSimulatedChips,        ///< nothing is wrong, but no time of a device was measured
  kSignpostUnplaced,      ///< a signpost that nothing puts between the programs of devices: in no row
  kCount,
};
inline constexpr std::size_t kPerfProblemCount = static_cast<std::size_t>(PerfProblem::kCount);

/// How a problem is named in JSON, and what the trust section says of it.
struct PerfProblemInfo {
  std::string_view key;
  std::string_view sentence;
  bool harmless = false;  ///< no figure lacks anything because of it; `--strict` accepts it
};
const PerfProblemInfo& info_of(PerfProblem problem);

/// Their places are texts for the user: `profile_log_device.csv:12`, `op 2048 on device 0`.
class PerfProblems : public ProblemCounts<PerfProblem, kPerfProblemCount, std::string> {
 public:
  using ProblemCounts::add;
  /// So many of them, in one place; an empty text is none.
  void add(PerfProblem problem, std::uint64_t count, std::string place);
  /// Problems that cost something.
  bool any_harmful() const;
};

}  // namespace ttscope::perf
