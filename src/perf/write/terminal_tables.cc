#include "perf/write/terminal_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

#include "base/number_text.h"
#include "base/resources.h"
#include "base/text.h"
#include "perf/write/advice_text.h"
#include "perf/write/notes_text.h"
#include "perf/write/terminal.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

// The longest of real reports, a halo with all its settings, has 90.
constexpr std::size_t kMaxNameColumns = 120;

std::string whole_text(double number) {
  return has_number(number) ? grouped_number(number, 0) : std::string();
}

}  // namespace

std::string grouped_number(double number, int decimals, std::string_view unit) {
  if (!has_number(number)) return {};
  std::array<char, 400> digits;  // 10^308 and its decimals
  const char* const end =
      std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed, decimals)
          .ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  const std::size_t first = text.front() == '-' ? 1 : 0;
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string result;
  result.reserve(text.size() + text.size() / 3 + unit.size() + 1);
  result += text.substr(0, first);
  std::size_t at = first + (point - first) % 3;
  result += text.substr(first, at - first);
  for (; at < point; at += 3) {
    if (at > first) result += ',';
    result += text.substr(at, 3);
  }
  result += text.substr(point);
  if (!unit.empty()) result.append(" ").append(unit);
  return result;
}

std::string python_number(double number) {
  if (!has_number(number)) return {};
  char text[kDoubleTextBytes];
  return {text, put_double(text, number)};
}

std::string short_name(std::string_view name) { return ui::fit(name, kMaxNameColumns); }

/// Called for every row: names of a usual length are copied once.
std::string shown_name(std::string_view name) {
  std::string safe = name.size() <= kMaxNameColumns ? terminal_safe(name) : terminal_safe(short_name(name));
  return safe.size() <= kMaxNameColumns ? safe : short_name(safe);
}

std::string inked(std::string_view text, CellInk ink, bool color) {
  if (!color || ink == CellInk::kNone || text.empty()) return std::string(text);
  constexpr std::array<std::string_view, 10> kCodes = {"",   "8",  "9",   "10", "11",
                                                       "12", "13", "208", "14", "15"};
  return fmt::format("\x1b[38;5;{}m{}\x1b[0m", kCodes[static_cast<std::size_t>(ink)], text);
}

CellInk op_ink(std::string_view op_name) {
  struct Rule {
    std::string_view word;
    CellInk ink;
  };
  constexpr std::array<Rule, 12> kRules = {{{"(torch)", CellInk::kRed},
                                            {"Matmul", CellInk::kMagenta},
                                            {"OptimizedConvNew", CellInk::kOrange},
                                            {"Conv2d", CellInk::kOrange},
                                            {"LayerNorm", CellInk::kCyan},
                                            {"AllGather", CellInk::kCyan},
                                            {"AllReduce", CellInk::kCyan},
                                            {"ReduceScatter", CellInk::kCyan},
                                            {"Attention", CellInk::kBlue},
                                            {"SDPA", CellInk::kBlue},
                                            {"Heads", CellInk::kBlue},
                                            {"UpdateCache", CellInk::kBlue}}};
  for (const Rule& rule : kRules) {
    if (contains(op_name, rule.word)) return rule.ink;
  }
  return CellInk::kWhite;
}

std::string TableCells::name(std::string_view text) const {
  return whole_names_ ? terminal_safe(text) : shown_name(text);
}

std::string TableCells::op_label(const ShownOp& row) const {
  if (!row.is_signpost) return name(ops_.facts_of(report_, row).label);
  return name(report_.text(report_.kind_of(report_.rows[row.row]).op_code)) + " (signpost)";
}

void TableCells::fill(const ShownOp& row, std::string (&cells)[kTableColumns]) const {
  const OpRow& op = report_.rows[row.row];
  const KindFacts& facts = ops_.facts[op.kind];
  cells[kIdColumn] = fmt::format_int(op.id).str();
  cells[kTotalColumn] = grouped_number(row.total_percent, 1, "%");
  cells[kBoundColumn] = name_of(row.bound);
  cells[kOpColumn] = op_label(row);
  cells[kDeviceColumn] = op.device < 0 ? std::string() : whole_text(op.device);
  cells[kDeviceTimeColumn] = grouped_number(row.device_us, 0, "μs");
  cells[kGapColumn] = grouped_number(row.gap_us, 0, "μs");
  cells[kCoresColumn] = whole_text(facts.cores);
  cells[kDramColumn] = grouped_number(row.dram_gb_s, 0, "GB/s");
  cells[kDramPercentColumn] = grouped_number(row.dram_percent, 1, "%");
  cells[kFlopsColumn] = grouped_number(row.tflops, 1, "TFLOPs");
  cells[kFlopsPercentColumn] = grouped_number(row.flops_percent, 1, "%");
  cells[kFidelityColumn] = row.is_signpost ? std::string() : name(facts.fidelity);
}

