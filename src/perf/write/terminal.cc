#include "perf/write/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "base/writer.h"
#include "perf/analyze/op_groups.h"
#include "perf/model/capture_files.h"
#include "perf/tables/tables.h"
#include "perf/write/advice_text.h"
#include "perf/write/capture_sections.h"
#include "perf/write/notes_text.h"
#include "perf/write/terminal_tables.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kAdviceShown = 12;
constexpr std::size_t kSkewShown = 8;
constexpr double kMinSkew = 0.01;  ///< of the median: less is not worth a line
constexpr std::size_t kRowsShown = 8;

}  // namespace

void write_heading(std::string_view title, std::string_view remark, bool color, Writer& out) {
  out.write("\n" + inked(title, CellInk::kWhite, color));
  if (!remark.empty()) out.write("  " + inked(remark, CellInk::kGray, color));
  out.write("\n");
}

std::string share_text(double part, double whole) {
  return whole > 0 ? ui::percent_text(part / whole) : std::string();
}

std::string us_text(double us) { return grouped_number(us, us < 10 ? 1 : 0, "μs"); }

void write_aligned(const std::vector<std::vector<std::string>>& lines, Writer& out) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], ui::display_width(line[i]));
  }
  for (const std::vector<std::string>& line : lines) {
    std::string text = " ";
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool is_last = i + 1 == line.size();
      text += " ";
      text += is_last  ? line[i]
              : i == 0 ? ui::pad_right(line[i], widths[i])
                       : ui::pad_left(line[i], widths[i]);
      if (!is_last) text += ' ';
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out.write(text + "\n");
  }
}

void write_named(std::vector<std::vector<std::string>> lines, std::size_t width, Writer& out) {
  constexpr std::size_t kMinName = 12;
  constexpr std::size_t kGaps = 2;
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      widths[i] = std::max(widths[i], ui::display_width(line[i]));
  }
  std::size_t used = kGaps;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) used += widths[i] + kGaps;
  const std::size_t left = width > used + kMinName ? width - used : kMinName;
  for (std::vector<std::string>& line : lines)
    if (width > 0 && line.size() == widths.size()) line.back() = ui::fit(line.back(), left);
  write_aligned(lines, out);
}

std::string row_ids(const OpsReport& table, const ShownOps& ops, const OpAdvice& advice, std::size_t shown) {
  std::string text;
  const std::size_t listed = std::min(advice.rows.size(), shown);
  for (std::size_t i = 0; i < listed; ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(table.rows[ops.rows[advice.rows[i]].row].id);
  }
  if (advice.row_count > listed)
    text += fmt::format(" and {} more", ui::count_text(advice.row_count - listed));
  return text;
}

void write_bound_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                         Writer& out) {
  std::string remark = "what limits the ops";
  if (analysis.bounds.measured > 0)
    remark += fmt::format(" ({} for {})", time_tag(table), ui::counted(analysis.bounds.measured, "op"));
  remark += fmt::format("; ideal: device time at the peak of it (modelled); shares: kernels, of {}",
                        counted_time_text(analysis.ops));
  write_heading("Bounds", remark, options.color, out);
  std::vector<std::vector<std::string>> lines = {
      {"Bound", "Ops", "Device Time", "Share", "Ideal", "At Peak", ""}};
  for (std::size_t i = 0; i < kOpLimitCount; ++i) {
    const LimitTotal& total = analysis.bounds.totals[i];
    if (total.rows == 0) continue;
    lines.push_back({std::string(key_of(static_cast<OpLimit>(i))), ui::count_text(total.rows),
                     us_text(total.device_us), share_text(total.device_us, analysis.ops.counted_us()),
                     total.ideal_us > 0 ? us_text(total.ideal_us) : std::string(),
                     total.ideal_us > 0 ? share_text(total.ideal_us, total.device_us) : std::string(), ""});
  }
  write_aligned(lines, out);
}

