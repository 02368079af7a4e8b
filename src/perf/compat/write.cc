#include "perf/compat/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "perf/write/capture_sections.h"
#include "perf/write/table_csv.h"
#include "ui/text.h"

namespace ttscope::perf::compat {
namespace {

// Matmuls. A program config is one that has two of its fields, a grid is small against 64 cores, and advice
// mixes speed and accuracy.

void remark_config(const KindFacts& facts, std::vector<MatmulRemark>& remarks) {
  const bool has_block = facts.in0_block_w >= 0;
  const bool has_subblock = facts.out_subblock_h >= 0 && facts.out_subblock_w >= 0;
  if (!has_block && facts.out_subblock_h < 0 && facts.out_subblock_w < 0)
    return remarks.push_back(MatmulRemark::kNoProgramConfig);
  const bool is_small_block = has_block && facts.in0_block_w < 2;
  const bool is_small_subblock =
      has_subblock &&
      static_cast<double>(facts.out_subblock_h) * static_cast<double>(facts.out_subblock_w) < 2;
  if (is_small_block) remarks.push_back(MatmulRemark::kSmallInnerBlock);
  if (!has_block) remarks.push_back(MatmulRemark::kNoInnerBlock);
  if (is_small_subblock) remarks.push_back(MatmulRemark::kSmallSubblock);
  if (!has_subblock) remarks.push_back(MatmulRemark::kNoSubblock);
  if (has_block && has_subblock && !is_small_block && !is_small_subblock)
    remarks.push_back(MatmulRemark::kBlocksLookGood);
  if (facts.fidelity_advice.remark != FidelityRemark::kNothing) remarks.push_back(MatmulRemark::kFidelity);
}

std::vector<MatmulRemark> matmul_remarks(const OpsReport& table, const ShownOps& ops, const ShownOp& row) {
  constexpr double kMinLargeGrid = 64;
  constexpr double kLowFlopsPercent = 40;
  std::vector<MatmulRemark> remarks;
  const KindFacts& facts = ops.facts_of(table, row);
  if (!facts.is_matmul || row.is_signpost) return remarks;
  const FidelityVerdict fidelity = facts.fidelity_advice.verdict;
  const bool is_too_high = fidelity == FidelityVerdict::kTooHigh;
  if (row.bound == ShownBound::kDram || row.bound == ShownBound::kBoth) {
    if (!facts.is_dram_sharded) remarks.push_back(MatmulRemark::kTryDramSharded);
    const bool is_too_low = fidelity == FidelityVerdict::kTooLow && row.flops_percent < kLowFlopsPercent;
    if (is_too_low || is_too_high) remarks.push_back(MatmulRemark::kFidelity);
  } else if (row.bound == ShownBound::kFlop) {
    if (facts.cores < kMinLargeGrid) remarks.push_back(MatmulRemark::kIncreaseGrid);
    if (is_too_high) remarks.push_back(MatmulRemark::kFidelity);
  } else if (row.bound == ShownBound::kSlow) {
    const OpTensor* in0 = table.input(table.kind_of(table.rows[row.row]), 0);
    const std::string_view memory = in0 == nullptr ? std::string_view{} : table.text(in0->memory);
    if (!memory.empty() && !contains(memory, "L1")) remarks.push_back(MatmulRemark::kPlaceInputInL1);
    remark_config(facts, remarks);
  }
  return remarks;
}

/// A column with empty cells is one of floats there, and shows `20.0`.
bool has_float_cores(const OpsReport& table, const KindFacts& facts) {
  return table.core_counts_missing && !facts.is_dram_sharded;
}

}  // namespace

std::vector<std::string> matmul_sentences(const OpsReport& table, const ShownOps& ops, const ShownOp& row) {
  const KindFacts& facts = ops.facts_of(table, row);
  const std::string cores = fmt::format("{:.{}f}", facts.cores, has_float_cores(table, facts) ? 1 : 0);
  std::vector<std::string> sentences;
  for (const MatmulRemark remark : compat::matmul_remarks(table, ops, row))
    sentences.push_back(remark_text(remark, table, table.kind_of(table.rows[row.row]), facts, cores));
  return sentences;
}

void write_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                    Writer& out) {
  out.write(perf_csv_header(options));
  std::vector<std::string> cells;
  std::string line;
  for (const ShownOp& row : ops.rows) {
    const OpRow& op = table.rows[row.row];
    const KindFacts& facts = ops.facts[op.kind];
    fill_perf_csv(table, ops, options, row, cells);
    if (row.device_us == 0 && !has_number(row.duration_ns)) cells[kDeviceTimeColumn] = "0";
    if (!row.is_signpost && facts.is_matmul && has_float_cores(table, facts))
      cells[kCoresColumn] = python_number(facts.cores);
    if (!row.is_signpost && !has_number(row.duration_ns) && (facts.is_matmul || facts.is_conv)) {
      if (facts.is_matmul && facts.matmul_dram_bytes > 0)
        cells[kDramColumn] = cells[kDramPercentColumn] = "nan";
      cells[kFlopsPercentColumn] = "nan";
    }
    if (has_number(op.call_count) && table.call_counts_missing)
      cells[kCallCountCell] = python_number(op.call_count);
    if (options.advice) cells[kAdviceCell] = advice_cell(matmul_sentences(table, ops, row));
    line = cells.front();
    for (std::size_t i = 1; i < cells.size(); ++i) {
      line += ',';
      append_csv_cell(line, cells[i]);
    }
    out.write(line + "\r\n");
  }
}

