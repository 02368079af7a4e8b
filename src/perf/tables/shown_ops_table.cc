// Declared in table_source.h, as all tables of this folder are.
#include "perf/analyse/ops/shape_groups.h"
#include "perf/tables/table_source.h"

namespace ttscope::perf {
namespace {

const KindFacts& facts_of(const TableSource& source, std::size_t row) {
  return source.reading.ops.facts_of(source.report, source.reading.ops.rows[row]);
}

std::string_view form_of_row(const ShownOp& shown) {
  if (shown.is_signpost) return "signpost";
  return shown.is_host ? "host" : "device";
}

/// A figure of the bound, where it has an ideal time at all.
double bound_figure(const TableSource& source, std::size_t row, float figure) {
  return source.reading.bounds.rows[row].ideal_us > 0 ? static_cast<double>(figure) : kNoNumber;
}

std::string_view label_of(const TableSource& source, std::size_t kind) {
  const std::string& label = source.reading.ops.facts[kind].label;
  return label.empty() ? source.report.text(source.report.kinds[kind].op_code) : std::string_view(label);
}

Columns shown_identity_columns() {
  return {
      table::column<TableSource>("id", "",
                                 "Row of the op in a spreadsheet of the report; of a merged op that of "
                                 "the device that stands for it",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.report.rows[source.reading.ops.rows[row].row].id;
                                 }),
      table::column<TableSource>("label", "", "Name and size of the op; null for a signpost",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.reading.ops.rows[row].is_signpost
                                              ? std::nullopt
                                              : std::optional(std::string_view(facts_of(source, row).label));
                                 }),
      table::column<TableSource>(
          "signpost", "", "Name of a signpost; null for an op",
          [](const TableSource& source, std::size_t row) {
            return source.reading.ops.rows[row].is_signpost
                       ? std::optional(source.report.text(
                             source.report.kind_of(source.report.rows[source.reading.ops.rows[row].row])
                                 .op_code))
                       : std::nullopt;
          }),
      table::column<TableSource>("form", "", "What the row is: device, host or signpost",
                                 [](const TableSource& source, std::size_t row) {
                                   return form_of_row(source.reading.ops.rows[row]);
                                 }),
      table::column<TableSource>("kind", "", "Row in the table op_kinds, from 0",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.report.rows[source.reading.ops.rows[row].row].kind;
                                 }),
      table::column<TableSource>("category", "", "What the op mainly does (derived from its name)",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.reading.ops.rows[row].is_signpost
                                              ? std::nullopt
                                              : std::optional(name_of(source.reading.ops.rows[row].is_host
                                                                          ? OpCategory::kHost
                                                                          : facts_of(source, row).category));
                                 }),
      table::column<TableSource>(
          "device", "", "Device; of a merged op the one that stands for it",
          [](const TableSource& source, std::size_t row) {
            return source.report.rows[source.reading.ops.rows[row].row].device < 0
                       ? std::nullopt
                       : std::optional(source.report.rows[source.reading.ops.rows[row].row].device);
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
          [](const TableSource& source, std::size_t row) { return source.reading.ops.rows[row].device_us; }),
      table::column<TableSource>(
          "gap_us", "us", "Gap since the op before on the device (measured)",
          [](const TableSource& source, std::size_t row) { return source.reading.ops.rows[row].gap_us; }),
      table::column<TableSource>("gap_cause", "",
                                 "Why the device waited (derived); null where there is no gap",
                                 [](const TableSource& source, std::size_t row) {
                                   return has_number(source.reading.ops.rows[row].gap_us)
                                              ? std::optional(key_of(source.reading.gaps.causes[row]))
                                              : std::nullopt;
                                 }),
      table::column<TableSource>("total_percent", "percent",
                                 "Share of the device time and gaps of all rows (derived)",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.reading.ops.rows[row].total_percent;
                                 }),
      table::column<TableSource>(
          "cores", "", "Cores that compute; of a DRAM-sharded matmul those at the DRAM banks",
          [](const TableSource& source, std::size_t row) {
            return source.reading.ops.rows[row].is_signpost ? std::nullopt
                                                            : whole(facts_of(source, row).cores);
          }),
  };
}

