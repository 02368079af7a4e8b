#include "perf/model/rules.h"

namespace ttscope::perf {

const Rules& own_rules() {
  static const Rules rules;
  return rules;
}

const Rules& compat_rules() {
  static const Rules rules = {
      .continues_timers = false,
      .averages_buffer_waits = false,
      .joins_device_files = false,
      .reads_runtime_report_without_host = false,
      .uses_synchronised_clocks = false,
      .finds_skewed_timers = false,
      .tells_zones_without_ops = false,
      .takes_several_hosts = false,
      .tells_whole_replays_apart = false,
      .places_late_replays_last = false,
      .keeps_replays_of_each_trace = false,
      .lists_executions_without_host = false,
      .lists_executions_without_firmware = false,
      .follows_device_for_latency = false,
      .leaves_unknown_latency_empty = false,
      .scales_all_counters = false,
      .has_same_counters_without_host = false,
      .leaves_unknown_counters_empty = false,
      .defuses_formulas = false,
      .keeps_whole_signposts = false,
      .shows_arch_of_logs = false,
      .shows_devices_without_host = false,
      .writes_header_without_rows = false,
      .times_whole_op_on_host = false,
      .finds_cache_hits = false,
      .leaves_own_zone_out_of_children = false,
      .adds_own_columns = false,
      .refuses_unknown_signposts = false,
      .shows_last_section = false,
      .keeps_order_of_replays = false,
      .explains_order = false,
      .notes_merging_of_one_device = true,
      .notes_hosts = false,
      .notes_refuted_bounds = false,
      .orders_by_device_time = false,
      .knows_ops_by_program = false,
      .follows_device_for_gaps = false,
      .leaves_warm_up_out = false,
      .shares_wall_time = false,
      .hides_percents_above_peak = false,
      .counts_shared_exponents = false,
      .knows_all_categories = false,
      .marks_unknown_sizes = false,
      .judges_fp32 = false,
      .hides_fidelity_without_tensors = false,
      .counts_active_experts = false,
      .knows_host_ops_by_type = false,
      .counts_missing_time_as_zero = true,
      .bounds_by_either_percent = false,
      .leaves_compile_gaps_apart = false,
      .uses_recorded_clock = false,
      .obeys_given_arch = false,
      .uses_figures_of_chip = false,
      .compares_with_cores_of_chip = false,
      .shows_counts_as_floats = true,
      .averages_flops_by_device = false,
      .sorts_by_exact_percent = false,
      .shortens_names = false,
      .has_own_sections = false,
      .tells_traces_apart = false,
      .keeps_last_record = false,
      .keeps_names_of_silent_zones = false,
      .renames_dispatch_zones_everywhere = true,
      .heads_devices = false,
      .measures_core_gaps_in_ns = false,
      .writes_markers_once = false,
      .names_tarball = true,
  };
  return rules;
}

}  // namespace ttscope::perf
