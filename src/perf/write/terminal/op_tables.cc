#include "perf/write/terminal/op_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "perf/analyse/ops/shape_groups.h"
#include "perf/write/terminal/fitted_table.h"
#include "perf/write/terminal/folded_text.h"
#include "perf/write/terminal/perf_sections.h"
#include "perf/write/words/advice_text.h"
#include "perf/write/words/op_names.h"
#include "report/number_text.h"
#include "report/text_layout.h"

namespace ttscope::perf {
namespace {

constexpr double kFewUs = 10;
constexpr double kMostPercent = 100;

/// One decimal below ten, none from there on.
std::string short_us(double us) { return grouped_number(us, us < kFewUs ? 1 : 0); }
std::string short_percent(double percent) { return grouped_number(percent, percent < kFewUs ? 1 : 0); }

CellInk bound_ink(double peak_percent) {
  if (!has_number(peak_percent)) return CellInk::kNone;
  return peak_percent >= kBoundPercent ? CellInk::kGreen : CellInk::kYellow;
}

/// `DRAM interleaved` of `DEV_0_DRAM_INTERLEAVED`.
std::string place_text(const OpsReport& table, const OpTensor* tensor) {
  std::string text(tensor == nullptr ? std::string_view{} : table.text(tensor->memory));
  if (text.rfind("DEV_", 0) == 0) {
    const std::size_t end = text.find('_', 4);
    text.erase(0, end == std::string::npos ? 0 : end + 1);
  }
  std::replace(text.begin(), text.end(), '_', ' ');
  return terminal_safe(text);
}

/// Sums of several groups, for the lines below the table.
struct GroupTotals {
  std::uint64_t groups = 0;
  std::uint64_t rows = 0;
  double percent = 0;
  double device_us = 0;
  double gap_us = 0;

  void add(const ShapeGroup& group) {
    ++groups;
    rows += group.rows;
    percent += group.total_percent;
    device_us += group.device_us;
    gap_us += group.gap_us;
  }
};

class GroupTable {
 public:
  GroupTable(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options)
      : table_(table),
        reading_(reading),
        options_(options),
        fitted_({{"Total %"},
                 {"Time μs"},
                 {"Count"},
                 {"Mean μs"},
                 {"±%"},
                 {"Gap μs"},
                 {"Cores", 1},
                 {"Bound", 0, true},
                 {"First row", 5},
                 {"Input 0", 4, true},
                 {"Output", 6, true},
                 {"Types", 3, true},
                 {"Op", 0, true}},
                options.width, options.color) {}

  void add(const ShapeGroup& group);
  void add_sum(const GroupTotals& totals, std::string name, bool is_foot);
  void write(Writer& out) const { fitted_.write(out); }