void write_gap_section(const OpAnalysis& analysis, const PerfTableOptions& options, Writer& out) {
  write_heading("Gaps", "why the device waited between ops (derived)", options.color, out);
  std::vector<std::vector<std::string>> lines;
  for (std::size_t i = 0; i < kGapCauseCount; ++i) {
    const GapTotal& total = analysis.gaps.totals[i];
    if (total.rows == 0) continue;
    const auto cause = static_cast<GapCause>(i);
    lines.push_back(
        {std::string(key_of(cause)), ui::count_text(total.rows), us_text(total.gap_us),
         cause == GapCause::kCompile ? std::string("-") : share_text(total.gap_us, analysis.ops.counted_us()),
         std::string(sentence_of(cause))});
  }
  if (lines.empty()) lines.push_back({"no gaps"});
  write_aligned(lines, out);
}

void write_skew_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                        Writer& out) {
  const OpSkew& skew = analysis.skew;
  if (skew.devices.size() < 2) return;
  write_heading(
      "Devices",
      fmt::format(
          "the same op on each device ({}): collectives, what other ops overlap of them (derived), time over "
          "the median of all devices, and in how many ops it is the slowest",
          time_tag(table)),
      options.color, out);
  std::vector<std::vector<std::string>> lines = {
      {"Device", "Ops", "Device Time", "Collectives", "Overlapped", "Behind", "Slowest In", ""}};
  for (const DeviceSkew& device : skew.devices) {
    lines.push_back({std::to_string(device.device), ui::count_text(device.ops), us_text(device.device_us),
                     us_text(device.collective_us),
                     has_number(device.overlap_us) ? us_text(device.overlap_us) : std::string("-"),
                     us_text(device.behind_us), ui::counted(device.slowest_ops, "op"), ""});
  }
  write_aligned(lines, out);
  out.write(fmt::format(
      "  Slowest device over median: {} in all; devices waited {} in collectives on average{} (derived)\n",
      us_text(skew.compute_lost_us), us_text(skew.collective_wait_us),
      has_number(skew.collective_late_us)
          ? fmt::format(", the last one came {} late", us_text(skew.collective_late_us))
          : std::string()));
  lines = {};
  for (std::size_t i = 0; i < std::min(skew.groups.size(), kSkewShown); ++i) {
    const GroupSkew& group = skew.groups[i];
    if (group.lost_us() <= group.median_us * kMinSkew) continue;
    const ShownOp& row = analysis.ops.rows[group.row];
    lines.push_back({"row " + std::to_string(table.rows[row.row].id), us_text(group.fastest_us),
                     us_text(group.median_us), us_text(group.slowest_us),
                     fmt::format("device {}", group.slowest_device),
                     shown_name(readable_label(analysis.ops.facts_of(table, row).label))});
  }
  if (lines.empty()) return;
  lines.insert(lines.begin(), {"Most apart", "Fastest", "Median", "Slowest", "on", "Op"});
  write_named(std::move(lines), options.width, out);
}

void write_advice_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                          Writer& out) {
  out.write("\n💡 Advice 💡\n============\n\n");
  if (analysis.advice.empty()) out.write(fmt::format("{}\n", no_advice_text(table, analysis)));
  const std::size_t shown = std::min(analysis.advice.size(), kAdviceShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const OpAdvice& advice = analysis.advice[i];
    const std::string title = advice_title(table, analysis, advice);
    out.write(
        fmt::format("{:>2}. {}\n", i + 1,
                    inked(ui::fit(terminal_safe(title), kMaxTitleColumns), CellInk::kWhite, options.color)));
    out.write(fmt::format("    gain {} ({} of the time; {})\n", us_text(advice.gain_us),
                          share_text(advice.gain_us, analysis.ops.counted_us()), key_of(advice.basis)));
    out.write(fmt::format("    rows {}\n", row_ids(table, analysis.ops, advice, kRowsShown)));
    const std::string detail = advice_detail(table, analysis, advice);
    out.write(fmt::format("    {}\n", inked(terminal_safe(detail), CellInk::kGray, options.color)));
  }
  if (analysis.advice.size() > shown) {
    out.write(fmt::format("    ... and {} more with smaller gains (--json has all)\n",
                          analysis.advice.size() - shown));
  }
  if (shown > 0) {
    out.write(fmt::format(
        "    Gains are what the wall time loses when the run is replayed with that change, over those "
        "before it; shares are of {}.\n",
        counted_time_text(analysis.ops)));
  }
}

