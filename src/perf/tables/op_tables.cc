#include "perf/analyze/op_groups.h"
#include "perf/tables/tables.h"

namespace ttscope::perf {
namespace {

std::optional<std::string_view> signpost_name(const TableSource& source, std::size_t row) {
  const std::uint32_t place = source.signpost_of[source.op_rows[row]];
  if (place == 0) return std::nullopt;
  return source.report.text(source.report.kind_of(source.report.rows[place - 1]).op_code);
}

std::optional<std::string_view> tensor_text(const TableSource& source, const OpTensor* tensor,
                                            std::uint32_t OpTensor::*text) {
  return tensor == nullptr ? std::nullopt : known(source.report.text(tensor->*text));
}

/// A figure of the shown row that an op stands in; NaN where there is none.
double shown_figure(const TableSource& source, std::size_t row, double ShownOp::*figure) {
  const ShownOp* shown = source.shown(row);
  return shown == nullptr || shown->row != source.op_rows[row] ? kNoNumber : shown->*figure;
}

const OpBound* bound_of(const TableSource& source, std::size_t row) {
  const std::uint32_t place = source.shown_place(row);
  return place == kNone ? nullptr : &source.analysis.bounds.rows[place];
}

Columns identity_columns() {
  return {
      table::ascending(table::column<TableSource>(
          "id", "",
          "Row of the op in a spreadsheet of the report, where the header is 1; goes on over several "
          "files (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).id; })),
      table::ascending(table::column<TableSource>("op", "",
                                                  "Position of the op among the rows of the report, from 0",
                                                  [](const TableSource&, std::size_t row) { return row; })),
      table::column<TableSource>("name", "",
                                 "Name of the op as recorded; null in reports of the device alone",
                                 [](const TableSource& source, std::size_t row) {
                                   return known(source.report.text(source.kind(row).op_code));
                                 }),
      table::column<TableSource>("label", "",
                                 "Name and size of the op as the table of `ttscope perf` shows it: "
                                 "`Matmul 32 x 768 x 768` (derived)",
                                 [](const TableSource& source, std::size_t row) {
                                   return std::string_view(source.facts(row).label);
                                 }),
      table::column<TableSource>(
          "category", "",
          "What the op mainly does: Compute, CCL, TM, DM, Host or Other (derived from its name)",
          [](const TableSource& source, std::size_t row) {
            return name_of(source.op(row).type == OpRowType::kHost ? OpCategory::kHost
                                                                   : source.facts(row).category);
          }),
      table::column<TableSource>("op_type", "", "Type as recorded, such as `tt_dnn_device`",
                                 [](const TableSource& source, std::size_t row) {
                                   return known(source.report.text(source.kind(row).op_type));
                                 }),
      table::column<TableSource>(
          "kind", "", "Row of the op in the table op_kinds, from 0",
          [](const TableSource& source, std::size_t row) { return source.op(row).kind; }),
      table::column<TableSource>(
          "host", "", "Name of the host, where there are several",
          [](const TableSource& source, std::size_t row) { return source.host_of(source.op(row)); }),
      table::column<TableSource>(
          "device", "", "Device id; over several hosts the numbers go on; null for what ran on the host",
          [](const TableSource& source, std::size_t row) {
            return source.op(row).device < 0 ? std::nullopt : std::optional(source.op(row).device);
          }),
      table::column<TableSource>(
          "signpost", "", "Name of the last signpost before the op in its file",
          [](const TableSource& source, std::size_t row) { return signpost_name(source, row); }),
      table::column<TableSource>(
          "call_count", "", "GLOBAL CALL COUNT: what tells executions of one program apart (measured)",
          [](const TableSource& source, std::size_t row) { return whole(source.op(row).call_count); }),
  };
}

Columns program_columns() {
  return {
      table::column<TableSource>("trace_id", "",
                                 "Trace that the op ran in (measured); null outside of trace replays",
                                 [](const TableSource& source, std::size_t row) {
                                   return whole(static_cast<double>(source.op(row).trace_id));
                                 }),
      table::column<TableSource>("replay_session", "", "Replay of that trace, from 1 (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return whole(static_cast<double>(source.op(row).replay_session));
                                 }),
      table::column<TableSource>("program_hash", "", "Program as the runtime names it",
                                 [](const TableSource& source, std::size_t row) {
                                   return known(source.report.text(source.kind(row).program_hash));
                                 }),
      table::column<TableSource>(
          "program_cache_hit", "", "Whether the program was in the cache, as the report says",
          [](const TableSource& source, std::size_t row) {
            return source.op(row).cache_hit < 0 ? std::nullopt : std::optional(source.op(row).cache_hit == 1);
          }),
      table::column<TableSource>("is_first_run", "",
                                 "Whether the program runs for the first time on its device (derived); "
                                 "null where the op is not shown",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.shown(row) == nullptr
                                              ? std::nullopt
                                              : std::optional(source.shown(row)->is_first_run);
                                 }),
  };
}

Columns time_columns() {
  return {
      table::column<TableSource>(
          "start_ns", "ns", "Start of the op on the host, on the clock of the host (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).host_start_ns; }),
      table::column<TableSource>(
          "host_duration_ns", "ns", "How long the host was busy with the op (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).host_duration_ns; }),
      table::column<TableSource>(
          "fw_start_cycle", "cycles",
          "Start of the firmware on the first core, on the timer of the device (measured)",
          [](const TableSource& source, std::size_t row) { return whole(source.op(row).fw_start_cycle); }),
      table::column<TableSource>(
          "fw_end_cycle", "cycles", "End of the firmware on the last core (measured)",
          [](const TableSource& source, std::size_t row) { return whole(source.op(row).fw_end_cycle); }),
      table::column<TableSource>(
          "fw_duration_ns", "ns", "From the first firmware start to the last end (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).fw_duration_ns; }),
      table::column<TableSource>(
          "kernel_duration_ns", "ns",
          "Device time: from the first kernel start to the last kernel end over all cores (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).kernel_duration_ns; }),
      table::column<TableSource>(
          "op_to_op_ns", "ns",
          "From the end of the op before on the device to the start of this one (measured); below 0 "
          "where they overlap",
          [](const TableSource& source, std::size_t row) { return source.op(row).op_to_op_ns; }),
      table::column<TableSource>(
          "first_to_last_start_ns", "ns",
          "From the first to the last kernel start: how unevenly cores begin (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).first_to_last_start_ns; }),
  };
}

Columns processor_columns() {
  return {
      table::column<TableSource>(
          "core_min_ns", "ns", "Shortest kernel duration of a single core (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).per_core_ns[0]; }),
      table::column<TableSource>(
          "core_max_ns", "ns", "Longest kernel duration of a single core (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).per_core_ns[1]; }),
      table::column<TableSource>(
          "core_avg_ns", "ns", "Mean kernel duration of a single core (measured)",
          [](const TableSource& source, std::size_t row) { return source.op(row).per_core_ns[2]; }),
      table::column<TableSource>("brisc_us", "us",
                                 "Kernel duration on BRISC, from its first start to its last end (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return static_cast<double>(source.op(row).risc_us[0]);
                                 }),
      table::column<TableSource>("ncrisc_us", "us",
                                 "Kernel duration on NCRISC, from its first start to its last end (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return static_cast<double>(source.op(row).risc_us[1]);
                                 }),
      table::column<TableSource>("trisc0_us", "us",
                                 "Kernel duration on TRISC0, from its first start to its last end (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return static_cast<double>(source.op(row).risc_us[2]);
                                 }),
      table::column<TableSource>("trisc1_us", "us",
                                 "Kernel duration on TRISC1, from its first start to its last end (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return static_cast<double>(source.op(row).risc_us[3]);
                                 }),
      table::column<TableSource>("trisc2_us", "us",
                                 "Kernel duration on TRISC2, from its first start to its last end (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return static_cast<double>(source.op(row).risc_us[4]);
                                 }),
      table::column<TableSource>("erisc_us", "us",
                                 "Kernel duration on ERISC, from its first start to its last end (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return static_cast<double>(source.op(row).risc_us[5]);
                                 }),
      table::column<TableSource>(
          "noc_util_percent", "percent", "Use of the network on chip, as tt-npe simulated it (modelled)",
          [](const TableSource& source, std::size_t row) { return source.op(row).noc_util_percent; }),
      table::column<TableSource>(
          "dram_util_percent", "percent", "Use of DRAM bandwidth, as tt-npe simulated it (modelled)",
          [](const TableSource& source, std::size_t row) { return source.op(row).dram_util_percent; }),
  };
}

Columns kind_columns() {
  return {
      table::column<TableSource>("arch", "", "Architecture of the device as recorded",
                                 [](const TableSource& source, std::size_t row) {
                                   return known(source.report.text(source.kind(row).arch));
                                 }),
      table::column<TableSource>(
          "core_count", "", "Cores that the op ran on (measured)",
          [](const TableSource& source, std::size_t row) { return whole(source.kind(row).core_count); }),
      table::column<TableSource>(
          "available_cores", "", "Cores that it could have run on (measured)",
          [](const TableSource& source, std::size_t row) { return whole(source.kind(row).available_cores); }),
      table::column<TableSource>(
          "sub_device", "", "Sub-device id",
          [](const TableSource& source, std::size_t row) { return whole(source.kind(row).sub_device); }),
      table::column<TableSource>("math_fidelity", "", "Math fidelity as recorded, such as HiFi4",
                                 [](const TableSource& source, std::size_t row) {
                                   return known(source.report.text(source.kind(row).math_fidelity));
                                 }),
      table::column<TableSource>("attributes", "", "Attributes of the op as recorded, `,` written as `;`",
                                 [](const TableSource& source, std::size_t row) {
                                   return known(source.report.text(source.kind(row).attributes));
                                 }),
      table::column<TableSource>(
          "pm_ideal_ns", "ns",
          "Shortest time by the runtime's performance model; 1 where it has none (modelled)",
          [](const TableSource& source, std::size_t row) { return source.kind(row).pm_ideal_ns; }),
      table::column<TableSource>(
          "pm_compute_ns", "ns", "Part of computing in that model (modelled)",
          [](const TableSource& source, std::size_t row) { return source.kind(row).pm_compute_ns; }),
      table::column<TableSource>(
          "pm_bandwidth_ns", "ns", "Part of moving data in that model (modelled)",
          [](const TableSource& source, std::size_t row) { return source.kind(row).pm_bandwidth_ns; }),
  };
}

Columns input_columns() {
  return {
      table::column<TableSource>(
          "input_count", "", "Input tensors",
          [](const TableSource& source, std::size_t row) { return source.kind(row).input_count; }),
      table::column<TableSource>(
          "output_count", "", "Output tensors",
          [](const TableSource& source, std::size_t row) { return source.kind(row).output_count; }),
      table::column<TableSource>("input0_shape", "", "Padded shape of the first input: W x Z x Y x X",
                                 [](const TableSource& source, std::size_t row) {
                                   return shape_of(source.report.input(source.kind(row), 0));
                                 }),
      table::column<TableSource>("input0_dtype", "", "Data type of the first input",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.input(source.kind(row), 0),
                                                      &OpTensor::datatype);
                                 }),
      table::column<TableSource>("input0_layout", "", "Layout of the first input",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.input(source.kind(row), 0),
                                                      &OpTensor::layout);
                                 }),
      table::column<TableSource>("input0_memory", "", "Memory and its layout of the first input",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.input(source.kind(row), 0),
                                                      &OpTensor::memory);
                                 }),
  };
}