void TableCells::paint_bound(const ShownOp& row, CellInk (&inks)[kTableColumns]) const {
  const auto set = [&](CellInk ink, TableColumn first, TableColumn second) {
    inks[first] = inks[second] = ink;
  };
  switch (row.bound) {
    case ShownBound::kDram:
      inks[kBoundColumn] = CellInk::kGreen;
      return set(CellInk::kGreen, kDramColumn, kDramPercentColumn);
    case ShownBound::kFlop:
      inks[kBoundColumn] = CellInk::kGreen;
      return set(CellInk::kGreen, kFlopsColumn, kFlopsPercentColumn);
    case ShownBound::kSlow:
      inks[kBoundColumn] = CellInk::kYellow;
      if (row.dram_percent > row.flops_percent) return set(CellInk::kYellow, kDramColumn, kDramPercentColumn);
      return set(CellInk::kYellow, kFlopsColumn, kFlopsPercentColumn);
    case ShownBound::kHost:
      inks[kBoundColumn] = CellInk::kRed;
      return;
    case ShownBound::kBoth:
    case ShownBound::kNone:
      return;
  }
}

void TableCells::paint(const ShownOp& row, bool muted, CellInk (&inks)[kTableColumns]) const {
  std::fill(std::begin(inks), std::end(inks), muted ? CellInk::kGray : CellInk::kNone);
  if (muted) return;
  const KindFacts& facts = ops_.facts_of(report_, row);
  inks[kOpColumn] = op_ink(facts.label);
  // Red only where most of the budget is idle: ten of ten cores are all there are.
  if (facts.cores < 10 && facts.cores * 2 < ops_.peaks.worker_cores) inks[kCoresColumn] = CellInk::kRed;
  if (facts.cores == ops_.peaks.worker_cores || facts.is_dram_sharded) inks[kCoresColumn] = CellInk::kGreen;
  paint_bound(row, inks);
  // What is not counted is no problem.
  const bool is_counted = !ops_.compile_gaps_apart || !is_compile_gap(row);
  if (row.gap_us > kHighGapUs) inks[kGapColumn] = is_counted ? CellInk::kRed : CellInk::kGray;
  if (facts.fidelity_advice.verdict == FidelityVerdict::kSufficient) inks[kFidelityColumn] = CellInk::kGreen;
  if (facts.fidelity_advice.verdict == FidelityVerdict::kTooHigh) inks[kFidelityColumn] = CellInk::kRed;
  if (facts.fidelity_advice.verdict == FidelityVerdict::kTooLow) inks[kFidelityColumn] = CellInk::kCyan;
}

namespace {

constexpr std::size_t kColumnGap = 2;
constexpr std::size_t kNoRoom = 0;
/// Below this many columns numbers stand closer together.
constexpr std::size_t kNarrow = 100;

}  // namespace

std::size_t FittedTable::gap_after(std::size_t column) const {
  return width_ < kNarrow && !columns_[column].is_text ? 1 : kColumnGap;
}

std::size_t FittedTable::sum_of(const std::vector<std::size_t>& widths) const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) sum += widths[i] == kNoRoom ? 0 : widths[i] + gap_after(i);
  return sum;
}

/// By column; kNoRoom for one that has no room, or no cell in any line.
std::vector<std::size_t> FittedTable::find_widths() const {
  std::vector<std::size_t> widths(columns_.size(), kNoRoom);
  for (const std::vector<FittedLine>* lines : {&lines_, &feet_}) {
    for (const FittedLine& line : *lines) {
      for (std::size_t i = 0; i < columns_.size(); ++i)
        widths[i] = std::max(widths[i], ui::display_width(line.cells[i]));
    }
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (widths[i] != kNoRoom) widths[i] = std::max(widths[i], ui::display_width(columns_[i].header));
  }
  std::size_t& name = widths.back();
  const std::size_t wanted_name = std::max(name, columns_.back().header.size());
  name = 0;
  // Other columns leave before the names lose what tells them apart.
  const std::size_t min_name = std::min(wanted_name, width_ / 3);
  while (sum_of(widths) + min_name > width_) {
    const auto least =
        std::max_element(columns_.begin(), columns_.end(), [&](const FittedColumn& a, const FittedColumn& b) {
          const auto rank = [&](const FittedColumn& column) {
            const auto at = static_cast<std::size_t>(&column - columns_.data());
            return widths[at] == kNoRoom ? 0 : column.rank;
          };
          return rank(a) < rank(b);
        });
    const auto at = static_cast<std::size_t>(least - columns_.begin());
    if (least->rank == 0 || widths[at] == kNoRoom) break;
    widths[at] = kNoRoom;
  }
  const std::size_t used = sum_of(widths);
  name = std::min(wanted_name, std::max(width_, used + columns_.back().header.size()) - used);
  return widths;
}

