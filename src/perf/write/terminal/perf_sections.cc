#include "perf/write/terminal/perf_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/csv_scanner.h"
#include "base/text_escape.h"
#include "perf/tables/gaps_table.h"
#include "perf/write/terminal/perf_cells.h"
#include "perf/write/words/advice_text.h"
#include "perf/write/words/op_names.h"
#include "perf/write/words/perf_trust.h"
#include "report/number_text.h"
#include "report/text_layout.h"

namespace ttscope::perf {

namespace {

constexpr std::size_t kAdviceShown = 12;
constexpr std::size_t kSkewShown = 8;
constexpr double kLeastSkew = 0.01;  ///< of the median: less is not worth a line
constexpr std::size_t kRowsShown = 8;

}  // namespace

void write_heading(std::string_view title, std::string_view remark, bool color, Writer& out) {
  out.write("\n" + inked(title, CellInk::kWhite, color));
  if (!remark.empty()) out.write("  " + inked(remark, CellInk::kGrey, color));
  out.write("\n");
}

std::string share_text(double part, double whole) {
  return whole > 0 ? report::percent_text(part / whole) : std::string();
}
std::string us_text(double us) { return grouped_number(us, us < 10 ? 1 : 0, "μs"); }

void write_aligned(const std::vector<std::vector<std::string>>& lines, Writer& out) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], report::display_width(line[i]));
  }
  for (const std::vector<std::string>& line : lines) {
    std::string text = " ";
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool is_last = i + 1 == line.size();
      text += " ";
      text += is_last  ? line[i]
              : i == 0 ? report::pad_right(line[i], widths[i])
                       : report::pad_left(line[i], widths[i]);
      if (!is_last) text += ' ';
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out.write(text + "\n");
  }
}

void write_named(std::vector<std::vector<std::string>> lines, std::size_t width, Writer& out) {
  constexpr std::size_t kLeastName = 12;
  constexpr std::size_t kGaps = 2;
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      widths[i] = std::max(widths[i], report::display_width(line[i]));
  }
  std::size_t used = kGaps;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) used += widths[i] + kGaps;
  const std::size_t left = width > used + kLeastName ? width - used : kLeastName;
  for (std::vector<std::string>& line : lines)
    if (width > 0 && line.size() == widths.size()) line.back() = report::fit(line.back(), left);
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
    text += fmt::format(" and {} more", report::count_text(advice.row_count - listed));
  return text;
}

void write_bound_section(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                         Writer& out) {
  std::string remark = "what limits the ops";
  if (reading.bounds.measured > 0)
    remark += fmt::format(" ({} for {})", time_tag(table), report::counted(reading.bounds.measured, "op"));
  remark += fmt::format("; ideal: device time at the peak of it (modelled); shares: kernels, of {}",
                        counted_time_text(reading.ops));
  write_heading("Bounds", remark, options.color, out);
  std::vector<std::vector<std::string>> lines = {
      {"Bound", "Ops", "Device Time", "Share", "Ideal", "At Peak", ""}};
  for (std::size_t i = 0; i < kOpLimitCount; ++i) {
    const LimitTotal& total = reading.bounds.totals[i];
    if (total.rows == 0) continue;
    lines.push_back({std::string(key_of(static_cast<OpLimit>(i))), report::count_text(total.rows),
                     us_text(total.device_us), share_text(total.device_us, reading.ops.counted_us()),
                     total.ideal_us > 0 ? us_text(total.ideal_us) : std::string(),
                     total.ideal_us > 0 ? share_text(total.ideal_us, total.device_us) : std::string(), ""});
  }
  write_aligned(lines, out);
}

void write_gap_section(const OpReading& reading, const PerfTableOptions& options, Writer& out) {
  write_heading("Gaps", "why the device waited between ops (derived)", options.color, out);
  std::vector<std::vector<std::string>> lines;
  for (std::size_t i = 0; i < kGapCauseCount; ++i) {
    const GapTotal& total = reading.gaps.totals[i];
    if (total.rows == 0) continue;
    const auto cause = static_cast<GapCause>(i);
    lines.push_back(
        {std::string(key_of(cause)), report::count_text(total.rows), us_text(total.gap_us),
         cause == GapCause::kCompile ? std::string("-") : share_text(total.gap_us, reading.ops.counted_us()),
         std::string(sentence_of(cause))});
  }
  if (lines.empty()) lines.push_back({"no gaps"});
  write_aligned(lines, out);
}