Columns second_tensor_columns() {
  return {
      table::column<TableSource>("input1_shape", "", "Padded shape of the second input: W x Z x Y x X",
                                 [](const TableSource& source, std::size_t row) {
                                   return shape_of(source.report.input(source.kind(row), 1));
                                 }),
      table::column<TableSource>("input1_dtype", "", "Data type of the second input",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.input(source.kind(row), 1),
                                                      &OpTensor::datatype);
                                 }),
      table::column<TableSource>("input1_layout", "", "Layout of the second input",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.input(source.kind(row), 1),
                                                      &OpTensor::layout);
                                 }),
      table::column<TableSource>("input1_memory", "", "Memory and its layout of the second input",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.input(source.kind(row), 1),
                                                      &OpTensor::memory);
                                 }),
      table::column<TableSource>("output0_shape", "", "Padded shape of the first output: W x Z x Y x X",
                                 [](const TableSource& source, std::size_t row) {
                                   return shape_of(source.report.output(source.kind(row), 0));
                                 }),
      table::column<TableSource>("output0_dtype", "", "Data type of the first output",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.output(source.kind(row), 0),
                                                      &OpTensor::datatype);
                                 }),
      table::column<TableSource>("output0_layout", "", "Layout of the first output",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.output(source.kind(row), 0),
                                                      &OpTensor::layout);
                                 }),
      table::column<TableSource>("output0_memory", "", "Memory and its layout of the first output",
                                 [](const TableSource& source, std::size_t row) {
                                   return tensor_text(source, source.report.output(source.kind(row), 0),
                                                      &OpTensor::memory);
                                 }),
  };
}