void write_trust_section(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                         Writer& out) {
  bool any = false;
  for (std::size_t i = 0; i < kReportProblemCount; ++i) {
    const auto problem = static_cast<ReportProblem>(i);
    if (table.problems.count(problem) == 0) continue;
    if (!any) write_heading("Trust", "what was wrong with the report", options.color, out);
    any = true;
    std::string ids;
    for (const std::uint32_t id : table.problems.places(problem))
      ids += fmt::format("{}{}", ids.empty() ? "" : ", ", id);
    out.write(fmt::format("  {} (first: row {})\n", report_problem_text(table, ops, problem), ids));
  }
  const std::string capture = perf_problem_lines(table.capture_problems);
  if (capture.empty()) return;
  if (!any) write_heading("Trust", "what was wrong with the files", options.color, out);
  out.write(capture);
}

void write_bounds_csv(const OpsReport& table, const OpAnalysis& analysis, Writer& out) {
  out.write(
      "ID,Device,OP Code,Op Category,Device Time [us],Bound,Model,Ideal [us],At Peak [%],Op-to-Op Gap "
      "[us],Gap "
      "Cause,Slowest Device,Skew [us]\r\n");
  std::vector<const GroupSkew*> skews(analysis.ops.rows.size());
  for (const GroupSkew& group : analysis.skew.groups) skews[group.row] = &group;
  std::string line;
  for (std::size_t i = 0; i < analysis.ops.rows.size(); ++i) {
    const ShownOp& row = analysis.ops.rows[i];
    if (row.is_signpost) continue;
    const OpRow& op = table.rows[row.row];
    const OpBound& bound = analysis.bounds.rows[i];
    const bool has_ideal = bound.ideal_us > 0;
    line = fmt::format("{},{},", op.id, op.device < 0 ? std::string() : std::to_string(op.device));
    append_safe_csv_cell(line, analysis.ops.facts_of(table, row).label);
    line +=
        fmt::format(",{},{},{},{},{},{},{},{},{},{}\r\n", name_of(analysis.ops.facts_of(table, row).category),
                    python_number(row.device_us), key_of(bound.limit), key_of(bound.model),
                    has_ideal ? fmt::format("{:.3f}", bound.ideal_us) : "",
                    has_ideal ? fmt::format("{:.1f}", bound.percent) : "", python_number(row.gap_us),
                    has_number(row.gap_us) ? key_of(analysis.gaps.causes[i]) : "",
                    skews[i] == nullptr ? std::string() : std::to_string(skews[i]->slowest_device),
                    skews[i] == nullptr ? std::string() : fmt::format("{:.3f}", skews[i]->lost_us()));
    out.write(line);
  }
}

void write_time_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                        Writer& out) {
  const std::size_t lanes = analysis.ops.clock.lanes.size();
  write_heading("Time",
                table.has_modeled_times() ? "modelled: cycles of simulated chips"
                : lanes == 0              ? "measured: durations of kernels and gaps as recorded"
                : lanes == 1 || analysis.ops.clock.basis == ClockBasis::kSync
                    ? "measured: cycles of the firmware"
                : analysis.ops.clock.basis == ClockBasis::kNone
                    ? "measured: cycles of the firmware; the devices are not aligned"
                    : "measured: cycles of the firmware; the clocks of the devices are aligned (derived)",
                options.color, out);
  for (const std::string& line : time_lines(table, analysis)) out.write("  " + terminal_safe(line) + "\n");
}

