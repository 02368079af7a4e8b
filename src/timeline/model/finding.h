#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/none.h"

/// What a reader must know of inputs as a whole, without words: those are in timeline/tables/finding_text.h.
namespace ttscope::timeline {

enum class FindingKind : std::uint8_t {
  kReaderWarning,       ///< a problem of an input as a whole, in its reader's words
  kBadRecords,          ///< records of an input of another subject could not be read or were mended
  kCaptureCut,          ///< a capture of Tracy ends too early
  kCaptureRestUnread,   ///< what stands behind its zones, messages and plots is damaged
  kMarksDroppedDisk,    ///< marks of a recording were dropped: no room on the disk
  kMarksDroppedRoom,    ///< marks of a recording were dropped: more than it was allowed to take
  kRecordingDamaged,    ///< pages or events of a recording were not understood
  kRecordingCut,        ///< a recording has fewer bytes than were written
  kThreadsCut,          ///< a recording that ended lacks the last marks of threads
  kOpBeforeHost,        ///< an op begins before the host sent it
  kOpsLongAfterHost,    ///< all ops of a device begin long after the host sent them
  kNoSuchCore,          ///< the core that was asked for is on no device
  kZonesReachOver,      ///< zones begin before the stretch that was asked for, or end behind it
  kNocEventsDamaged,    ///< a file of NoC events is no whole list
  kLogWithoutTimes,     ///< the memory of a log cannot be put on the axis
  kHostGuessed,         ///< which host wrote a log is not told
  kLogWithoutMemory,    ///< no line of a log tells how much memory is in use
  kDeviceZonesDropped,  ///< the device log has those of the capture, with their ops
  kOpsWithoutHost,      ///< executions on devices that the host's messages lack
  kOpsWithoutDevice,    ///< ops of the host without device data
  kSimulatedChips,      ///< nothing is wrong, but the devices' times are modelled
};
/// `capture_cut`, for other programs; empty: no kind.
std::string_view key_of(FindingKind kind);

/// One of them, with its figures and its place.
struct Finding {
  FindingKind kind = FindingKind::kReaderWarning;
  std::string file{};     ///< that it is about; empty: all of the run, or `text` names it
  std::string problem{};  ///< kBadRecords: the key of what is wrong with them
  std::string text{};     ///< kReaderWarning: the warning; kBadRecords: the same as a sentence;
                          ///< kCaptureCut, kCaptureRestUnread: what was found, if anything
  std::string place{};    ///< of the first record; kCaptureCut: the part of the file;
                          ///< kHostGuessed: the file of the host that was taken
  /// Of records, marks, threads, zones, ops; kRecordingDamaged: of pages.
  std::optional<std::uint64_t> count{};
  std::optional<std::uint64_t> events{};  ///< kRecordingDamaged
  std::optional<std::uint64_t> bytes{};   ///< read, there
  std::optional<std::uint64_t>
      whole_bytes{};                      ///< kRecordingCut: written; kMarksDroppedRoom: that it may take
  std::int64_t distance_ns = 0;           ///< kOpBeforeHost, kOpsLongAfterHost
  std::uint32_t device = kNone;           ///< the same
  std::optional<std::uint16_t> core_x{};  ///< kNoSuchCore
  std::optional<std::uint16_t> core_y{};

  bool operator==(const Finding&) const = default;
};

/// What is written behind the name of the host in captures whose chips were simulated, which they have no
/// other place for; Tracy shows it with the facts of the capture.
inline constexpr std::string_view kSimulatedChipsMark = " (chips simulated: times of devices are modelled)";

/// A warning of an input as a whole, as its reader worded it.
inline Finding reader_warning(std::string text) {
  return {.kind = FindingKind::kReaderWarning, .text = std::move(text)};
}

}  // namespace ttscope::timeline