Columns bound_columns() {
  return {
      table::column<TableSource>(
          "gap_cause", "",
          "Why the device waited before the op: launch, compile, dispatch, trace, sync, unknown or "
          "missing_ops (derived); null where the op is not shown or has no gap",
          [](const TableSource& source, std::size_t row) {
            return source.shown(row) == nullptr || !has_number(source.shown(row)->gap_us)
                       ? std::nullopt
                       : std::optional(key_of(source.analysis.gaps.causes[source.shown_place(row)]));
          }),
      table::column<TableSource>("bound", "",
                                 "What limits the op: compute, dram, noc, link, dispatch, host or "
                                 "unknown (modelled); null where the op is not shown",
                                 [](const TableSource& source, std::size_t row) {
                                   return bound_of(source, row) == nullptr
                                              ? std::nullopt
                                              : std::optional(key_of(bound_of(source, row)->limit));
                                 }),
      table::column<TableSource>("bound_model", "",
                                 "Where that comes from: waits, zones, counters, noc_trace (measured), npe, "
                                 "shapes, pm, times or none",
                                 [](const TableSource& source, std::size_t row) {
                                   return bound_of(source, row) == nullptr
                                              ? std::nullopt
                                              : std::optional(key_of(bound_of(source, row)->model));
                                 }),
  };
}

