#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::perf {

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
  kNothingBehindSignposts,
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
