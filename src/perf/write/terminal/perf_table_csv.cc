// Declared in perf_table.h. The form is that of tt-perf-report (its names of columns, decimals and order),
// which other programs read: it cannot come from the declared table `shown_ops`.
#include <fmt/format.h>

#include <cmath>

#include "base/csv_scanner.h"
#include "perf/write/terminal/perf_cells.h"
#include "perf/write/terminal/perf_table.h"
#include "perf/write/words/matmul_text.h"

namespace ttscope::perf {

namespace {

constexpr std::string_view kMoreHeaders =
    ",Output Datatype,Input 0 Datatype,Input 1 Datatype,DRAM Sharded,Input 0 Memory,Inner Dim Block "
    "Size,Output "
    "Subblock H,Output Subblock W,Global Call Count";

/// Writes rows in the order of columns that other tools rely on.
class CsvRows {
 public:
  CsvRows(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options)
      : table_(table), ops_(ops), options_(options) {}

  std::string header() const {
    std::string line;
    for (const std::string_view name : kTableHeaders) line.append(line.empty() ? "" : ",").append(name);
    line += kMoreHeaders;
    if (options_.advice) line += ",Advice";
    if (options_.raw_op_codes) line += ",Raw OP Code";
    return line + "\r\n";
  }
  const std::string& row(const ShownOp& row);

 private:
  void add(std::string_view cell) {
    line_ += ',';
    if (options_.rules->defuses_formulas) {
      append_safe_csv_cell(line_, cell);
    } else {
      append_csv_cell(line_, cell);
    }
  }
  void add_number(double number) { add(python_number(number)); }
  void add_device_time(const ShownOp& row) {
    const bool is_counted_as_zero = row.device_us == 0 && !has_number(row.duration_ns);
    add(is_counted_as_zero ? "0" : python_number(row.device_us));
  }
  /// What a matmul or convolution without a duration has there in the reference.
  void add_figure(double number, bool is_unmeasured) { add(is_unmeasured ? "nan" : python_number(number)); }
  void add_whole(std::int64_t number) { add(number < 0 ? std::string() : std::to_string(number)); }
  /// A count; a column with empty cells is one of floats there, and shows `20.0`.
  void add_count(double number, bool as_float) {
    if (as_float) return add_number(number);
    add(has_number(number) ? fmt::format("{:.0f}", number) : std::string());
  }
  std::string_view type_of(const OpTensor* tensor) const {
    const std::string_view type = tensor == nullptr ? std::string_view{} : table_.text(tensor->datatype);
    return type.empty() ? "nan" : type;
  }
  void add_details(const ShownOp& row);
  void add_advice(const ShownOp& row);

  const OpsReport& table_;
  const ShownOps& ops_;
  const PerfTableOptions& options_;
  std::string line_;
};

void CsvRows::add_details(const ShownOp& row) {
  const OpRow& op = table_.rows[row.row];
  const ReportKind& kind = table_.kinds[op.kind];
  const KindFacts& facts = ops_.facts[op.kind];
  const OpTensor* in0 = table_.input(kind, 0);
  add(type_of(table_.output(kind, 0)));
  add(type_of(in0));
  add(type_of(table_.input(kind, 1)));
  add(facts.is_dram_sharded ? "True" : "False");
  add(in0 == nullptr ? std::string_view{} : table_.text(in0->memory));
  add_whole(facts.in0_block_w);
  add_whole(facts.out_subblock_h);
  add_whole(facts.out_subblock_w);
  if (!has_number(op.call_count)) {
    add("nan");
  } else {
    add_count(op.call_count, options_.rules->shows_counts_as_floats && table_.call_counts_missing);
  }
}

void CsvRows::add_advice(const ShownOp& row) {
  std::string joined;
  for (const std::string& item : matmul_sentences(table_, ops_, row, *options_.rules)) {
    joined.append(joined.empty() ? "" : " • ").append(item);
  }
  add(joined);
}

const std::string& CsvRows::row(const ShownOp& row) {
  const OpRow& op = table_.rows[row.row];
  const KindFacts& facts = ops_.facts[op.kind];
  const std::string_view name = table_.text(table_.kinds[op.kind].op_code);
  line_ = std::to_string(op.id);
  add_number(row.total_percent);
  add(name_of(row.bound));
  add(row.is_signpost ? std::string(name) + " (signpost)" : facts.label);
  add(op.device < 0 ? std::string() : std::to_string(op.device));
  add_device_time(row);
  add_number(row.gap_us);
  add_count(row.is_signpost ? kNoNumber : facts.cores, options_.rules->shows_counts_as_floats &&
                                                           facts.is_matmul && table_.core_counts_missing &&
                                                           !facts.is_dram_sharded);
  const bool is_unmeasured = !options_.rules->leaves_unmeasured_bounds_empty && !row.is_signpost &&
                             !has_number(row.duration_ns) && (facts.is_matmul || facts.is_conv);
  const bool reads_dram = facts.is_matmul && facts.matmul_dram_bytes > 0;
  add_figure(row.dram_gb_s, is_unmeasured && reads_dram);
  add_figure(row.dram_percent, is_unmeasured && reads_dram);
  add_number(row.tflops);
  add_figure(row.flops_percent, is_unmeasured);
  add(row.is_signpost ? std::string() : facts.fidelity);
  add_details(row);
  if (options_.advice) add_advice(row);
  if (options_.raw_op_codes) add(name);
  line_ += "\r\n";
  return line_;
}

}  // namespace

void write_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                    Writer& out) {
  CsvRows rows(table, ops, options);
  out.write(rows.header());
  for (const ShownOp& row : ops.rows) out.write(rows.row(row));
}

}  // namespace ttscope::perf