Columns shown_columns() {
  return {
      table::column<TableSource>("is_shown", "",
                                 "Whether the op is a row of the shown table: inside of the window, and "
                                 "the device that stands for a merged op",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.shown(row) != nullptr &&
                                          source.shown(row)->row == source.op_rows[row];
                                 }),
      table::column<TableSource>("device_us", "us",
                                 "Device time of the shown row: kernel duration, of a merged collective "
                                 "the mean over devices; null where the op is not shown",
                                 [](const TableSource& source, std::size_t row) {
                                   return shown_figure(source, row, &ShownOp::device_us);
                                 }),
      table::column<TableSource>("gap_us", "us",
                                 "Gap before the shown row (measured); null where the op is not shown",
                                 [](const TableSource& source, std::size_t row) {
                                   return shown_figure(source, row, &ShownOp::gap_us);
                                 }),
      table::column<TableSource>("total_percent", "percent",
                                 "Share of the device time and gaps of all shown rows (derived)",
                                 [](const TableSource& source, std::size_t row) {
                                   return shown_figure(source, row, &ShownOp::total_percent);
                                 }),
      table::column<TableSource>("ideal_us", "us", "Time at the peak of what limits the op (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return bound_of(source, row) == nullptr ||
                                                  !(bound_of(source, row)->ideal_us > 0)
                                              ? kNoNumber
                                              : static_cast<double>(bound_of(source, row)->ideal_us);
                                 }),
      table::column<TableSource>(
          "at_peak_percent", "percent", "That time as a share of the device time: 100 is the peak (modelled)",
          [](const TableSource& source, std::size_t row) {
            return bound_of(source, row) == nullptr || !(bound_of(source, row)->ideal_us > 0)
                       ? kNoNumber
                       : static_cast<double>(bound_of(source, row)->percent);
          }),
      table::column<TableSource>(
          "dram_gb_s", "GB/s",
          "DRAM bandwidth of a matmul or convolution: bytes of its operands by time (derived)",
          [](const TableSource& source, std::size_t row) {
            return shown_figure(source, row, &ShownOp::dram_gb_s);
          }),
      table::column<TableSource>("dram_percent", "percent",
                                 "That as a share of the peak of the device (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return shown_figure(source, row, &ShownOp::dram_percent);
                                 }),
      table::column<TableSource>("tflops", "TFLOP/s",
                                 "Operations of a matmul or convolution by time (derived)",
                                 [](const TableSource& source, std::size_t row) {
                                   return shown_figure(source, row, &ShownOp::tflops);
                                 }),
      table::column<TableSource>("flops_percent", "percent",
                                 "That as a share of the peak of its cores at its fidelity (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return shown_figure(source, row, &ShownOp::flops_percent);
                                 }),
      table::column<TableSource>(
          "file", "", "Report that the op stands in, or the capture that it was made of",
          [](const TableSource& source, std::size_t row) {
            return source.op(row).file < source.report.files.size()
                       ? std::optional(std::string_view(source.report.files[source.op(row).file]))
                       : std::nullopt;
          }),
  };
}

}  // namespace

