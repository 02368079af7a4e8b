#include "perf/write/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "perf/tables/tables.h"
#include "perf/write/advice_text.h"
#include "perf/write/notes_text.h"
#include "perf/write/terminal.h"
#include "perf/write/terminal_tables.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kAdviceRows = 15;
constexpr std::size_t kOpRows = 25;
constexpr std::size_t kStackRows = 25;
constexpr std::size_t kSkewRows = 15;
constexpr std::size_t kIdsShown = 10;

std::string us(double value) { return grouped_number(value, value < 10 ? 2 : 0); }

std::string share(double part, double whole) { return whole > 0 ? ui::percent_text(part / whole) : "-"; }

std::string headline(const OpsReport& table, const OpAnalysis& analysis, const std::string& name) {
  const ShownOps& ops = analysis.ops;
  std::string text = fmt::format("# Device time of {}\n\n{}\n\n", markdown_code(name), ui::kDataNotice);
  for (const std::string& line : time_lines(table, analysis)) text += "- " + markdown_cell(line) + ".\n";
  text += fmt::format(
      "\n{}, {} on {}: {} μs of device time, {} μs of gaps ({} μs of them before the "
      "first "
      "run of a program: compile time).\n",
      ui::counted(ops.device_ops, "device op"), ui::counted(ops.host_ops, "host op"),
      ui::counted(std::max(1u, ops.device_count), "device"), us(ops.device_us), us(ops.gap_us),
      us(ops.compile_us));
  const DevicePeaks& peaks = ops.peaks;
  text += fmt::format("Architecture: {}{}; clock: {}; worker cores: {}.\n",
                      peaks.arch.empty() ? "unknown" : markdown_code(peaks.arch),
                      peaks.arch_is_recorded || peaks.arch.empty() ? "" : " (not recorded)",
                      peaks.clock_mhz > 0 ? fmt::format("{:.0f} MHz", peaks.clock_mhz) : "unknown",
                      peaks.worker_cores > 0 ? fmt::format("{:.0f}", peaks.worker_cores) : "unknown");
  text += "\n## Trust\n\n";
  for (const OpNote& note : ops.notes)
    text += "- " + markdown_cell(with_marked_names(note_text(note), names_in(note))) + "\n";
  for (std::size_t i = 0; i < kReportProblemCount; ++i) {
    const auto problem = static_cast<ReportProblem>(i);
    if (table.problems.count(problem) == 0) continue;
    text += fmt::format("- {}\n", markdown_cell(report_problem_text(table, ops, problem)));
  }
  for (std::size_t i = 0; i < kPerfProblemCount; ++i) {
    const auto problem = static_cast<PerfProblem>(i);
    if (table.capture_problems.count(problem) == 0) continue;
    text += fmt::format("- of the profiler's files: {} {}",
                        ui::count_text(table.capture_problems.count(problem)), info_of(problem).sentence);
    for (const std::string& place : table.capture_problems.places(problem)) {
      text += fmt::format("{} {}", &place == table.capture_problems.places(problem).data() ? " (first:" : ",",
                          markdown_cell(place));
    }
    text += table.capture_problems.places(problem).empty() ? "\n" : ")\n";
  }
  text +=
      fmt::format("- Times are {}; gap causes are derived; bounds and gains against a peak are modelled.\n",
                  time_tag(table));
  return text;
}

