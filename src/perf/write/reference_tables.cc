#include "perf/write/reference_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/csv.h"
#include "base/text.h"
#include "perf/analyze/reference_ops.h"
#include "perf/write/terminal_tables.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

struct MatmulRow {
  const OpsReport& table;
  const ReportKind& kind;
  const KindFacts& facts;
  const Rules& rules;
};

/// A column with empty cells is one of floats in tt-perf-report, and shows `20.0`.
std::string cores_text(const MatmulRow& row) {
  const bool as_float =
      row.rules.shows_counts_as_floats && row.table.core_counts_missing && !row.facts.is_dram_sharded;
  return fmt::format("{:.{}f}", row.facts.cores, as_float ? 1 : 0);
}

std::string remark_text(MatmulRemark remark, const MatmulRow& row) {
  const KindFacts& facts = row.facts;
  switch (remark) {
    case MatmulRemark::kTryDramSharded:
      return "Try a DRAM-sharded program config (MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig) to "
             "improve throughput further";
    case MatmulRemark::kIncreaseGrid:
      return fmt::format("Increase grid size (currently using {})", cores_text(row));
    case MatmulRemark::kPlaceInputInL1:
      return fmt::format("If possible place input 0 in L1 (currently in {})",
                         row.table.text(row.table.input(row.kind, 0)->memory));
    case MatmulRemark::kNoProgramConfig:
      return "No program_config specified, try using one to override in0_block_w and out_subblock_h/w";
    case MatmulRemark::kSmallInnerBlock:
      return fmt::format("in0_block_w={} is small, try in0_block_w=2 or above", facts.in0_block_w);
    case MatmulRemark::kNoInnerBlock:
      return "No inner dim block size found";
    case MatmulRemark::kSmallSubblock:
      return fmt::format(
          "Output subblock {}x{} is small, try out_subblock_h * out_subblock_w >= 2 if possible",
          facts.out_subblock_h, facts.out_subblock_w);
    case MatmulRemark::kNoSubblock:
      return "No output subblock size found";
    case MatmulRemark::kBlocksLookGood:
      return fmt::format("in0_block_w={} and output subblock {}x{} look good 🤷", facts.in0_block_w,
                         facts.out_subblock_h, facts.out_subblock_w);
    case MatmulRemark::kFidelity:
      break;
  }
  return std::string(fidelity_text(facts.fidelity_advice.remark));
}

}  // namespace

std::string_view fidelity_text(FidelityRemark remark) {
  switch (remark) {
    case FidelityRemark::kNothing:
      return {};
    case FidelityRemark::kInteger:
      return "Fidelity evaluation is not applicable for integer datatypes (UINT8, UINT16, INT32, UINT32).";
    case FidelityRemark::kBf16MayUse2:
      return "HiFi2 may also work, it discards the lowest bit of the activations and has 2x the throughput "
             "of "
             "HiFi4";
    case FidelityRemark::kBf16Needs4:
      return "If your matmuls are not FLOP-bound use HiFi4 with BF16 activations for full accuracy";
    case FidelityRemark::kBf16Needs2:
      return "Use HiFi2 or HiFi4 with BF16 activations for improved accuracy";
    case FidelityRemark::kBf16ToBfp4LikelyUses2:
      return "HiFi2 is very likely to work for BFP8 output; it discards the lowest bit of the activations "
             "and "
             "has 2x the throughput of HiFi4";
    case FidelityRemark::kBf16ToBfp4Needs2:
      return "HiFi2 may give better accuracy for large matmuls with many intermediate accumulations";
    case FidelityRemark::kBfp8Uses2:
      return "HiFi2 is sufficient for BFP8 multiplication and has 2x the throughput of HiFi4";
    case FidelityRemark::kBfp8Needs2:
      return "HiFi2 is recommended for accuracy; LoFi discards the lowest 2 bits of the weights";
    case FidelityRemark::kBfp8ToBfp4Needs2:
      return "HiFi2 may give slightly better accuracy for large matmuls with many intermediate accumulations";
    case FidelityRemark::kBfp4OutputMayUseLoFi:
      return "LoFi might also be sufficient with BFP4 output and has almost 2x the throughput of HiFi2";
    case FidelityRemark::kBfp4UsesLoFi:
      return "LoFi is sufficient with BFP4 weights, use it for much higher throughput";
    case FidelityRemark::kFp32Needs4Not2:
      return "Use HiFi4 with FP32 operands: HiFi2 discards bits that the matrix engine keeps of them";
    case FidelityRemark::kFp32Needs4NotLoFi:
      break;
  }
  return "Use HiFi4 with FP32 operands: LoFi discards most of the bits that the matrix engine keeps of them";
}

std::vector<std::string> matmul_sentences(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                          const Rules& rules) {
  const MatmulRow of = {table, table.kind_of(table.rows[row.row]), ops.facts_of(table, row), rules};
  std::vector<std::string> sentences;
  for (const MatmulRemark remark : matmul_advice(table, ops, row, rules))
    sentences.push_back(remark_text(remark, of));
  return sentences;
}

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