const table::TableOf<TableSource>& ops_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "ops", "An executed op: a row of the ops report, on one device; signposts are a table of their own",
      joined({identity_columns(), program_columns(), time_columns(), processor_columns(), kind_columns(),
              input_columns(), second_tensor_columns(), bound_columns(), shown_columns()}));
  return kSpec;
}

namespace {

const KindFacts& facts_of(const TableSource& source, std::size_t row) {
  return source.analysis.ops.facts_of(source.report, source.analysis.ops.rows[row]);
}

std::string_view form_of_row(const ShownOp& shown) {
  if (shown.is_signpost) return "signpost";
  return shown.is_host ? "host" : "device";
}

/// A figure of the bound, where it has an ideal time at all.
double bound_figure(const TableSource& source, std::size_t row, float figure) {
  return source.analysis.bounds.rows[row].ideal_us > 0 ? static_cast<double>(figure) : kNoNumber;
}

std::string_view label_of(const TableSource& source, std::size_t kind) {
  const std::string& label = source.analysis.ops.facts[kind].label;
  return label.empty() ? source.report.text(source.report.kinds[kind].op_code) : std::string_view(label);
}

Columns shown_identity_columns() {
  return {
      table::column<TableSource>("id", "",
                                 "Row of the op in a spreadsheet of the report; of a merged op that of "
                                 "the device that stands for it",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.report.rows[source.analysis.ops.rows[row].row].id;
                                 }),
      table::column<TableSource>("label", "", "Name and size of the op; null for a signpost",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.analysis.ops.rows[row].is_signpost
                                              ? std::nullopt
                                              : std::optional(std::string_view(facts_of(source, row).label));
                                 }),
      table::column<TableSource>(
          "signpost", "", "Name of a signpost; null for an op",
          [](const TableSource& source, std::size_t row) {
            return source.analysis.ops.rows[row].is_signpost
                       ? std::optional(source.report.text(
                             source.report.kind_of(source.report.rows[source.analysis.ops.rows[row].row])
                                 .op_code))
                       : std::nullopt;
          }),
      table::column<TableSource>("form", "", "What the row is: device, host or signpost",
                                 [](const TableSource& source, std::size_t row) {
                                   return form_of_row(source.analysis.ops.rows[row]);
                                 }),
      table::column<TableSource>("kind", "", "Row in the table op_kinds, from 0",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.report.rows[source.analysis.ops.rows[row].row].kind;
                                 }),
      table::column<TableSource>("category", "", "What the op mainly does (derived from its name)",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.analysis.ops.rows[row].is_signpost
                                              ? std::nullopt
                                              : std::optional(name_of(source.analysis.ops.rows[row].is_host
                                                                          ? OpCategory::kHost
                                                                          : facts_of(source, row).category));
                                 }),
      table::column<TableSource>(
          "device", "", "Device; of a merged op the one that stands for it",
          [](const TableSource& source, std::size_t row) {
            return source.report.rows[source.analysis.ops.rows[row].row].device < 0
                       ? std::nullopt
                       : std::optional(source.report.rows[source.analysis.ops.rows[row].row].device);
          }),
  };
}