void write_skew_section(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                        Writer& out) {
  const OpSkew& skew = reading.skew;
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
    lines.push_back({std::to_string(device.device), report::count_text(device.ops), us_text(device.device_us),
                     us_text(device.collective_us),
                     has_number(device.overlap_us) ? us_text(device.overlap_us) : std::string("-"),
                     us_text(device.behind_us), report::counted(device.slowest_ops, "op"), ""});
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
    if (group.lost_us() <= group.median_us * kLeastSkew) continue;
    const ShownOp& row = reading.ops.rows[group.row];
    lines.push_back({"row " + std::to_string(table.rows[row.row].id), us_text(group.fastest_us),
                     us_text(group.median_us), us_text(group.slowest_us),
                     fmt::format("device {}", group.slowest_device),
                     shown_name(readable_label(reading.ops.facts_of(table, row).label))});
  }
  if (lines.empty()) return;
  lines.insert(lines.begin(), {"Most apart", "Fastest", "Median", "Slowest", "on", "Op"});
  write_named(std::move(lines), options.width, out);
}

void write_advice_section(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                          Writer& out) {
  out.write("\n💡 Advice 💡\n============\n\n");
  if (reading.advice.empty()) out.write(fmt::format("{}\n", no_advice_text(table, reading)));
  const std::size_t shown = std::min(reading.advice.size(), kAdviceShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const OpAdvice& advice = reading.advice[i];
    const std::string title = advice_title(table, reading, advice);
    out.write(fmt::format(
        "{:>2}. {}\n", i + 1,
        inked(report::fit(terminal_safe(title), kMostTitleColumns), CellInk::kWhite, options.color)));
    out.write(fmt::format("    gain {} ({} of the time; {})\n", us_text(advice.gain_us),
                          share_text(advice.gain_us, reading.ops.counted_us()), key_of(advice.basis)));
    out.write(fmt::format("    rows {}\n", row_ids(table, reading.ops, advice, kRowsShown)));
    const std::string detail = advice_detail(table, reading, advice);
    out.write(fmt::format("    {}\n", inked(terminal_safe(detail), CellInk::kGrey, options.color)));
  }
  if (reading.advice.size() > shown) {
    out.write(fmt::format("    ... and {} more with smaller gains (--json has all)\n",
                          reading.advice.size() - shown));
  }
  if (shown > 0) {
    out.write(fmt::format(
        "    Gains are what the wall time loses when the run is replayed with that change, over those "
        "before it; shares are of {}.\n",
        counted_time_text(reading.ops)));
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

void write_bounds_csv(const OpsReport& table, const OpReading& reading, Writer& out) {
  out.write(
      "ID,Device,OP Code,Op Category,Device Time [us],Bound,Model,Ideal [us],At Peak [%],Op-to-Op Gap "
      "[us],Gap "
      "Cause,Slowest Device,Skew [us]\r\n");
  std::vector<const GroupSkew*> skews(reading.ops.rows.size());
  for (const GroupSkew& group : reading.skew.groups) skews[group.row] = &group;
  std::string line;
  for (std::size_t i = 0; i < reading.ops.rows.size(); ++i) {
    const ShownOp& row = reading.ops.rows[i];
    if (row.is_signpost) continue;
    const OpRow& op = table.rows[row.row];
    const OpBound& bound = reading.bounds.rows[i];
    const bool has_ideal = bound.ideal_us > 0;
    line = fmt::format("{},{},", op.id, op.device < 0 ? std::string() : std::to_string(op.device));
    append_safe_csv_cell(line, reading.ops.facts_of(table, row).label);
    line +=
        fmt::format(",{},{},{},{},{},{},{},{},{},{}\r\n", name_of(reading.ops.facts_of(table, row).category),
                    python_number(row.device_us), key_of(bound.limit), key_of(bound.model),
                    has_ideal ? fmt::format("{:.3f}", bound.ideal_us) : "",
                    has_ideal ? fmt::format("{:.1f}", bound.percent) : "", python_number(row.gap_us),
                    has_number(row.gap_us) ? key_of(reading.gaps.causes[i]) : "",
                    skews[i] == nullptr ? std::string() : std::to_string(skews[i]->slowest_device),
                    skews[i] == nullptr ? std::string() : fmt::format("{:.3f}", skews[i]->lost_us()));
    out.write(line);
  }
}

}  // namespace ttscope::perf