void write_path_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                        Writer& out) {
  const CriticalPath& path = analysis.ops.path;
  if (path.parts.empty()) return;
  constexpr std::size_t kShown = 8;
  const double counted_us = path.counted_us();
  const std::string remark =
      fmt::format("{} {} the wall time{}{}", ui::counted(path.parts.size(), "part"),
                  path.parts.size() == 1 ? "makes" : "make",
                  path.device < 0 ? std::string() : fmt::format(" of device {}", path.device),
                  path.compile_us() > 0 ? "; shares are without compiling" : "");
  write_heading("Critical path", remark, options.color, out);
  std::vector<std::vector<std::string>> lines = {{"Kind", "Device", "Parts", "Time", "Share", "Op"}};
  const auto share = [&](const PathSum& sum) {
    return sum.is_compile ? std::string("-") : share_text(sum.us, counted_us);
  };
  PathSum rest;
  const std::vector<PathSum> sums = path_sums(table, analysis.ops);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const PathSum& sum = sums[i];
    if (i >= kShown && !sum.is_compile) {
      rest.us += sum.us;
      rest.parts += sum.parts;
      continue;
    }
    lines.push_back({std::string(key_of(sum.part)), sum.device < 0 ? "-" : std::to_string(sum.device),
                     ui::count_text(sum.parts), us_text(sum.us), share(sum),
                     sum.is_compile ? "(compiling)"
                     : sum.part == PathPartKind::kGap
                         ? ""
                         : shown_name(readable_label(analysis.ops.facts[sum.kind].label))});
  }
  if (rest.us > 0)
    lines.push_back({"rest", "", ui::count_text(rest.parts), us_text(rest.us), share(rest), ""});
  write_named(std::move(lines), options.width, out);
}

void write_conversion_section(const OpsReport& table, const OpAnalysis& analysis,
                              const PerfTableOptions& options, Writer& out) {
  const std::vector<Conversion>& conversions = analysis.movement.conversions;
  if (conversions.empty()) return;
  constexpr std::size_t kShown = 5;
  write_heading("Conversions",
                fmt::format("ops that only move or convert data, the costliest first ({}); shares: kernels",
                            time_tag(table)),
                options.color, out);
  std::vector<std::vector<std::string>> lines = {{"Class", "Ops", "Time", "Share", "GB/s", "Op"}};
  for (std::size_t i = 0; i < std::min(conversions.size(), kShown); ++i) {
    const Conversion& one = conversions[i];
    lines.push_back({std::string(key_of(one.movement)), ui::count_text(one.ops), us_text(one.device_us),
                     share_text(one.device_us, analysis.ops.counted_us()),
                     one.bytes > 0 ? fmt::format("{:.1f}", one.gb_s()) : std::string("-"),
                     shown_name(readable_label(
                         distinct_name(table, analysis.ops.facts[one.kind], table.kinds[one.kind])))});
  }
  write_named(std::move(lines), options.width, out);
}

namespace {

constexpr double kMaxPreciseUs = 10;
constexpr double kMaxPercent = 100;

/// One decimal below ten, none from there on.
std::string short_us(double us) { return grouped_number(us, us < kMaxPreciseUs ? 1 : 0); }

std::string short_percent(double percent) { return grouped_number(percent, percent < kMaxPreciseUs ? 1 : 0); }

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
  GroupTable(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options)
      : table_(table),
        analysis_(analysis),
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
  const OpAnalysis& analysis_;
  const PerfTableOptions& options_;
  FittedTable fitted_;
};