 private:
  const OpsReport& table_;
  const OpReading& reading_;
  const PerfTableOptions& options_;
  FittedTable fitted_;
};

void GroupTable::add(const ShapeGroup& group) {
  const ReportKind& kind = table_.kinds[group.kind];
  const KindFacts& facts = reading_.ops.facts[group.kind];
  FittedLine line;
  line.cells = {
      grouped_number(group.total_percent, 1),
      group.measured > 0 ? short_us(group.device_us) : std::string(),
      report::count_text(group.rows),
      short_us(group.mean_us),
      short_percent(group.spread_percent),
      group.gap_us > 0 ? short_us(group.gap_us) : std::string(),
      has_number(group.cores) ? fmt::format("{:.0f}", group.cores) : std::string(),
      bound_cell(group.limit, group.peak_percent),
      std::to_string(table_.rows[reading_.ops.rows[group.first_row].row].id),
      place_text(table_, table_.input(kind, 0)),
      place_text(table_, table_.output(kind, 0)),
      terminal_safe(facts.fidelity),
      terminal_safe(label_with_shape(table_, reading_.ops, group.kind)),
  };
  line.name_ink = op_ink(facts.label);
  line.bound_ink = bound_ink(group.peak_percent);
  line.is_muted = group.total_percent < options_.min_percentage;
  fitted_.add(std::move(line));
}

void GroupTable::add_sum(const GroupTotals& totals, std::string name, bool is_foot) {
  FittedLine line;
  line.cells = {grouped_number(totals.percent, 1),
                short_us(totals.device_us),
                report::count_text(totals.rows),
                "",
                "",
                short_us(totals.gap_us),
                "",
                "",
                "",
                "",
                "",
                "",
                std::move(name)};
  line.is_muted = !is_foot;
  if (is_foot) {
    fitted_.add_foot(std::move(line));
  } else {
    fitted_.add(std::move(line));
  }
}

/// What a share of the table has in it.
std::string total_words(const ShownOps& ops) {
  return fmt::format("Total % is of {}: {} and the gap before each op. Time μs is that of kernels.\n",
                     counted_time_text(ops), ops.base == TimeBase::kSum ? "kernels" : "kernels, firmware");
}

}  // namespace

std::string bound_cell(OpLimit limit, double peak_percent) {
  if (limit == OpLimit::kUnknown) return "?";
  std::string text(key_of(limit));
  if (has_number(peak_percent) && peak_percent > 0 && peak_percent <= kMostPercent)
    text += fmt::format(" {:.0f}%", peak_percent);
  return text;
}

void write_group_table(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                       Writer& out) {
  ShapeGroups found = find_shape_groups(table, reading.ops, reading.bounds, options.op);
  sort_groups(found.groups, reading.ops, options.order);
  out.write(
      "\n" + inked("Ops", CellInk::kWhite, options.color) +
      inked(fmt::format("  those of one name and shape as one{}",
                        options.op.empty() ? std::string()
                                           : fmt::format("; names with '{}'", terminal_safe(options.op))),
            CellInk::kGrey, options.color) +
      "\n");
  if (found.groups.empty()) return;
  GroupTable lines(table, reading, options);
  GroupTotals all;
  GroupTotals rest;
  for (std::size_t i = 0; i < found.groups.size(); ++i) {
    all.add(found.groups[i]);
    // A single line "1 other" would take the room of what it leaves out.
    const bool has_figures = found.groups[i].measured > 0 || found.groups[i].gap_us > 0;
    if (has_figures && (i < options.top || found.groups.size() - 1 == options.top)) {
      lines.add(found.groups[i]);
    } else {
      rest.add(found.groups[i]);
    }
  }
  if (rest.groups > 0) {
    lines.add_sum(rest, fmt::format("{} (--top N, --all)", report::counted(rest.groups, "other")), false);
  }
  lines.add_sum(
      all, fmt::format("{} in {}", report::counted(all.rows, "op"), report::counted(all.groups, "group")),
      true);
  lines.write(out);
  out.write(folded_text(inked(total_words(reading.ops), CellInk::kGrey, options.color), options.width));
  const ShownOps& ops = reading.ops;
  if (ops.compile_gaps_apart && ops.compile_us > 0) {
    out.write(folded_text(fmt::format("Not in it: {} μs of gaps before first runs (compilation).\n",
                                      grouped_number(ops.compile_us, 0)),
                          options.width));
  }
}

void write_fitted_stack(const std::vector<StackEntry>& entries, const StackOptions& stack,
                        const PerfTableOptions& options, Writer& out) {
  if (entries.empty()) return;
  out.write("\n" + folded_text(inked("Stacked", CellInk::kWhite, options.color) +
                                   inked("  shares as above; FLOPs: mean of the peak by time (modelled)",
                                         CellInk::kGrey, options.color) +
                                   "\n",
                               options.width));
  FittedTable fitted({{"Share %"},
                      {"Time μs"},
                      {"Count"},
                      {"Device", stack.per_device ? 0 : 1},
                      {"Category", 1, true},
                      {"FLOPs %", 2},
                      {"Op", 0, true}},
                     options.width, options.color);
  for (const StackEntry& entry : entries) {
    FittedLine line;
    line.cells = {
        grouped_number(entry.percent, 1),
        short_us(entry.device_us),
        report::count_text(entry.ops),
        entry.device < 0 ? std::string() : std::to_string(entry.device),
        stack.by == StackBy::kSignpost || stack.by == StackBy::kModule || stack.by == StackBy::kCategory
            ? std::string()
            : std::string(name_of(entry.category)),
        grouped_number(entry.flops_weighted_mean, 1),
        terminal_safe(readable_label(entry.name))};
    line.name_ink = op_ink(entry.name);
    fitted.add(std::move(line));
  }
  fitted.write(out);
}

}  // namespace ttscope::perf