std::string FittedTable::text_of(const FittedLine& line, const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (widths[i] == kNoRoom) continue;
    const bool is_last = i + 1 == columns_.size();
    std::string cell = is_last ? ui::fit(line.cells[i], widths[i]) : line.cells[i];
    const std::size_t blanks = widths[i] - std::min(widths[i], ui::display_width(cell));
    CellInk ink = is_last ? line.name_ink : columns_[i].header == "Bound" ? line.bound_ink : CellInk::kNone;
    if (line.is_muted) ink = CellInk::kGray;
    cell = inked(cell, ink, color_);
    if (!columns_[i].is_text && !is_last) text.append(blanks, ' ');
    text += cell;
    if (is_last) break;
    if (columns_[i].is_text) text.append(blanks, ' ');
    text.append(gap_after(i), ' ');
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

void FittedTable::write(Writer& out) const {
  const std::vector<std::size_t> widths = find_widths();
  FittedLine head;
  for (const FittedColumn& column : columns_) head.cells.emplace_back(column.header);
  std::size_t total = sum_of(widths);
  total = total > kColumnGap ? total - gap_after(columns_.size() - 1) : 0;
  out.write(text_of(head, widths));
  out.write(std::string(std::min(total, width_), '-') + "\n");
  for (const FittedLine& line : lines_) out.write(text_of(line, widths));
  if (feet_.empty()) return;
  out.write(std::string(std::min(total, width_), '-') + "\n");
  for (const FittedLine& line : feet_) out.write(text_of(line, widths));
}

namespace {

constexpr std::size_t kHanging = 4;
constexpr std::size_t kMinText = 16;

/// Bytes of a character, or of an escape sequence with what it colors nothing of.
struct Glyph {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

Glyph glyph_at(std::string_view line, std::size_t at) {
  if (line[at] == '\x1b') {
    const std::size_t end = line.find('m', at);
    return {end == std::string_view::npos ? 1 : end - at + 1, 0};
  }
  std::size_t end = at + 1;
  while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) ++end;
  return {end - at, 1};
}

/// How many bytes of the line stand on one of `width` columns: up to the last blank that fits, all where it
/// fits whole or has no blank.
std::size_t bytes_that_fit(std::string_view line, std::size_t width) {
  std::size_t columns = 0;
  std::size_t last_blank = 0;
  for (std::size_t at = 0; at < line.size();) {
    const Glyph glyph = glyph_at(line, at);
    if (line[at] == ' ') last_blank = at;
    columns += glyph.columns;
    if (columns > width) return last_blank > 0 ? last_blank : line.size();
    at += glyph.bytes;
  }
  return line.size();
}

void fold_line(std::string_view line, std::size_t width, std::string& to) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t hanging = std::min(indent + kHanging, width > kMinText ? width - kMinText : 0);
  std::size_t before = 0;
  while (!line.empty()) {
    const std::size_t start = before == 0 ? std::min(indent, line.size()) : 0;
    const std::size_t bytes =
        start + bytes_that_fit(line.substr(start), width - std::min(width, before == 0 ? indent : hanging));
    to.append(before, ' ').append(line.substr(0, bytes)).push_back('\n');
    line.remove_prefix(bytes);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    before = hanging;
  }
}

}  // namespace

std::string folded_text(std::string_view text, std::size_t width) {
  if (width == 0) return std::string(text);
  std::string folded;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (bytes_that_fit(line, width) == line.size()) {
      folded.append(line).push_back('\n');
    } else {
      fold_line(line, width, folded);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return folded;
}

namespace {

constexpr std::size_t kMinDeviceWidth = 7;
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
    ui::Painter painter(options.color, options.width);
    painter.paragraph(0, text, is_warning(note.kind) ? ui::Painter::Ink::kYellow : ui::Painter::Ink::kCyan);
    out.write(painter.take());
  }
}