void GroupTable::add(const ShapeGroup& group) {
  const OpKind& kind = table_.kinds[group.kind];
  const KindFacts& facts = analysis_.ops.facts[group.kind];
  FittedLine line;
  line.cells = {
      grouped_number(group.total_percent, 1),
      group.measured > 0 ? short_us(group.device_us) : std::string(),
      ui::count_text(group.rows),
      short_us(group.mean_us),
      short_percent(group.spread_percent),
      group.gap_us > 0 ? short_us(group.gap_us) : std::string(),
      has_number(group.cores) ? fmt::format("{:.0f}", group.cores) : std::string(),
      bound_cell(group.limit, group.peak_percent),
      std::to_string(table_.rows[analysis_.ops.rows[group.first_row].row].id),
      place_text(table_, table_.input(kind, 0)),
      place_text(table_, table_.output(kind, 0)),
      terminal_safe(facts.fidelity),
      terminal_safe(label_with_shape(table_, analysis_.ops, group.kind)),
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
                ui::count_text(totals.rows),
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
std::string total_label(const ShownOps& ops) {
  return fmt::format("Total % is of {}: {} and the gap before each op. Time μs is that of kernels.\n",
                     counted_time_text(ops), ops.base == TimeBase::kSum ? "kernels" : "kernels, firmware");
}

}  // namespace

std::string bound_cell(OpLimit limit, double peak_percent) {
  if (limit == OpLimit::kUnknown) return "?";
  std::string text(key_of(limit));
  if (has_number(peak_percent) && peak_percent > 0 && peak_percent <= kMaxPercent)
    text += fmt::format(" {:.0f}%", peak_percent);
  return text;
}

void write_group_table(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                       Writer& out) {
  ShapeGroups found = find_shape_groups(table, analysis.ops, analysis.bounds, options.op);
  sort_groups(found.groups, analysis.ops, options.order);
  out.write(
      "\n" + inked("Ops", CellInk::kWhite, options.color) +
      inked(fmt::format("  those of one name and shape as one{}",
                        options.op.empty() ? std::string()
                                           : fmt::format("; names with '{}'", terminal_safe(options.op))),
            CellInk::kGray, options.color) +
      "\n");
  if (found.groups.empty()) return;
  GroupTable lines(table, analysis, options);
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
    lines.add_sum(rest, fmt::format("{} (--top N, --all)", ui::counted(rest.groups, "other")), false);
  }
  lines.add_sum(all, fmt::format("{} in {}", ui::counted(all.rows, "op"), ui::counted(all.groups, "group")),
                true);
  lines.write(out);
  out.write(folded_text(inked(total_label(analysis.ops), CellInk::kGray, options.color), options.width));
  const ShownOps& ops = analysis.ops;
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
                                         CellInk::kGray, options.color) +
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
        ui::count_text(entry.ops),
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

namespace {

constexpr std::size_t kTypesShown = 3;

/// `READ 1,024 B, WRITE_ 512 B`: the types with the most bytes.
std::string types_text(const NocSummary& trace) {
  std::vector<std::pair<std::string_view, std::uint64_t>> types;
  types.reserve(trace.by_type.size());
  for (const auto& [name, count] : trace.by_type) types.emplace_back(name, count.bytes);
  std::stable_sort(types.begin(), types.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(types.size(), kTypesShown); ++i) {
    text += fmt::format("{}{} {} B", i > 0 ? ", " : "", types[i].first, ui::count_text(types[i].second));
  }
  return types.size() > kTypesShown ? text + ", ..." : text;
}

/// Transfers and bytes of each op, most bytes first, and by their types; nothing for none. `tag`: how they
/// came about.
void write_noc_table(const std::vector<const NocSummary*>& traces, std::string_view tag,
                     const PerfTableOptions& options, Writer& out) {
  if (traces.empty()) return;
  out.write("\n" + inked("NoC", CellInk::kWhite, options.color) +
            inked(fmt::format("  transfers over the network on chip, as recorded ({})", tag), CellInk::kGray,
                  options.color) +
            "\n");
  constexpr std::size_t kDefaultTop = 20;
  const std::size_t shown =
      std::min(traces.size(), options.top == PerfTableOptions::kAllRows ? kDefaultTop : options.top);
  FittedTable fitted({{"Bytes"},
                      {"Transfers"},
                      {"Cores", 1},
                      {"Device", 2},
                      {"Id", 3},
                      {"By type", 4, true},
                      {"Op", 0, true}},
                     options.width, options.color);
  NocCount rest;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const NocSummary& trace = *traces[i];
    if (i >= shown) {
      rest.transfers += trace.all.transfers;
      rest.bytes += trace.all.bytes;
      continue;
    }
    const std::string name = trace.op_name.empty() ? "(unnamed)" : readable_label(trace.op_name);
    fitted.add({{ui::count_text(trace.all.bytes), ui::count_text(trace.all.transfers),
                 ui::count_text(trace.by_core.size()), std::to_string(trace.key.device),
                 std::to_string(trace.key.op_id), terminal_safe(types_text(trace)), terminal_safe(name)}});
  }
  if (traces.size() > shown) {
    fitted.add_foot({{ui::count_text(rest.bytes), ui::count_text(rest.transfers), "", "", "", "",
                      ui::counted(traces.size() - shown, "other op")}});
  }
  fitted.write(out);
}