/// The names of the ops as advice has them.
std::vector<std::string> op_names(const OpAnalysis& analysis) {
  std::vector<std::string> names;
  for (const KindFacts& facts : analysis.ops.facts) {
    const std::string label = readable_label(facts.label);
    names.push_back(label);
    names.push_back(label.substr(0, label.find(' ')));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string advice_section(const OpsReport& table, const OpAnalysis& analysis) {
  const std::vector<std::string> names = op_names(analysis);
  std::string text = fmt::format(
      "\n## Advice, largest gain first\n\nA gain is what the wall time loses when the run is replayed with "
      "that change, "
      "over those before it: gains can be added. Shares are of {}.\n\n"
      "| # | gain μs | share | severity | basis | what | rows |\n|---|---:|---:|---|---|---|---|\n",
      counted_time_text(analysis.ops));
  for (std::size_t i = 0; i < std::min(analysis.advice.size(), kAdviceRows); ++i) {
    const OpAdvice& advice = analysis.advice[i];
    text += fmt::format("| {} | {} | {} | {} | {} | **{}** {} | {} |\n", i + 1, us(advice.gain_us),
                        share(advice.gain_us, analysis.ops.counted_us()), name_of(advice.severity),
                        key_of(advice.basis),
                        markdown_cell(with_marked_names(
                            ui::fit(advice_title(table, analysis, advice), kMaxTitleColumns), names)),
                        markdown_cell(with_marked_names(advice_detail(table, analysis, advice), names)),
                        row_ids(table, analysis.ops, advice, kIdsShown));
  }
  return analysis.advice.empty()
             ? fmt::format("\n## Advice\n\n{}\n", markdown_cell(no_advice_text(table, analysis)))
             : text;
}

std::string bound_section(const OpAnalysis& analysis) {
  std::string text = fmt::format(
      "\n## What limits the ops (modelled)\n\nShares are kernels alone, of {}.\n\n| bound | ops | "
      "device μs | share | at peak |\n|---|---:|---:|---:|---:|\n",
      counted_time_text(analysis.ops));
  for (std::size_t i = 0; i < kOpLimitCount; ++i) {
    const LimitTotal& total = analysis.bounds.totals[i];
    if (total.rows == 0) continue;
    text += fmt::format("| {} | {} | {} | {} | {} |\n", key_of(static_cast<OpLimit>(i)),
                        ui::count_text(total.rows), us(total.device_us),
                        share(total.device_us, analysis.ops.counted_us()),
                        total.ideal_us > 0 ? share(total.ideal_us, total.device_us) : "-");
  }
  text += "\n## Why the device waited (derived)\n\n| cause | gaps | μs | share |\n|---|---:|---:|---:|\n";
  for (std::size_t i = 0; i < kGapCauseCount; ++i) {
    const GapTotal& total = analysis.gaps.totals[i];
    if (total.rows == 0) continue;
    text += fmt::format("| {} | {} | {} | {} |\n", sentence_of(static_cast<GapCause>(i)),
                        ui::count_text(total.rows), us(total.gap_us),
                        static_cast<GapCause>(i) == GapCause::kCompile
                            ? "-"
                            : share(total.gap_us, analysis.ops.counted_us()));
  }
  return text;
}

std::string stack_section(const OpsReport& table, const OpAnalysis& analysis) {
  std::string text = fmt::format(
      "\n## By op and place of its first input ({})\n\nTotal % has kernels, firmware and the gap before "
      "each op, of {}.\n\n| op | category | ops | device μs | Total % | FLOPs % (weighted) "
      "|\n|---|---|---:|---:|---:|---:|\n",
      time_tag(table), counted_time_text(analysis.ops));
  const std::vector<StackEntry> entries = stack_ops(table, analysis.ops, {StackBy::kMemory, false, false});
  for (std::size_t i = 0; i < std::min(entries.size(), kStackRows); ++i) {
    const StackEntry& entry = entries[i];
    text += fmt::format("| {} | {} | {} | {} | {:.2f}% | {} |\n",
                        markdown_code(short_name(readable_label(entry.name))), name_of(entry.category),
                        ui::count_text(entry.ops), us(entry.device_us), entry.percent,
                        grouped_number(entry.flops_weighted_mean, 1));
  }
  if (entries.size() > kStackRows)
    text += fmt::format("\n{} with less time.\n",
                        ui::counted(entries.size() - kStackRows, "more entry", "more entries"));
  return text;
}

std::string op_section(const OpsReport& table, const OpAnalysis& analysis) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < analysis.ops.rows.size(); ++i) {
    if (has_number(analysis.ops.rows[i].device_us)) order.push_back(static_cast<std::uint32_t>(i));
  }
  const std::size_t shown = std::min(order.size(), kOpRows);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      const double first = analysis.ops.rows[a].device_us;
                      const double second = analysis.ops.rows[b].device_us;
                      return first != second ? first > second : a < b;
                    });
  std::string text =
      "\n## The longest ops\n\n| row | op | device | device μs | gap μs | cause | cores | bound | at peak | "
      "model |\n|---:|---|---:|---:|---:|---|---:|---|---:|---|\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const ShownOp& row = analysis.ops.rows[order[i]];
    const OpRow& op = table.rows[row.row];
    const OpBound& bound = analysis.bounds.rows[order[i]];
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", op.id,
        markdown_code(short_name(analysis.ops.facts_of(table, row).label)), op.device, us(row.device_us),
        has_number(row.gap_us) ? us(row.gap_us) : "", key_of(analysis.gaps.causes[order[i]]),
        grouped_number(analysis.ops.facts_of(table, row).cores, 0), key_of(bound.limit),
        bound.ideal_us > 0 ? fmt::format("{:.1f}%", bound.percent) : "-", key_of(bound.model));
  }
  return text;
}

std::string skew_section(const OpsReport& table, const OpAnalysis& analysis) {
  const OpSkew& skew = analysis.skew;
  if (skew.devices.size() < 2) return {};
  std::string text = fmt::format(
      "\n## Devices against each other ({})\n\nSlowest device over median: {} μs in all; devices "
      "waited {} μs in "
      "collectives on average{} (derived).\n\n| device | ops | device μs | "
      "collectives μs | other ops ran beside them μs (derived) | behind median μs "
      "|\n|---:|---:|---:|---:|---:|---:|\n",
      time_tag(table), us(skew.compute_lost_us), us(skew.collective_wait_us),
      has_number(skew.collective_late_us)
          ? fmt::format(", the last one came {} μs late", us(skew.collective_late_us))
          : std::string());
  for (const DeviceSkew& device : skew.devices) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", device.device, ui::count_text(device.ops),
                        us(device.device_us), us(device.collective_us),
                        has_number(device.overlap_us) ? us(device.overlap_us) : "-", us(device.behind_us));
  }
  text +=
      "\n| row | op | fastest μs | median μs | slowest μs | slowest device "
      "|\n|---:|---|---:|---:|---:|---:|\n";
  for (std::size_t i = 0; i < std::min(skew.groups.size(), kSkewRows); ++i) {
    const GroupSkew& group = skew.groups[i];
    const ShownOp& row = analysis.ops.rows[group.row];
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", table.rows[row.row].id,
                    markdown_code(short_name(analysis.ops.facts_of(table, row).label)), us(group.fastest_us),
                    us(group.median_us), us(group.slowest_us), group.slowest_device);
  }
  return text;
}

}  // namespace

void write_perf_markdown(const OpsReport& table, const OpAnalysis& analysis, const std::string& name,
                         Writer& out) {
  out.write(headline(table, analysis, name));
  out.write(advice_section(table, analysis));
  out.write(bound_section(analysis));
  out.write(stack_section(table, analysis));
  out.write(op_section(table, analysis));
  out.write(skew_section(table, analysis));
}

}  // namespace ttscope::perf
