#include "perf/write/terminal/perf_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/double_text.h"
#include "base/text_escape.h"
#include "base/text_search.h"
#include "report/text_layout.h"

namespace ttscope::perf {
namespace {

// The longest of real reports, a halo with all its settings, has 90.
constexpr std::size_t kMostNameColumns = 120;

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

std::string short_name(std::string_view name) { return report::fit(name, kMostNameColumns); }

/// Called for every row: names of a usual length are copied once.
std::string shown_name(std::string_view name) {
  std::string safe = name.size() <= kMostNameColumns ? terminal_safe(name) : terminal_safe(short_name(name));
  return safe.size() <= kMostNameColumns ? safe : short_name(safe);
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
  if (!row.is_signpost) return name(ops_.facts_of(table_, row).label);
  return name(table_.text(table_.kind_of(table_.rows[row.row]).op_code)) + " (signpost)";
}

void TableCells::fill(const ShownOp& row, std::string (&cells)[kTableColumns]) const {
  const OpRow& op = table_.rows[row.row];
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
  std::fill(std::begin(inks), std::end(inks), muted ? CellInk::kGrey : CellInk::kNone);
  if (muted) return;
  const KindFacts& facts = ops_.facts_of(table_, row);
  inks[kOpColumn] = op_ink(facts.label);
  // Red only where most of the budget is idle: ten of ten cores are all there are.
  if (facts.cores < 10 && facts.cores * 2 < ops_.peaks.worker_cores) inks[kCoresColumn] = CellInk::kRed;
  if (facts.cores == ops_.peaks.worker_cores || facts.is_dram_sharded) inks[kCoresColumn] = CellInk::kGreen;
  paint_bound(row, inks);
  // What is not counted is no problem.
  const bool is_counted = !ops_.compile_gaps_apart || !is_compile_gap(row);
  if (row.gap_us > kHighGapUs) inks[kGapColumn] = is_counted ? CellInk::kRed : CellInk::kGrey;
  if (facts.fidelity_advice.verdict == FidelityVerdict::kSufficient) inks[kFidelityColumn] = CellInk::kGreen;
  if (facts.fidelity_advice.verdict == FidelityVerdict::kTooHigh) inks[kFidelityColumn] = CellInk::kRed;
  if (facts.fidelity_advice.verdict == FidelityVerdict::kTooLow) inks[kFidelityColumn] = CellInk::kCyan;
}

}  // namespace ttscope::perf