Columns shown_time_columns() {
  return {
      table::column<TableSource>(
          "device_us", "us",
          "Device time: kernel duration, of a merged op on the device that stands for it: that on the "
          "critical "
          "path, of a collective the last to come, without cycles the shortest (measured)",
          [](const TableSource& source, std::size_t row) { return source.analysis.ops.rows[row].device_us; }),
      table::column<TableSource>(
          "gap_us", "us", "Gap since the op before on the device (measured)",
          [](const TableSource& source, std::size_t row) { return source.analysis.ops.rows[row].gap_us; }),
      table::column<TableSource>("gap_cause", "",
                                 "Why the device waited (derived); null where there is no gap",
                                 [](const TableSource& source, std::size_t row) {
                                   return has_number(source.analysis.ops.rows[row].gap_us)
                                              ? std::optional(key_of(source.analysis.gaps.causes[row]))
                                              : std::nullopt;
                                 }),
      table::column<TableSource>("total_percent", "percent",
                                 "Share of the device time and gaps of all rows (derived)",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.analysis.ops.rows[row].total_percent;
                                 }),
      table::column<TableSource>(
          "cores", "", "Cores that compute; of a DRAM-sharded matmul those at the DRAM banks",
          [](const TableSource& source, std::size_t row) {
            return source.analysis.ops.rows[row].is_signpost ? std::nullopt
                                                             : whole(facts_of(source, row).cores);
          }),
  };
}

Columns shown_bound_columns() {
  return {
      table::column<TableSource>("bound", "", "What limits the op (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return key_of(source.analysis.bounds.rows[row].limit);
                                 }),
      table::column<TableSource>("model", "",
                                 "Where that comes from: waits, zones, counters, noc_trace (measured), npe, "
                                 "shapes, pm, times or none",
                                 [](const TableSource& source, std::size_t row) {
                                   return key_of(source.analysis.bounds.rows[row].model);
                                 }),
      table::column<TableSource>("ideal_us", "us", "Time at the peak of what limits it (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return bound_figure(source, row,
                                                       source.analysis.bounds.rows[row].ideal_us);
                                 }),
      table::column<TableSource>("at_peak_percent", "percent",
                                 "That as a share of the device time (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return bound_figure(source, row, source.analysis.bounds.rows[row].percent);
                                 }),
      table::column<TableSource>(
          "table_bound", "",
          "The bound in the words of tt-perf-report: BOTH, DRAM, FLOP, SLOW or HOST (modelled)",
          [](const TableSource& source, std::size_t row) {
            return known(name_of(source.analysis.ops.rows[row].bound));
          }),
      table::column<TableSource>(
          "dram_gb_s", "GB/s", "DRAM bandwidth of a matmul or convolution (derived)",
          [](const TableSource& source, std::size_t row) { return source.analysis.ops.rows[row].dram_gb_s; }),
      table::column<TableSource>("dram_percent", "percent", "That as a share of the peak (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.analysis.ops.rows[row].dram_percent;
                                 }),
      table::column<TableSource>(
          "tflops", "TFLOP/s", "Operations of a matmul or convolution by time (derived)",
          [](const TableSource& source, std::size_t row) { return source.analysis.ops.rows[row].tflops; }),
      table::column<TableSource>("flops_percent", "percent", "That as a share of the peak (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.analysis.ops.rows[row].flops_percent;
                                 }),
      table::column<TableSource>("fidelity", "", "Math fidelity and data types: `HiFi4 BF16 x BFP8 => BF16`",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.analysis.ops.rows[row].is_signpost
                                              ? std::nullopt
                                              : known(facts_of(source, row).fidelity);
                                 }),
      table::column<TableSource>("call_count", "", "GLOBAL CALL COUNT of the device that stands for the op",
                                 [](const TableSource& source, std::size_t row) {
                                   return whole(
                                       source.report.rows[source.analysis.ops.rows[row].row].call_count);
                                 }),
  };
}

}  // namespace

