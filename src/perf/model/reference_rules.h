#pragma once

namespace ttscope::perf {

/// What is decided one way by us and another way by the reference tools (tt-metal's process_ops_logs and
/// tt-perf-report 1.2.4), whose output `--compat` repeats byte for byte, with its errors. The defaults are
/// ours. Code asks for a decision, never for the set; only who loads a profile chooses one.
struct Rules {
  // Reading captures.

  /// A device timer that passes its 44 bits is continued; the reference takes times as recorded, so that
  /// ops jump back.
  bool continues_timers = true;
  /// Waits for circular buffers are averages over cores; the reference adds them up, so that they exceed
  /// the op.
  bool averages_buffer_waits = true;
  /// The device log's figures count beside the runtime's own report; the reference takes the runtime's
  /// alone.
  bool joins_device_files = true;
  /// The runtime's own report is read with --device-only too; the reference reads the log alone.
  bool reads_runtime_report_without_host = true;
  /// Clocks are those that the time synchronization measured; the reference has one clock for all
  /// devices.
  bool uses_synchronized_clocks = true;
  /// Cores whose timers are far from the others are named; the reference does not look.
  bool finds_skewed_timers = true;
  /// Of a log without ops the zones are told; the reference writes a report without rows.
  bool tells_zones_without_ops = true;
  /// Captures of several hosts make one report; the reference has none of several.
  bool takes_several_hosts = true;
  /// What is missing of a capture's files is told; the reference goes on without a word.
  bool notes_missing_files = true;
  /// It is said that chips were simulated, so that device times are modeled; the reference knows no such
  /// chips.
  bool notes_simulated_chips = true;
  /// Values and events that users recorded in their kernels are shown unasked; the reference leaves them out.
  bool shows_marks_of_users = true;

  // Rows of the report.

  /// A whole trace replay is a row of its own; the reference takes it for the op that it begins with.
  bool tells_whole_replays_apart = true;
  /// A replay without a message stands at the last message of its trace; the reference puts it at the
  /// op's.
  bool places_late_replays_last = true;
  /// Replays are told apart by trace; the reference knows them by op and session, the later trace stays.
  bool keeps_replays_of_each_trace = true;
  /// Executions are listed where the host reported no op; the reference lists nothing.
  bool lists_executions_without_host = true;
  /// An execution without firmware zones is a row; the reference leaves it out of reports of the device.
  bool lists_executions_without_firmware = true;
  /// Latency is from the op before on the device; the reference goes by the order of the rows.
  bool follows_device_for_latency = true;
  /// A latency that is not known is empty; the reference writes 0.
  bool leaves_unknown_latency_empty = true;
  /// Signposts of a host without ops are rows, alone or where the clocks of devices put them between
  /// programs; the reference leaves them out.
  bool places_signposts_without_ops = true;

  // Hardware counters.

  /// All shares are percent; the reference leaves some as they are.
  bool scales_all_counters = true;
  /// Metrics are the same with and without the host; the reference has two programs that disagree.
  bool has_same_counters_without_host = true;
  /// A metric without a value is empty; the reference writes nan.
  bool leaves_unknown_counters_empty = true;

  // Columns and cells of the report.

  /// Text that a spreadsheet would run gets an apostrophe; the reference writes it as it is.
  bool defuses_formulas = true;
  /// A signpost keeps its whole text; the reference cuts it at its last colon and its second line.
  bool keeps_whole_signposts = true;
  /// Messages of tt-metal and its tools hold backticks as they were given; the reference ends a message at
  /// the first one of its text.
  bool keeps_backticks_in_messages = true;
  /// The architecture of a device log is shown; the reference shows only that of the runtime's report.
  bool shows_arch_of_logs = true;
  /// Reports of the device alone tell devices, cores and traces; those of the reference do not.
  bool shows_devices_without_host = true;
  /// A report of the device without rows has a header; that of the reference is empty.
  bool writes_header_without_rows = true;
  /// Host times are those of the op; the reference shows those of making its message.
  bool times_whole_op_on_host = true;
  /// A program that ran before is a cache hit; the reference repeats a flag that is always false.
  bool finds_cache_hits = true;
  /// An op's own zone is none of its children; the reference counts it twice.
  bool leaves_own_zone_out_of_children = true;
  /// Message times, trace durations and NoC figures are columns; the reference has none of them.
  bool adds_own_columns = true;