void write_stack_csv(const std::vector<StackEntry>& entries, const StackOptions& options, Writer& out) {
  const std::vector<StackColumn> columns = stack_columns(options);
  out.write(stack_csv_header(columns));
  std::string line;
  for (const StackEntry& entry : entries) {
    line.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) line += ',';
      append_csv_cell(line, columns[i].cell(entry, true));
    }
    out.write(line + "\n");
  }
}

namespace {

/// By device, then by the text of the share, so that 5.91 comes before 42.53.
std::vector<StackEntry> in_shown_order(std::vector<StackEntry> entries, const StackOptions& options) {
  if (!options.per_device) return entries;
  const auto share = [](const StackEntry& entry) { return grouped_number(entry.percent, 2, "%"); };
  std::stable_sort(entries.begin(), entries.end(), [&](const StackEntry& a, const StackEntry& b) {
    return a.device != b.device ? a.device < b.device : share(a) > share(b);
  });
  return entries;
}

}  // namespace

void write_stack_text(const std::vector<StackEntry>& unordered, const StackOptions& options, bool color,
                      Writer& out) {
  const std::vector<StackEntry> entries = in_shown_order(unordered, options);
  const std::vector<StackColumn> columns = stack_columns(options);
  std::vector<std::size_t> widths;
  std::size_t total = (columns.size() - 1) * 2;
  for (const StackColumn& column : columns) {
    std::size_t width = column.header.size();
    for (const StackEntry& entry : entries)
      width = std::max(width, ui::display_width(terminal_safe(column.cell(entry, false))));
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
  for (const StackEntry& entry : entries)
    line([&](const StackColumn& column) { return terminal_safe(column.cell(entry, false)); });
  out.write(std::string(total, '-') + "\n");
}

namespace {

/// What is said of each op name without a category.
std::string unclassified_warnings(const ShownOps& ops, bool color) {
  std::string text;
  std::unordered_set<std::string_view> warned;
  for (const std::string& name : ops.unclassified) {
    const std::string_view word = std::string_view(name).substr(0, name.find(' '));
    if (!warned.insert(word).second) continue;
    text += inked(
        fmt::format("Warning: Unclassified operation '{}' found. Please add to OPERATION_CATEGORIES for "
                    "proper classification.",
                    terminal_safe(word)),
        CellInk::kYellow, color);
    text += '\n';
  }
  return text;
}

void write_host_ops(const PerfTableText& text, const ShownOps& ops, Writer& out) {
  bool any = false;
  for (const ShownOp& row : ops.rows) {
    if (!row.is_host) continue;
    if (!any) out.write("Fallback\n--------\n");
    any = true;
    text.write_row(row, out);
  }
  if (any) out.write("\nThese ops should be moved to run on device.\n\n");
}

void write_gaps(const PerfTableText& text, const ShownOps& ops, Writer& out) {
  double overhead = 0;
  bool any = false;
  for (const ShownOp& row : ops.rows) {
    if (!(row.gap_us > kHighGapUs)) continue;
    if (!any) out.write("High Op-to-Op Gap\n----------------\n");
    any = true;
    overhead += row.gap_us - kTypicalGapUs;
    text.write_row(row, out);
  }
  if (!any) return;
  out.write(
      fmt::format("\nThese ops have a >6 μs gap since the previous operation. Running with tracing could "
                  "save {:.0f} μs ({:.1f}% of "
                  "overall time)\nAlternatively ensure device is not waiting for the host and use "
                  "device.enable_async(True). Experts "
                  "can try moving runtime args in the kernels to compile-time args.\n\n",
                  overhead, overhead / ops.counted_us() * 100));
}

void write_matmuls(const PerfTableText& text, const OpsReport& table, const ShownOps& ops, Writer& out) {
  bool any = false;
  for (const ShownOp& row : ops.rows) {
    if (!ops.facts_of(table, row).is_matmul || row.is_signpost) continue;
    if (!any) out.write("Matmul Optimization\n-------------------\n");
    any = true;
    text.write_row(row, out);
    const std::vector<std::string> advice = matmul_sentences(table, ops, row);
    for (const std::string& item : advice) out.write("- " + terminal_safe(item) + "\n");
    if (advice.empty()) out.write("✅ Optimized\n");
    out.write('\n');
  }
}

void write_sections(const Profile& profile, const PerfReportOptions& options, const std::string& unclassified,
                    Writer& out) {
  const ShownOps& ops = profile.analysis.ops;
  const PerfTableText text(profile.report, ops, options.table);
  write_notes(ops.notes, options.table, out);
  if (!profile.zones_only) text.write_table(out);
  if (ops.rows.empty()) return;
  if (options.table.advice) {
    out.write("\n💡 Advice 💡\n============\n\n");
    write_host_ops(text, ops, out);
    write_gaps(text, ops, out);
    write_matmuls(text, profile.report, ops, out);
  }
  if (!options.summary) return;
  out.write(unclassified);
  write_stack_text(profile.stack, options.stack, options.table.color, out);
}

}  // namespace

void write_perf_report(const Profile& profile, const PerfReportOptions& options, const WrittenFiles& written,
                       Writer& out) {
  PerfReportOptions whole = options;
  whole.table.whole_names = true;
  const std::string unclassified = profile.stack.empty()
                                       ? std::string()
                                       : unclassified_warnings(profile.analysis.ops, options.table.color);
  if (options.shows_sections) write_sections(profile, whole, unclassified, out);
  for (const CaptureZones* zones : profile.zones()) write_zone_table(*zones, options.table, out);
  // What was done to the report is printed where no table is, too.
  if (!options.shows_sections) write_notes(profile.analysis.ops.notes, options.table, out);
  if (!written.csv_path.empty()) {
    out.write(fmt::format("Writing CSV output to {}\n", terminal_safe(written.csv_path)));
    if (options.summary) out.write(unclassified);
  }
  if (written.stack_base.empty()) return;
  out.write(fmt::format("Writing CSV stacked report to {0}.csv\nPlotting PNG stacked report to {0}.png\n",
                        terminal_safe(written.stack_base)));
}

}  // namespace ttscope::perf::compat