PerfTableText::PerfTableText(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                             const OpBounds* bounds)
    : report_(table), ops_(ops), options_(options), bounds_(bounds) {
  choose_rows();
  measure_widths();
  if (options_.width > 0) fit_widths();
}

/// All of them in their order, unless the options ask for some.
void PerfTableText::choose_rows() {
  const auto count = static_cast<std::uint32_t>(ops_.rows.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (options_.op.empty() || is_named_like(ops_.facts_of(report_, ops_.rows[i]), options_.op))
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
      return ops_.facts_of(report_, ops_.rows[a]).label < ops_.facts_of(report_, ops_.rows[b]).label;
    return figure(a) > figure(b);
  });
}

/// Columns leave, the least telling first, until the rest has room; names are cut to what is left.
void PerfTableText::fit_widths() {
  constexpr TableColumn kLeaving[] = {kFlopsColumn,       kDramColumn,  kFidelityColumn, kFlopsPercentColumn,
                                      kDramPercentColumn, kCoresColumn, kDeviceColumn,   kGapColumn};
  constexpr std::size_t kMinNameWidth = 24;
  const auto others = [&] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < kTableColumns; ++i) {
      if (i != kOpColumn && widths_[i] > 0) sum += widths_[i] + kGapBetween.size();
    }
    return sum;
  };
  for (const auto& [column, sum] :
       {std::pair(kDeviceTimeColumn, ops_.device_us), std::pair(kGapColumn, ops_.gap_us)})
    widths_[column] = std::max(widths_[column], ui::display_width(grouped_number(sum, 0, "μs")));
  const std::size_t least = std::min(widths_[kOpColumn], kMinNameWidth);
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
  widths_[kDeviceColumn] = std::max(widths_[kDeviceColumn], kMinDeviceWidth);
  const TableCells maker(report_, ops_, options_.whole_names);
  Extremes total, device_time, gap, dram, dram_percent, flops, flops_percent, id;
  std::vector<bool> seen(ops_.facts.size());
  std::string cells[kTableColumns];
  for (const std::uint32_t index : shown_) {
    const ShownOp& row = ops_.rows[index];
    const OpRow& op = report_.rows[row.row];
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
      widths_[i] = std::max(widths_[i], ui::display_width(cells[i]));
  }
  const auto widen = [&](TableColumn column, const Extremes& values, int decimals, std::string_view unit) {
    for (const double value : {values.least, values.most}) {
      widths_[column] = std::max(widths_[column], ui::display_width(grouped_number(value, decimals, unit)));
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
  const TableCells maker(report_, ops_, options_.whole_names);
  std::string cells[kTableColumns];
  CellInk inks[kTableColumns];
  maker.fill(row, cells);
  if (bounds_ != nullptr) cells[kBoundColumn] = bound_text(row);
  if (row.is_signpost) {
    const std::size_t mark = cells[kOpColumn].rfind(" (signpost)");
    cells[kOpColumn] = "🪧 " + cells[kOpColumn].substr(0, mark);
  }
  if (options_.color) maker.paint(row, is_muted(row), inks);
  if (options_.width > 0) cells[kOpColumn] = ui::fit(readable_label(cells[kOpColumn]), widths_[kOpColumn]);
  for (std::size_t i = 0; i < kTableColumns; ++i) {
    if (widths_[i] == 0) continue;
    if (i > 0) to += kGapBetween;
    const std::size_t columns = ui::display_width(cells[i]);
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
  if (options_.width > 0) cells[kOpColumn] = ui::fit(cells[kOpColumn], widths_[kOpColumn]);
  std::string line;
  for (std::size_t i = 0; i < kTableColumns; ++i) {
    if (widths_[i] == 0) continue;
    if (i > 0) line += kGapBetween;
    line += i == kOpColumn ? ui::pad_right(cells[i], widths_[i]) : ui::pad_left(cells[i], widths_[i]);
  }
  if (options_.width > 0) line.erase(line.find_last_not_of(' ') + 1);
  out.write(inked(line, CellInk::kGray, options_.color));
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
    out.write(ui::pad_right(kTableHeaders[i], widths_[i]));
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
    ui::Painter painter(options_.color, options_.width > 0 ? options_.width : SIZE_MAX);
    painter.paragraph(0, text);
    out.write(painter.take());
  }
}

}  // namespace ttscope::perf