  // Window and order of the shown ops.

  /// A signpost that is not there is an error; the reference warns and shows everything.
  bool refuses_unknown_signposts = true;
  /// Without a choice the last part that signposts set off is shown; the reference shows what follows the
  /// first signpost that has the name of the last.
  bool shows_last_section = true;
  /// Replayed ops keep the order of the file, since they carry the time of their capture; the reference
  /// sorts them.
  bool keeps_order_of_replays = true;
  /// Where signposts alone have a host time, rows stay as they are, placed by the device's clock; the
  /// reference sorts all ops behind the last signpost.
  bool keeps_order_without_host_times = true;
  /// The note says why rows are not sorted; the reference says that a column is missing.
  bool explains_order = true;
  /// The reference says that it merges devices where there is one.
  bool notes_merging_of_one_device = false;
  /// It is said which devices are those of which host; the reference has one host.
  bool notes_hosts = true;
  /// Ops that are faster than their model are counted in a note; the reference has no such model.
  bool notes_refuted_bounds = true;

  /// Rows of one host time stay in the order of the file; the reference sorts by a quicksort that moves them.
  bool sorts_host_times_stably = true;
  /// Ops are in the order in which the device ran them, and of a merged op the device is shown that decides
  /// how long the run takes; the reference goes by rows of the file and shows the slowest device.
  bool orders_by_device_time = true;
  /// A row that stands twice is one execution; the reference counts both.
  bool counts_repeated_rows_once = true;
  /// Ops of several devices are one op by the program in their ids; the reference takes the next of that
  /// name.
  bool knows_ops_by_program = true;
  /// Whole replays that a report books on ops are replays; the reference shows the ops.
  bool knows_misbooked_replays = true;
  /// Gaps are those of a device: its first op has none, since it lies before the window, and ops on the host
  /// have none; the reference knows one first op.
  bool follows_device_for_gaps = true;
  /// Passes that made programs are left out where later ones only run them; the reference shows all.
  bool leaves_warm_up_out = true;
  /// Percentages are of the wall time of the device that took longest; those of the reference are of the sum
  /// of the rows, which counts waiting twice.
  bool shares_wall_time = true;
  /// An op above its peak has no percentage of it; the reference shows more than 100 %.
  bool hides_percents_above_peak = true;

  // Facts and figures of the shown ops.

  /// BFLOAT8_B and BFLOAT4_B have shared exponents; the reference counts 1 and 0.5 bytes.
  bool counts_shared_exponents = true;
  /// Collectives are a category, and unknown names go by their words; the reference knows a list of
  /// names.
  bool knows_all_categories = true;
  /// A size that is not known is `?`; the reference shows nan.
  bool marks_unknown_sizes = true;
  /// FP32 is judged as what it is; the reference takes it for BFP8.
  bool judges_fp32 = true;
  /// An op without tensors has no fidelity text; the reference shows one without data types.
  bool hides_fidelity_without_tensors = true;
  /// A sparse matmul computes its active experts; the reference counts all.
  bool counts_active_experts = true;
  /// An operand that a matmul turns itself counts turned (one that was turned before lies as it counts); the
  /// reference takes all as they lie.
  bool turns_transposed_operands = true;
  /// What the report marks as host op is one; the reference goes by the name.
  bool knows_host_ops_by_type = true;
  /// The reference shows 0 for an op without a duration; ours is empty.
  bool counts_missing_time_as_zero = false;
  /// Of a merged op a device is shown that has a duration; the reference keeps the first one if that has
  /// none.
  bool prefers_measured_device = true;
  /// A matmul without a duration has no bound; the reference calls it SLOW where its operands are in DRAM,
  /// and writes nan.
  bool leaves_unmeasured_bounds_empty = true;
  /// A matmul without operands in DRAM is judged by its FLOPs; the reference says nothing of it.
  bool bounds_by_either_percent = true;
  /// Gaps of compiling are not part of Total %; the reference counts them, so that a first run hides the
  /// rest.
  bool leaves_compile_gaps_apart = true;
  /// Peaks are FLOPs of a cycle times the clock; the reference has published figures for Wormhole that are
  /// too low for LoFi.
  bool counts_cycles_for_peaks = true;
  /// Peaks are for the recorded clock; the reference takes the nominal one.
  bool uses_recorded_clock = true;
  /// The architecture that the user gives counts; the reference ignores it where one is recorded, and
  /// takes Wormhole where none is.
  bool obeys_given_arch = true;
  /// Cores and DRAM banks are those of the chip; the reference has fixed numbers.
  bool uses_figures_of_chip = true;
  /// Advice is about speed and not contradicted by the attributes: any program config is one; the reference
  /// looks for two of its fields, and mixes accuracy in.
  bool advises_what_attributes_allow = true;
  /// A grid is small against the cores of the chip; the reference compares with 64.
  bool compares_with_cores_of_chip = true;
  /// The reference shows 20.0 where a column of counts has empty cells; ours shows 20.
  bool shows_counts_as_floats = false;
  /// Where devices are apart, their mean FLOPs are their own; the reference shows the mean over all
  /// devices.
  bool averages_flops_by_device = true;

