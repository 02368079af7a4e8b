// Declared in perf_table.h, with the other forms of the table.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/parallel.h"
#include "base/text_escape.h"
#include "perf/write/terminal/op_tables.h"
#include "perf/write/terminal/perf_cells.h"
#include "perf/write/terminal/perf_table.h"
#include "perf/write/words/matmul_text.h"
#include "perf/write/words/note_text.h"
#include "perf/write/words/op_names.h"
#include "report/text_layout.h"

namespace ttscope::perf {

namespace {

constexpr std::size_t kLeastDeviceWidth = 7;
constexpr std::string_view kGapBetween = "  ";
constexpr std::size_t kRowsOfBlock = 4096;

/// The least and the greatest of some numbers.
struct Extremes {
  double least = kNoNumber;
  double most = kNoNumber;

  void add(double value) {
    if (!has_number(value)) return;
    if (!(least <= value)) least = value;
    if (!(most >= value)) most = value;
  }
};

}  // namespace

void write_notes(const std::vector<OpNote>& notes, const PerfTableOptions& options, Writer& out) {
  for (const OpNote& note : notes) {
    const CellInk ink = is_warning(note.kind) ? CellInk::kYellow : CellInk::kCyan;
    const std::string text = terminal_safe(note_text(note));
    if (options.width == 0) {
      out.write(inked(text, ink, options.color));
      out.write('\n');
      continue;
    }
    report::Painter painter(options.color, options.width);
    painter.paragraph(0, text,
                      is_warning(note.kind) ? report::Painter::Ink::kYellow : report::Painter::Ink::kCyan);
    out.write(painter.take());
  }
}

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

PerfTableText::PerfTableText(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                             const OpBounds* bounds)
    : table_(table), ops_(ops), options_(options), bounds_(bounds) {
  choose_rows();
  measure_widths();
  if (options_.width > 0) fit_widths();
}

/// All of them in their order, unless the options ask for some.
void PerfTableText::choose_rows() {
  const auto count = static_cast<std::uint32_t>(ops_.rows.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (options_.op.empty() || is_named_like(ops_.facts_of(table_, ops_.rows[i]), options_.op))
      shown_.push_back(i);
  }
  if (options_.order != OpOrder::kRow) sort_rows();
  if (options_.top < shown_.size()) shown_.resize(options_.top);
}

void PerfTableText::sort_rows() {
  const auto figure = [&](std::uint32_t i) {
    const ShownOp& row = ops_.rows[i];
    const double number = options_.order == OpOrder::kGap     ? row.gap_us
                          : options_.order == OpOrder::kTotal ? row.total_percent
                                                              : row.device_us;
    return has_number(number) ? number : -1;
  };
  std::stable_sort(shown_.begin(), shown_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (options_.order == OpOrder::kName)
      return ops_.facts_of(table_, ops_.rows[a]).label < ops_.facts_of(table_, ops_.rows[b]).label;
    return figure(a) > figure(b);
  });
}

/// Columns leave, the least telling first, until the rest has room; names are cut to what is left.
void PerfTableText::fit_widths() {
  constexpr TableColumn kLeaving[] = {kFlopsColumn,       kDramColumn,  kFidelityColumn, kFlopsPercentColumn,
                                      kDramPercentColumn, kCoresColumn, kDeviceColumn,   kGapColumn};
  constexpr std::size_t kLeastNameWidth = 24;
  const auto others = [&] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
      if (i != kOpColumn && widths_[i] > 0) sum += widths_[i] + kGapBetween.size();
    }
    return sum;
  };
  for (const auto& [column, sum] :
       {std::pair(kDeviceTimeColumn, ops_.device_us), std::pair(kGapColumn, ops_.gap_us)})
    widths_[column] = std::max(widths_[column], report::display_width(grouped_number(sum, 0, "μs")));
  const std::size_t least = std::min(widths_[kOpColumn], kLeastNameWidth);
  for (const TableColumn column : kLeaving) {
    if (others() + least <= options_.width) break;
    widths_[column] = 0;
  }
  const std::size_t used = others();
  widths_[kOpColumn] = std::min(widths_[kOpColumn], std::max(options_.width, used + least) - used);
}

