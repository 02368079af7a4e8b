#include "perf/model/notes.h"

#include <array>

#include "ui/text.h"

namespace ttscope::perf {
namespace {

constexpr std::array<PerfProblemInfo, kPerfProblemCount> kInfos = {{
    {"row_unreadable", "rows could not be read and are left out"},
    {"header_incomplete", "the device log's first line lacks the clock or the number of compute cores"},
    {"marker_unmatched", "firmware or kernel zones have only one of their two markers (dropped markers)"},
    {"marker_repeated", "kernel zones appear twice in one run of an op on a core"},
    {"core_quarantined", "cores with damaged markers are left out of an op's figures"},
    {"core_timer_skewed", "cores have timers far from the others'; times between cores are not comparable"},
    {"timestamp_wrapped", "device timers passed their 44 bits and were continued", true},
    {"sub_device_conflict", "ops have more than one sub-device id; the last one is shown"},
    {"duplicate_key", "executions were reported twice; the later row counts"},
    {"op_without_device_data", "ops of the host have no device data: their device cells are empty"},
    {"trace_never_replayed", "ops were captured into a trace that never ran: no device data", true},
    {"device_missing", "devices of the host's ops are in no device file"},
    {"device_op_without_host", "executions on a device are not in the host's messages"},
    {"more_replays", "trace replays ran on a device without a replay message of the host"},
    {"trace_only_rows", "rows are whole trace replays, not single ops, and stand on their own", true},
    {"op_message_cut", "op messages were cut (64 KiB limit): name and times are known, the rest is not"},
    {"op_message_unknown_hash", "short op messages refer to a full one that is missing"},
    {"message_malformed", "host messages lack the fields they must have"},
    {"op_id_repeated", "op ids were used twice by the host; the later message counts"},
    {"zone_without_op", "host zones belong to ops that no message describes"},
    {"op_without_zone", "ops have no host zone: their host times are empty"},
    {"trace_end_unmatched", "traces ended that were never begun"},
    {"dispatch_unmatched", "dispatch data belong to programs that are not in the report"},
    {"zone_hash_collision", "zone names share a 16-bit marker id and cannot be told apart"},
    {"noc_trace_unreadable", "NoC trace files could not be read"},
    {"noc_event_saturated", "NoC events are at the recorder's limit of 8160 bytes: sizes are lower bounds"},
    {"quote_unclosed", "quotes are never closed; taken as ordinary characters"},
    {"reports_differ",
     "executions differ between the runtime's report and the device log; the log's figures are shown", true},
    {"file_cut", "compressed files are cut or damaged: read as far as they could be unpacked"},
    {"markers_dropped",
     "processors had full profiler buffers, so that markers were dropped: profile fewer ops or read the "
     "profiler "
     "more often"},
    {"zone_unmatched", "starts or ends of zones have no partner and are left out of the zones"},
    {"file_missing", "files of the capture are missing"},
    {"host_files_missing", "of the host there are no files: ops have no names, shapes and host times", true},
    {"simulated_chips", ui::kRunOnSimulatedChips, true},
    {"signpost_unplaced",
     "signposts are in no row of the report: no op of the host says between which programs of the devices "
     "they "
     "belong, and not all clocks of devices were synchronised with the host's (--sync-host-device, not of "
     "simulated chips); the timeline has them",
     true},
}};

}  // namespace

const PerfProblemInfo& info_of(PerfProblem problem) { return kInfos[static_cast<std::size_t>(problem)]; }

void PerfProblems::add(PerfProblem problem, std::uint64_t count, std::string place) {
  if (count == 0) return;
  add_count(problem, count);
  if (!place.empty()) add_place(problem, std::move(place));
}

bool PerfProblems::any_harmful() const {
  for (std::size_t i = 0; i < kPerfProblemCount; ++i) {
    if (count(static_cast<PerfProblem>(i)) > 0 && !kInfos[i].harmless) return true;
  }
  return false;
}

namespace {

struct NoteInfo {
  std::string_view key;
  bool is_warning;
};

// In the order of the kinds.
constexpr std::array<NoteInfo, kNoteKindCount> kNoteInfos = {{
    {"format", false},
    {"stand_in_duration", true},
    {"table_only", true},
    {"peaks_of_table", true},
    {"rows_of_slowest", true},
    {"replays_on_ops", true},
    {"no_op_ids", false},
    {"hosts", false},
    {"several_archs", true},
    {"arch_as_asked", false},
    {"arch_of_report", false},
    {"arch_by_clock", true},
    {"no_arch", true},
    {"unknown_arch", true},
    {"no_clock", true},
    {"arch_and_cores", false},
    {"arch_column_lacks", true},
    {"arch_values_lack", true},
    {"archs_listed", true},
    {"arch_ignored", true},
    {"cores_column_lacks", true},
    {"core_values_lack", true},
    {"cores_listed", true},
    {"device_order", false},
    {"host_order", false},
    {"no_host_times", true},
    {"file_order", false},
    {"placed_order", false},
    {"after_signpost", false},
    {"until_signpost", false},
    {"no_start_signpost", true},
    {"no_end_signpost", true},
    {"second_signpost", true},
    {"too_few_signposts", true},
    {"signposts_listed", false},
    {"from_last_signpost", false},
    {"last_stretch", false},
    {"stretch_without_times", true},
    {"nothing_behind_signposts", false},
    {"signposts_ignored", false},
    {"no_signposts", true},
    {"warm_up_left_out", false},
    {"set_up_left_out", false},
    {"ids_up_to", false},
    {"ids_from", false},
    {"ids_between", false},
    {"devices_apart", false},
    {"devices_merged", false},
    {"no_device_ops", true},
    {"device_lacks_op", true},
    {"op_of_some_devices", true},
    {"more_of_these", true},
    {"ops_of_some_devices", true},
    {"unknown_ops", false},
    {"refuted_bounds", true},
}};

}  // namespace

std::string_view key_of(NoteKind kind) { return kNoteInfos[static_cast<std::size_t>(kind)].key; }

bool is_warning(NoteKind kind) { return kNoteInfos[static_cast<std::size_t>(kind)].is_warning; }

}  // namespace ttscope::perf
