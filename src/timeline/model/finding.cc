#include "timeline/model/finding.h"

#include <array>

namespace ttscope::timeline {

std::string_view key_of(FindingKind kind) {
  constexpr std::array<std::string_view, kFindingKindCount> kKeys = {
      "reader_warning",     "bad_records",          "capture_cut",         "capture_rest_unread",
      "marks_dropped_disk", "marks_dropped_room",   "recording_damaged",   "recording_cut",
      "threads_cut",        "op_before_host",       "ops_long_after_host", "no_such_core",
      "zones_reach_over",   "noc_events_damaged",   "log_without_times",   "host_guessed",
      "log_without_memory", "device_zones_dropped", "ops_without_host",    "ops_without_device"};
  return kKeys[static_cast<std::size_t>(kind)];
}

}  // namespace ttscope::timeline
