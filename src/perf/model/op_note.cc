#include "perf/model/op_note.h"

#include <array>

namespace ttscope::perf {
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