const table::TableOf<TableSource>& shown_ops_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "shown_ops",
      "A row of the table that `ttscope perf` shows: an op of the window, devices merged, or a signpost",
      joined({shown_identity_columns(), shown_time_columns(), shown_bound_columns()}));
  return kSpec;
}

const table::TableOf<TableSource>& op_kinds_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "op_kinds", "What is the same each time an op runs again: name, attributes, shapes, cores",
      {
          table::ascending(
              table::column<TableSource>("kind", "", "Number of the kind, as `ops.kind` has it",
                                         [](const TableSource&, std::size_t row) { return row; })),
          table::column<TableSource>("name", "", "Name of the op as recorded",
                                     [](const TableSource& source, std::size_t row) {
                                       return known(source.report.text(source.report.kinds[row].op_code));
                                     }),
          table::column<TableSource>(
              "label", "", "Name and size; the name alone where the size is not known",
              [](const TableSource& source, std::size_t row) { return label_of(source, row); }),
          table::column<TableSource>("fidelity", "", "Math fidelity and data types",
                                     [](const TableSource& source, std::size_t row) {
                                       return std::string_view(source.analysis.ops.facts[row].fidelity);
                                     }),
          table::column<TableSource>("category", "", "What the op mainly does (derived from its name)",
                                     [](const TableSource& source, std::size_t row) {
                                       return name_of(source.analysis.ops.facts[row].category);
                                     }),
          table::column<TableSource>("cores", "", "Cores that compute",
                                     [](const TableSource& source, std::size_t row) {
                                       return whole(source.analysis.ops.facts[row].cores);
                                     }),
          table::column<TableSource>("flops", "FLOP",
                                     "Operations of a matmul or convolution, from its shapes (derived)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.ops.facts[row].flops;
                                     }),
          table::column<TableSource>(
              "matmul_dram_bytes", "bytes",
              "Bytes of the operands of a matmul that are in DRAM, each read once (derived)",
              [](const TableSource& source, std::size_t row) {
                return source.analysis.ops.facts[row].matmul_dram_bytes;
              }),
          table::column<TableSource>(
              "tensors", "",
              "Inputs, then outputs, a line each: shape as padded [logical], data type, layout, "
              "memory",
              [](const TableSource& source, std::size_t row) {
                return tensors_text(source.report, source.report.kinds[row]);
              }),
          table::column<TableSource>("location", "", "Where the model asks for it, as a compiler wrote it",
                                     [](const TableSource& source, std::size_t row) {
                                       return known(source.report.text(source.report.kinds[row].location));
                                     }),
          table::column<TableSource>("attributes", "", "Attributes as recorded",
                                     [](const TableSource& source, std::size_t row) {
                                       return known(source.report.text(source.report.kinds[row].attributes));
                                     }),
          table::column<TableSource>("compute_kernels", "", "Sources of its compute kernels",
                                     [](const TableSource& source, std::size_t row) {
                                       return known(
                                           source.report.text(source.report.kinds[row].compute_kernels));
                                     }),
          table::column<TableSource>("data_kernels", "", "Sources of its kernels that move data",
                                     [](const TableSource& source, std::size_t row) {
                                       return known(
                                           source.report.text(source.report.kinds[row].data_kernels));
                                     }),
          table::column<TableSource>("is_matmul", "", "Whether it is a matmul",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.ops.facts[row].is_matmul;
                                     }),
          table::column<TableSource>("is_conv", "", "Whether it is a convolution",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.ops.facts[row].is_conv;
                                     }),
          table::column<TableSource>("is_dram_sharded", "",
                                     "Whether a matmul reads weights sharded over DRAM banks",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.ops.facts[row].is_dram_sharded;
                                     }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