/// Larger numbers have longer texts, so the largest and the smallest of a column tell its width; names are
/// those of the kinds that occur.
void PerfTableText::measure_widths() {
  for (std::size_t i = 0; i < kTableColumns; ++i) widths_[i] = kTableHeaders[i].size();
  widths_[kDeviceColumn] = std::max(widths_[kDeviceColumn], kLeastDeviceWidth);
  const TableCells maker(table_, ops_, !options_.rules->shortens_names);
  Extremes total, device_time, gap, dram, dram_percent, flops, flops_percent, id;
  std::vector<bool> seen(ops_.facts.size());
  std::string cells[kTableColumns];
  for (const std::uint32_t index : shown_) {
    const ShownOp& row = ops_.rows[index];
    const OpRow& op = table_.rows[row.row];
    if (bounds_ != nullptr) widths_[kBoundColumn] = std::max(widths_[kBoundColumn], bound_text(row).size());
    total.add(row.total_percent);
    device_time.add(row.device_us);
    gap.add(row.gap_us);
    dram.add(row.dram_gb_s);
    dram_percent.add(row.dram_percent);
    flops.add(row.tflops);
    flops_percent.add(row.flops_percent);
    id.add(op.id);
    if (seen[op.kind]) continue;
    seen[op.kind] = true;
    maker.fill(row, cells);
    for (std::size_t i = 0; i < kTableColumns; ++i)
      widths_[i] = std::max(widths_[i], report::display_width(cells[i]));
  }
  const auto widen = [&](TableColumn column, const Extremes& values, int decimals, std::string_view unit) {
    for (const double value : {values.least, values.most}) {
      widths_[column] =
          std::max(widths_[column], report::display_width(grouped_number(value, decimals, unit)));
    }
  };
  // The known table leaves room for separators in the ids, which it does not show.
  widen(kIdColumn, id, 0, {});
  widen(kTotalColumn, total, 1, "%");
  widen(kDeviceTimeColumn, device_time, 0, "μs");
  widen(kGapColumn, gap, 0, "μs");
  widen(kDramColumn, dram, 0, "GB/s");
  widen(kDramPercentColumn, dram_percent, 1, "%");
  widen(kFlopsColumn, flops, 1, "TFLOPs");
  widen(kFlopsPercentColumn, flops_percent, 1, "%");
}

std::string PerfTableText::bound_text(const ShownOp& row) const {
  if (row.is_signpost) return {};
  const OpBound& bound = bounds_->rows[static_cast<std::size_t>(&row - ops_.rows.data())];
  return bound_cell(bound.limit, static_cast<double>(bound.percent));
}

bool PerfTableText::is_muted(const ShownOp& row) const {
  return row.total_percent < options_.min_percentage && !row.is_host;
}

void PerfTableText::append_row(const ShownOp& row, std::string& to) const {
  const TableCells maker(table_, ops_, !options_.rules->shortens_names);
  std::string cells[kTableColumns];
  CellInk inks[kTableColumns];
  maker.fill(row, cells);
  if (bounds_ != nullptr) cells[kBoundColumn] = bound_text(row);
  if (row.is_signpost) {
    const std::size_t mark = cells[kOpColumn].rfind(" (signpost)");
    cells[kOpColumn] = "🪧 " + cells[kOpColumn].substr(0, mark);
  }
  if (options_.color) maker.paint(row, is_muted(row), inks);
  if (options_.width > 0)
    cells[kOpColumn] = report::fit(readable_label(cells[kOpColumn]), widths_[kOpColumn]);
  for (std::size_t i = 0; i < kTableColumns; ++i) {
    if (widths_[i] == 0) continue;
    if (i > 0) to += kGapBetween;
    const std::size_t columns = report::display_width(cells[i]);
    const std::size_t blanks = columns < widths_[i] ? widths_[i] - columns : 0;
    if (i != kOpColumn) to.append(blanks, ' ');
    to += options_.color ? inked(cells[i], inks[i], true) : cells[i];
    if (i == kOpColumn) to.append(blanks, ' ');
  }
  to += '\n';
}

void PerfTableText::write_row(const ShownOp& row, Writer& out) const {
  std::string line;
  append_row(row, line);
  out.write(line);
}

/// Blocks of rows are made on several threads, some at a time, and written in order.
void PerfTableText::write_rows(Writer& out) const {
  std::vector<std::string> blocks(std::size_t{options_.threads} * 4);
  const std::size_t per_turn = blocks.size() * kRowsOfBlock;
  for (std::size_t start = 0; start < shown_.size(); start += per_turn) {
    run_parallel(blocks.size(), options_.threads, [&](std::size_t block) {
      blocks[block].clear();
      const std::size_t first = start + block * kRowsOfBlock;
      const std::size_t end = std::min(first + kRowsOfBlock, shown_.size());
      for (std::size_t i = first; i < end; ++i) append_row(ops_.rows[shown_[i]], blocks[block]);
    });
    for (const std::string& block : blocks) out.write(block);
  }
}