class PerfReportText {
 public:
  PerfReportText(const Profile& profile, const PerfReportOptions& options, Writer& out)
      : profile_(profile),
        report_(profile.report),
        analysis_(profile.analysis),
        options_(options),
        form_(options.table),
        out_(out) {}

  void write(const WrittenFiles& written);

 private:
  void write_sections();
  void write_rows();
  void write_findings(Writer& out) const;
  void write_folded(const std::function<void(Writer&)>& write);
  void write_file_list(const WrittenFiles& written);

  const Profile& profile_;
  const OpsReport& report_;
  const OpAnalysis& analysis_;
  const PerfReportOptions& options_;
  const PerfTableOptions& form_;
  Writer& out_;
};

void PerfReportText::write(const WrittenFiles& written) {
  if (options_.shows_sections) write_sections();
  for (const CaptureZones* zones : profile_.zones()) write_zone_table(*zones, form_, out_);
  write_file_list(written);
}

void PerfReportText::write_sections() {
  write_notes(analysis_.ops.notes, form_, out_);
  const bool has_rows = !analysis_.ops.rows.empty();
  if (has_rows) write_folded([&](Writer& text) { write_time_section(report_, analysis_, form_, text); });
  if (!profile_.zones_only) write_rows();
  write_noc_table(noc_traces_of(profile_), time_tag(report_), form_, out_);
  if (!has_rows) return;
  write_folded([&](Writer& text) { write_findings(text); });
  if (options_.summary) write_fitted_stack(profile_.stack, options_.stack, form_, out_);
  write_folded([&](Writer& text) { write_trust_section(report_, analysis_.ops, form_, text); });
}

/// What the table means.
void PerfReportText::write_findings(Writer& out) const {
  write_path_section(report_, analysis_, form_, out);
  write_bound_section(report_, analysis_, form_, out);
  write_conversion_section(report_, analysis_, form_, out);
  write_gap_section(analysis_, form_, out);
  write_skew_section(report_, analysis_, form_, out);
  if (form_.advice) write_advice_section(report_, analysis_, form_, out);
}

/// What is written, in lines that the terminal has room for.
void PerfReportText::write_folded(const std::function<void(Writer&)>& write) {
  StringWriter text;
  write(text);
  static_cast<void>(text.finish());
  out_.write(folded_text(text.text(), form_.width));
}

void PerfReportText::write_rows() {
  if (options_.all_rows || analysis_.ops.rows.empty()) {
    PerfTableText(report_, analysis_.ops, form_, &analysis_.bounds).write_table(out_);
  } else {
    write_group_table(report_, analysis_, form_, out_);
  }
}

void PerfReportText::write_file_list(const WrittenFiles& written) {
  if (written.paths.empty()) return;
  out_.write(options_.shows_sections || !profile_.zones().empty() ? "\nWritten\n" : "Written\n");
  for (const std::string& path : written.paths) out_.write(fmt::format("  {}\n", terminal_safe(path)));
}

}  // namespace

void write_perf_report(const Profile& profile, const PerfReportOptions& options, const WrittenFiles& written,
                       Writer& out) {
  PerfReportText(profile, options, out).write(written);
}

}  // namespace ttscope::perf
