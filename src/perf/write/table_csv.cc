#include "perf/write/table_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/csv.h"
#include "base/text.h"

namespace ttscope::perf {

std::string remark_text(MatmulRemark remark, const OpsReport& table, const OpKind& kind,
                        const KindFacts& facts, std::string_view cores) {
  switch (remark) {
    case MatmulRemark::kTryDramSharded:
      return "Try a DRAM-sharded program config (MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig) to "
             "improve throughput further";
    case MatmulRemark::kIncreaseGrid:
      return fmt::format("Increase grid size (currently using {})", cores);
    case MatmulRemark::kPlaceInputInL1:
      return fmt::format("If possible place input 0 in L1 (currently in {})",
                         table.text(table.input(kind, 0)->memory));
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

namespace {

/// What the blocks of a slow matmul say. Any program config is one, and fidelity counts where it costs speed.
void remark_config(const KindFacts& facts, std::vector<MatmulRemark>& remarks) {
  const bool has_block = facts.in0_block_w >= 0;
  const bool has_subblock = facts.out_subblock_h >= 0 && facts.out_subblock_w >= 0;
  if (!has_block && facts.out_subblock_h < 0 && facts.out_subblock_w < 0) {
    if (!facts.has_program_config) remarks.push_back(MatmulRemark::kNoProgramConfig);
    return;
  }
  const bool is_small_block = has_block && facts.in0_block_w < 2;
  const bool is_small_subblock =
      has_subblock &&
      static_cast<double>(facts.out_subblock_h) * static_cast<double>(facts.out_subblock_w) < 2;
  if (is_small_block) remarks.push_back(MatmulRemark::kSmallInnerBlock);
  if (!has_block && !facts.has_program_config) remarks.push_back(MatmulRemark::kNoInnerBlock);
  if (is_small_subblock) remarks.push_back(MatmulRemark::kSmallSubblock);
  if (!has_subblock && !facts.has_program_config) remarks.push_back(MatmulRemark::kNoSubblock);
  if (has_block && has_subblock && !is_small_block && !is_small_subblock)
    remarks.push_back(MatmulRemark::kBlocksLookGood);
  const FidelityAdvice& fidelity = facts.fidelity_advice;
  if (fidelity.remark != FidelityRemark::kNothing && fidelity.verdict == FidelityVerdict::kTooHigh)
    remarks.push_back(MatmulRemark::kFidelity);
}

}  // namespace

std::vector<MatmulRemark> matmul_remarks(const OpsReport& table, const ShownOps& ops, const ShownOp& row) {
  constexpr double kUsualCores = 64;
  std::vector<MatmulRemark> remarks;
  const KindFacts& facts = ops.facts_of(table, row);
  if (!facts.is_matmul || row.is_signpost) return remarks;
  const bool is_too_high = facts.fidelity_advice.verdict == FidelityVerdict::kTooHigh;
  if (row.bound == ShownBound::kDram || row.bound == ShownBound::kBoth) {
    if (!facts.is_dram_sharded) remarks.push_back(MatmulRemark::kTryDramSharded);
    if (is_too_high) remarks.push_back(MatmulRemark::kFidelity);
  } else if (row.bound == ShownBound::kFlop) {
    const double all = ops.peaks.worker_cores == 0 ? kUsualCores : ops.peaks.worker_cores;
    if (facts.cores < all) remarks.push_back(MatmulRemark::kIncreaseGrid);
    if (is_too_high) remarks.push_back(MatmulRemark::kFidelity);
  } else if (row.bound == ShownBound::kSlow) {
    const OpTensor* in0 = table.input(table.kind_of(table.rows[row.row]), 0);
    const std::string_view memory = in0 == nullptr ? std::string_view{} : table.text(in0->memory);
    if (!memory.empty() && !contains(memory, "L1")) remarks.push_back(MatmulRemark::kPlaceInputInL1);
    remark_config(facts, remarks);
  }
  return remarks;
}

namespace {

constexpr std::string_view kMoreHeaders =
    ",Output Datatype,Input 0 Datatype,Input 1 Datatype,DRAM Sharded,Input 0 Memory,Inner Dim Block "
    "Size,Output "
    "Subblock H,Output Subblock W,Global Call Count";

std::string whole_cell(std::int64_t number) { return number < 0 ? std::string() : std::to_string(number); }

std::string count_cell(double number) {
  return has_number(number) ? fmt::format("{:.0f}", number) : std::string();
}

}  // namespace

std::string perf_csv_header(const PerfTableOptions& options) {
  std::string line;
  for (const std::string_view name : kTableHeaders) line.append(line.empty() ? "" : ",").append(name);
  line += kMoreHeaders;
  if (options.advice) line += ",Advice";
  if (options.raw_op_codes) line += ",Raw OP Code";
  return line + "\r\n";
}

void fill_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                   const ShownOp& row, std::vector<std::string>& cells) {
  const OpRow& op = table.rows[row.row];
  const OpKind& kind = table.kinds[op.kind];
  const KindFacts& facts = ops.facts[op.kind];
  const std::string_view name = table.text(kind.op_code);
  const OpTensor* in0 = table.input(kind, 0);
  const auto type_of = [&](const OpTensor* tensor) {
    const std::string_view type = tensor == nullptr ? std::string_view{} : table.text(tensor->datatype);
    return std::string(type.empty() ? "nan" : type);
  };
  cells.assign({
      std::to_string(op.id),
      python_number(row.total_percent),
      std::string(name_of(row.bound)),
      row.is_signpost ? std::string(name) + " (signpost)" : facts.label,
      whole_cell(op.device),
      python_number(row.device_us),
      python_number(row.gap_us),
      count_cell(row.is_signpost ? kNoNumber : facts.cores),
      python_number(row.dram_gb_s),
      python_number(row.dram_percent),
      python_number(row.tflops),
      python_number(row.flops_percent),
      row.is_signpost ? std::string() : facts.fidelity,
      type_of(table.output(kind, 0)),
      type_of(in0),
      type_of(table.input(kind, 1)),
      facts.is_dram_sharded ? "True" : "False",
      std::string(in0 == nullptr ? std::string_view{} : table.text(in0->memory)),
      whole_cell(facts.in0_block_w),
      whole_cell(facts.out_subblock_h),
      whole_cell(facts.out_subblock_w),
      has_number(op.call_count) ? count_cell(op.call_count) : "nan",
  });
  if (options.advice) cells.emplace_back();
  if (options.raw_op_codes) cells.emplace_back(name);
}

std::string advice_cell(const std::vector<std::string>& sentences) {
  std::string joined;
  for (const std::string& item : sentences) joined.append(joined.empty() ? "" : " • ").append(item);
  return joined;
}

void write_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                    Writer& out) {
  out.write(perf_csv_header(options));
  std::vector<std::string> cells;
  std::vector<std::string> sentences;
  std::string line;
  for (const ShownOp& row : ops.rows) {
    fill_perf_csv(table, ops, options, row, cells);
    if (options.advice) {
      const OpKind& kind = table.kind_of(table.rows[row.row]);
      const KindFacts& facts = ops.facts_of(table, row);
      sentences.clear();
      for (const MatmulRemark remark : matmul_remarks(table, ops, row))
        sentences.push_back(remark_text(remark, table, kind, facts, fmt::format("{:.0f}", facts.cores)));
      cells[kAdviceCell] = advice_cell(sentences);
    }
    line = cells.front();
    for (std::size_t i = 1; i < cells.size(); ++i) {
      line += ',';
      append_safe_csv_cell(line, cells[i]);
    }
    out.write(line + "\r\n");
  }
}

namespace {

std::string percent_cell(double number, bool csv) {
  if (!has_number(number)) return {};
  return csv ? fmt::format("{:.2f}", number) : grouped_number(number, 2, "%");
}

}  // namespace

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

std::string stack_csv_header(const std::vector<StackColumn>& columns) {
  std::string line;
  for (const StackColumn& column : columns) line.append(line.empty() ? "" : ",").append(column.csv_header);
  return line + "\n";
}

void write_stack_csv(const std::vector<StackEntry>& entries, const StackOptions& options, Writer& out) {
  const std::vector<StackColumn> columns = stack_columns(options);
  out.write(stack_csv_header(columns));
  std::string line;
  for (const StackEntry& entry : entries) {
    line.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) line += ',';
      append_safe_csv_cell(line, columns[i].cell(entry, true));
    }
    out.write(line + "\n");
  }
}

}  // namespace ttscope::perf