/// The sum of what is shown; all of it where no option leaves anything out.
void PerfTableText::write_total(Writer& out) const {
  std::string cells[kTableColumns];
  const bool is_whole = shown_.size() == ops_.rows.size();
  double percent = 0, device_us = 0, gap_us = 0;
  const auto add = [](double number, double& sum) { sum += has_number(number) ? number : 0; };
  for (const std::uint32_t index : shown_) {
    if (is_whole) break;
    add(ops_.rows[index].total_percent, percent);
    add(ops_.rows[index].device_us, device_us);
    add(ops_.rows[index].gap_us, gap_us);
  }
  cells[kTotalColumn] = is_whole ? "100.0 %" : grouped_number(percent, 1, "%");
  cells[kOpColumn] = is_whole ? fmt::format("{} device ops, {} host ops, {} signposts", ops_.device_ops,
                                            ops_.host_ops, ops_.signposts)
                              : fmt::format("{} of {} rows", shown_.size(), ops_.rows.size());
  cells[kDeviceTimeColumn] = grouped_number(is_whole ? ops_.device_us : device_us, 0, "μs");
  cells[kGapColumn] = grouped_number(is_whole ? ops_.gap_us : gap_us, 0, "μs");
  if (options_.width > 0) cells[kOpColumn] = report::fit(cells[kOpColumn], widths_[kOpColumn]);
  std::string line;
  for (std::size_t i = 0; i < kTableColumns; ++i) {
    if (widths_[i] == 0) continue;
    if (i > 0) line += kGapBetween;
    line += i == kOpColumn ? report::pad_right(cells[i], widths_[i]) : report::pad_left(cells[i], widths_[i]);
  }
  if (options_.width > 0) line.erase(line.find_last_not_of(' ') + 1);
  out.write(inked(line, CellInk::kGrey, options_.color));
  out.write('\n');
}

void PerfTableText::write_table(Writer& out) const {
  if (shown_.empty()) {
    out.write(inked("No operations to display after applying filters.", CellInk::kYellow, options_.color));
    out.write('\n');
    return;
  }
  out.write("\n🚀 Performance Report 🚀\n========================\n\n");
  std::size_t width = 0;
  for (std::size_t i = 0; i < kTableColumns; ++i) {
    if (widths_[i] == 0) continue;
    if (i > 0) out.write(kGapBetween);
    out.write(report::pad_right(kTableHeaders[i], widths_[i]));
    width += (i > 0 ? kGapBetween.size() : 0) + widths_[i];
  }
  const std::string rule = "\n" + std::string(width, '-') + "\n";
  out.write(rule);
  write_rows(out);
  out.write(std::string_view(rule).substr(1));
  write_total(out);
  if (ops_.compile_gaps_apart && ops_.compile_us > 0) {
    const std::string text = fmt::format(
        "Of the gaps, {} were spent before the first run of a program (cache miss or compile): not in Total "
        "%.",
        grouped_number(ops_.compile_us, 0, "μs"));
    report::Painter painter(options_.color, options_.width > 0 ? options_.width : SIZE_MAX);
    painter.paragraph(0, text);
    out.write(painter.take());
  }
}

void PerfTableText::write_gap_advice(Writer& out) const {
  double overhead = 0;
  bool any = false;
  for (const ShownOp& row : ops_.rows) {
    if (!(row.gap_us > kHighGapUs)) continue;
    if (!any) out.write("High Op-to-Op Gap\n----------------\n");
    any = true;
    overhead += row.gap_us - kTypicalGapUs;
    write_row(row, out);
  }
  if (!any) return;
  out.write(
      fmt::format("\nThese ops have a >6 μs gap since the previous operation. Running with tracing could "
                  "save {:.0f} μs ({:.1f}% of "
                  "overall time)\nAlternatively ensure device is not waiting for the host and use "
                  "device.enable_async(True). Experts "
                  "can try moving runtime args in the kernels to compile-time args.\n\n",
                  overhead, overhead / ops_.counted_us() * 100));
}

void PerfTableText::write_matmul_advice(Writer& out) const {
  bool any = false;
  for (const ShownOp& row : ops_.rows) {
    if (!ops_.facts_of(table_, row).is_matmul || row.is_signpost) continue;
    if (!any) out.write("Matmul Optimization\n-------------------\n");
    any = true;
    write_row(row, out);
    const std::vector<std::string> advice = matmul_sentences(table_, ops_, row, *options_.rules);
    for (const std::string& item : advice) out.write("- " + terminal_safe(item) + "\n");
    if (advice.empty()) out.write("✅ Optimized\n");
    out.write('\n');
  }
}

void PerfTableText::write_matmul_sections(Writer& out) const {
  out.write("\n💡 Advice 💡\n============\n\n");
  bool any_host = false;
  for (const ShownOp& row : ops_.rows) {
    if (!row.is_host) continue;
    if (!any_host) out.write("Fallback\n--------\n");
    any_host = true;
    write_row(row, out);
  }
  if (any_host) out.write("\nThese ops should be moved to run on device.\n\n");
  write_gap_advice(out);
  write_matmul_advice(out);
}

}  // namespace ttscope::perf