  // Forms of what is shown.

  /// Warnings of one kind are counted from the fiftieth on; the reference prints each.
  bool counts_many_warnings = true;
  /// The reference also warns of a device without an op before it knows which op that is: of `None`.
  bool warns_before_names_are_known = false;
  /// The reference warns of each op name that it has no category for; ours lists them in the trust section.
  bool warns_of_unclassified_ops = false;
  /// What ran on no device is stacked too where devices are apart; the reference leaves it out.
  bool stacks_ops_without_device = true;

  /// Stacked entries are sorted by their share; the reference sorts by its text.
  bool sorts_by_exact_percent = true;
  /// Long names are shortened on the terminal; the reference lets them run.
  bool shortens_names = true;
  /// Bounds, gaps, skew, advice by gain and trust are sections; the reference has advice for each matmul.
  bool has_own_sections = true;
  /// The table has the costliest groups, or the rows that are asked for; that of the reference has always all
  /// rows.
  bool chooses_table_rows = true;
  /// What limits each op is written beside the CSV; the reference writes no such file.
  bool writes_bounds_beside_csv = true;
  /// Files that were written are a list; the reference has a sentence for each.
  bool lists_written_files = true;
  /// The reference prints what was done to the report where it prints no table, too.
  bool notes_without_table = false;
  /// A run of which nothing is shown is told by the exit code; for the reference it is a good one.
  bool tells_nothing_found = true;

  // Analysis of a device log.

  /// Records of an op in two traces are two; the reference puts them together by op id.
  bool tells_traces_apart = true;
  /// The last record of a timeline counts even if nothing ends it; the reference drops it.
  bool keeps_last_record = true;
  /// A dispatch zone without a command keeps its name; the reference takes it away.
  bool keeps_names_of_silent_zones = true;
  /// The reference shows dispatch zones by their commands in all lists; ours only in the dispatcher's.
  bool renames_dispatch_zones_everywhere = false;
  /// Each device has a heading in device_stats.txt; the reference writes them one behind the other.
  bool heads_devices = true;
  /// Gaps of cores are nanoseconds; the reference writes cycles less a constant under that name.
  bool measures_core_gaps_in_ns = true;
  /// Each marker stands once in device_analysis_data.json; the reference writes it up to six times.
  bool writes_markers_once = true;
  /// The reference names the archive that it packs its files into; ours packs none.
  bool names_tarball = false;
};

/// Ours.
const Rules& own_rules();
/// Those of the reference.
const Rules& compat_rules();

/// For a command line that asks for one or the other.
inline const Rules& rules_for(bool compat) { return compat ? compat_rules() : own_rules(); }

}  // namespace ttscope::perf