namespace {

struct StackColumn {
  std::string_view header;
  std::string_view csv_header;
  bool is_shown;
  std::string (*cell)(const StackEntry&, bool csv);
};

std::string percent_cell(double number, bool csv) {
  if (!has_number(number)) return {};
  return csv ? fmt::format("{:.2f}", number) : grouped_number(number, 2, "%");
}

/// The columns of a stacked report in their order.
std::vector<StackColumn> stack_columns(const StackOptions& options) {
  const bool details = options.by != StackBy::kCategory;
  std::vector<StackColumn> columns = {
      {"Total %", "Total % [%]", true,
       [](const StackEntry& e, bool csv) { return percent_cell(e.percent, csv); }},
      {"Op Code", "Op Code", true, [](const StackEntry& e, bool) { return e.name; }},
      {"Device", "Device", options.per_device,
       [](const StackEntry& e, bool) { return std::to_string(e.device); }},
      {"Device Time Sum", "Device Time Sum [μs]", true,
       [](const StackEntry& e, bool csv) {
         return csv ? fmt::format("{:.2f}", e.device_us) : grouped_number(e.device_us, 2, "μs");
       }},
      {"Op Count", "Op Count", true, [](const StackEntry& e, bool) { return std::to_string(e.ops); }},
      {"Op Category", "Op Category",
       details && options.by != StackBy::kSignpost && options.by != StackBy::kModule,
       [](const StackEntry& e, bool) { return std::string(name_of(e.category)); }},
      {"Min FLOPs", "Min FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_min, csv); }},
      {"Max FLOPs", "Max FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_max, csv); }},
      {"Mean FLOPs", "Mean FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_mean, csv); }},
      {"Std FLOPs", "Std FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_std, csv); }},
      {"Weighted Mean FLOPs", "Weighted Mean FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_weighted_mean, csv); }},
  };
  columns.erase(
      std::remove_if(columns.begin(), columns.end(), [](const StackColumn& c) { return !c.is_shown; }),
      columns.end());
  return columns;
}

/// By device, then by share. tt-perf-report sorts the percentages as texts, so that 5.91 comes before 42.53.
std::vector<StackEntry> in_shown_order(std::vector<StackEntry> entries, const StackOptions& options) {
  if (!options.per_device) return entries;
  std::stable_sort(entries.begin(), entries.end(), [&](const StackEntry& a, const StackEntry& b) {
    if (a.device != b.device) return a.device < b.device;
    if (!options.rules->sorts_by_exact_percent)
      return percent_cell(a.percent, false) > percent_cell(b.percent, false);
    return a.percent > b.percent;
  });
  return entries;
}

}  // namespace

void write_stack_text(const std::vector<StackEntry>& unordered, const StackOptions& options, bool color,
                      Writer& out) {
  const std::vector<StackEntry> entries = in_shown_order(unordered, options);
  const std::vector<StackColumn> columns = stack_columns(options);
  const auto shown = [&](const std::string& cell) {
    return options.rules->shortens_names ? shown_name(cell) : terminal_safe(cell);
  };
  std::vector<std::size_t> widths;
  std::size_t total = (columns.size() - 1) * 2;
  for (const StackColumn& column : columns) {
    std::size_t width = column.header.size();
    for (const StackEntry& entry : entries) {
      width = std::max(width, ui::display_width(shown(column.cell(entry, false))));
    }
    widths.push_back(width);
    total += width;
  }
  const auto line = [&](auto&& cell_of) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string cell = cell_of(columns[i]);
      const bool is_name = columns[i].header == "Op Code";
      if (i > 0) text += "  ";
      text += is_name ? inked(ui::pad_right(cell, widths[i]), op_ink(cell), color)
                      : ui::pad_left(cell, widths[i]);
    }
    out.write(text + "\n");
  };
  out.write("\n📊 Stacked report 📊\n====================\n\n");
  line([](const StackColumn& column) { return std::string(column.header); });
  out.write(std::string(total, '-') + "\n");
  for (const StackEntry& entry : entries) {
    line([&](const StackColumn& column) { return shown(column.cell(entry, false)); });
  }
  out.write(std::string(total, '-') + "\n");
}

void write_stack_csv(const std::vector<StackEntry>& entries, const StackOptions& options, Writer& out) {
  const std::vector<StackColumn> columns = stack_columns(options);
  std::string line;
  for (const StackColumn& column : columns) line.append(line.empty() ? "" : ",").append(column.csv_header);
  out.write(line + "\n");
  for (const StackEntry& entry : entries) {
    line.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) line += ',';
      const std::string cell = columns[i].cell(entry, true);
      if (options.rules->defuses_formulas) {
        append_safe_csv_cell(line, cell);
      } else {
        append_csv_cell(line, cell);
      }
    }
    out.write(line + "\n");
  }
}

}  // namespace ttscope::perf
