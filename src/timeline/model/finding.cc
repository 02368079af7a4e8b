#include "timeline/model/finding.h"

namespace ttscope::timeline {

std::string_view key_of(FindingKind kind) {
  switch (kind) {  // a kind that is forgotten does not compile
    case FindingKind::kReaderWarning:
      return "reader_warning";
    case FindingKind::kBadRecords:
      return "bad_records";
    case FindingKind::kCaptureCut:
      return "capture_cut";
    case FindingKind::kCaptureRestUnread:
      return "capture_rest_unread";
    case FindingKind::kMarksDroppedDisk:
      return "marks_dropped_disk";
    case FindingKind::kMarksDroppedRoom:
      return "marks_dropped_room";
    case FindingKind::kRecordingDamaged:
      return "recording_damaged";
    case FindingKind::kRecordingCut:
      return "recording_cut";
    case FindingKind::kThreadsCut:
      return "threads_cut";
    case FindingKind::kOpBeforeHost:
      return "op_before_host";
    case FindingKind::kOpsLongAfterHost:
      return "ops_long_after_host";
    case FindingKind::kNoSuchCore:
      return "no_such_core";
    case FindingKind::kZonesReachOver:
      return "zones_reach_over";
    case FindingKind::kNocEventsDamaged:
      return "noc_events_damaged";
    case FindingKind::kLogWithoutTimes:
      return "log_without_times";
    case FindingKind::kHostGuessed:
      return "host_guessed";
    case FindingKind::kLogWithoutMemory:
      return "log_without_memory";
    case FindingKind::kDeviceZonesDropped:
      return "device_zones_dropped";
    case FindingKind::kOpsWithoutHost:
      return "ops_without_host";
    case FindingKind::kOpsWithoutDevice:
      return "ops_without_device";
    case FindingKind::kSimulatedChips:
      return "simulated_chips";
  }
  return {};
}

}  // namespace ttscope::timeline