Columns shown_bound_columns() {
  return {
      table::column<TableSource>("bound", "", "What limits the op (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return key_of(source.reading.bounds.rows[row].limit);
                                 }),
      table::column<TableSource>("model", "",
                                 "Where that comes from: waits, zones, counters, noc_trace (measured), npe, "
                                 "shapes, pm, times or none",
                                 [](const TableSource& source, std::size_t row) {
                                   return key_of(source.reading.bounds.rows[row].model);
                                 }),
      table::column<TableSource>("ideal_us", "us", "Time at the peak of what limits it (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return bound_figure(source, row, source.reading.bounds.rows[row].ideal_us);
                                 }),
      table::column<TableSource>("at_peak_percent", "percent",
                                 "That as a share of the device time (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return bound_figure(source, row, source.reading.bounds.rows[row].percent);
                                 }),
      table::column<TableSource>(
          "table_bound", "",
          "The bound in the words of tt-perf-report: BOTH, DRAM, FLOP, SLOW or HOST (modelled)",
          [](const TableSource& source, std::size_t row) {
            return known(name_of(source.reading.ops.rows[row].bound));
          }),
      table::column<TableSource>(
          "dram_gb_s", "GB/s", "DRAM bandwidth of a matmul or convolution (derived)",
          [](const TableSource& source, std::size_t row) { return source.reading.ops.rows[row].dram_gb_s; }),
      table::column<TableSource>("dram_percent", "percent", "That as a share of the peak (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.reading.ops.rows[row].dram_percent;
                                 }),
      table::column<TableSource>(
          "tflops", "TFLOP/s", "Operations of a matmul or convolution by time (derived)",
          [](const TableSource& source, std::size_t row) { return source.reading.ops.rows[row].tflops; }),
      table::column<TableSource>("flops_percent", "percent", "That as a share of the peak (modelled)",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.reading.ops.rows[row].flops_percent;
                                 }),
      table::column<TableSource>("fidelity", "", "Math fidelity and data types: `HiFi4 BF16 x BFP8 => BF16`",
                                 [](const TableSource& source, std::size_t row) {
                                   return source.reading.ops.rows[row].is_signpost
                                              ? std::nullopt
                                              : known(facts_of(source, row).fidelity);
                                 }),
      table::column<TableSource>("call_count", "", "GLOBAL CALL COUNT of the device that stands for the op",
                                 [](const TableSource& source, std::size_t row) {
                                   return whole(
                                       source.report.rows[source.reading.ops.rows[row].row].call_count);
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
                                       return std::string_view(source.reading.ops.facts[row].fidelity);
                                     }),
          table::column<TableSource>("category", "", "What the op mainly does (derived from its name)",
                                     [](const TableSource& source, std::size_t row) {
                                       return name_of(source.reading.ops.facts[row].category);
                                     }),
          table::column<TableSource>("cores", "", "Cores that compute",
                                     [](const TableSource& source, std::size_t row) {
                                       return whole(source.reading.ops.facts[row].cores);
                                     }),
          table::column<TableSource>(
              "flops", "FLOP", "Operations of a matmul or convolution, from its shapes (derived)",
              [](const TableSource& source, std::size_t row) { return source.reading.ops.facts[row].flops; }),
          table::column<TableSource>(
              "matmul_dram_bytes", "bytes",
              "Bytes of the operands of a matmul that are in DRAM, each read once (derived)",
              [](const TableSource& source, std::size_t row) {
                return source.reading.ops.facts[row].matmul_dram_bytes;
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
                                       return source.reading.ops.facts[row].is_matmul;
                                     }),
          table::column<TableSource>("is_conv", "", "Whether it is a convolution",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.ops.facts[row].is_conv;
                                     }),
          table::column<TableSource>("is_dram_sharded", "",
                                     "Whether a matmul reads weights sharded over DRAM banks",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.ops.facts[row].is_dram_sharded;
                                     }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
