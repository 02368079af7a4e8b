#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/trust.h"

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

/// What is to be known about how a table was made. The comments name what comes with it, in this order:
/// `names` are texts of the input or the user, `figures` numbers.
enum class NoteKind : std::uint8_t {
  // How the input was understood.
  kFormat,           ///< which columns it has; figures: the ReportFormat
  kStandInDuration,  ///< no column of kernel durations; names: file, columns that stand for it
  kTableOnly,        ///< a table of tt-perf-report: what it cannot tell
  kPeaksOfTable,     ///< of such a table; figures: DRAM GB/s that its percentages are of
  kRowsOfSlowest,    ///< of such a table: its rows are those of the slowest device each
  kReplaysOnOps,     ///< rows were whole replays, booked on ops; figures: how many
  kNoOpIds,          ///< no zone belongs to an op
  kHosts,            ///< names: hosts; figures: their first and last device, then how many more there are

  // Peaks.
  kSeveralArchs,     ///< names: the first one; figures: how many
  kArchAsAsked,      ///< names: recorded, asked
  kArchOfReport,     ///< names: it
  kArchByClock,      ///< names: it; figures: MHz
  kNoArch,           ///< none recorded, and none that the clock tells
  kUnknownArch,      ///< no figures for it; names: it
  kNoClock,          ///< so no percentage of compute
  kArchAndCores,     ///< names: architecture; figures: worker cores
  kArchColumnLacks,  ///< by the rules of tt-perf-report, as the next six
  kArchValuesLack,
  kArchsListed,  ///< names: the one that is used, then all
  kArchIgnored,  ///< names: asked, recorded
  kCoresColumnLacks,
  kCoreValuesLack,
  kCoresListed,  ///< figures: the one that is used, whether they are shown as floats, then all

  // Order and window.
  kDeviceOrder,    ///< ops stand as the devices ran them
  kHostOrder,      ///< ops stand as the host sent them
  kNoHostTimes,    ///< no column to sort by
  kFileOrder,      ///< traced ops carry the time of their capture
  kPlacedOrder,    ///< ops have no host time
  kAfterSignpost,  ///< names: it, as in the next five
  kUntilSignpost,
  kNoStartSignpost,
  kNoEndSignpost,
  kSecondSignpost,    ///< of more than two of that name the second is the end
  kTooFewSignposts,   ///< one of that name cannot be start and end
  kSignpostsListed,   ///< names: all
  kFromLastSignpost,  ///< names: it
  kLastStretch,       ///< names: signposts before it and, if any, behind; figures: row of the first, whether
                      ///< stretches without device times were passed over
  kStretchWithoutTimes,
  kNothingAfterSignposts,
  kSignpostsIgnored,
  kNoSignposts,
  kWarmUpLeftOut,  ///< figures: passes, their ops, passes that are shown, whether cache misses told
  kSetUpLeftOut,   ///< what ran before the first replay; figures: ops, whether cache misses told
  kIdsUpTo,        ///< figures: the last
  kIdsFrom,        ///< figures: the first
  kIdsBetween,     ///< figures: both

  // Devices.
  kDevicesApart,   ///< figures: how many
  kDevicesMerged,  ///< figures: how many
  kNoDeviceOps,
  kDeviceLacksOp,     ///< names: op, none if it is not known; figures: device, place
  kOpOfSomeDevices,   ///< names: op; figures: place, then the devices that do not have it
  kMoreOfThese,       ///< figures: how many of the last two kinds are not listed
  kOpsOfSomeDevices,  ///< names: the first op; figures: how many, its row, the devices that lack some

  // What ops are.
  kUnknownOps,     ///< names: of ops; figures: category and CategoryBasis of each, then how many more
  kRefutedBounds,  ///< ops that ran faster than their model; figures: how many
};

inline constexpr std::size_t kNoteKindCount = static_cast<std::size_t>(NoteKind::kRefutedBounds) + 1;

/// `warm_up_left_out`, for other programs.
std::string_view key_of(NoteKind kind);
/// Whether figures are less sure because of it.
bool is_warning(NoteKind kind);

/// A typed statement about how a table was made. Its words are in perf/write/words/note_text.h.
struct OpNote {
  NoteKind kind = NoteKind::kFormat;
  std::vector<std::string> names{};
  std::vector<double> figures{};
};

}  // namespace ttscope::perf
