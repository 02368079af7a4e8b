#include "perf/write/terminal/perf_headline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "perf/analyse/advice/distinct_name.h"
#include "perf/analyse/path/path_sums.h"
#include "perf/write/terminal/perf_cells.h"
#include "perf/write/terminal/perf_sections.h"
#include "perf/write/words/advice_text.h"
#include "perf/write/words/op_names.h"
#include "perf/write/words/perf_trust.h"
#include "report/number_text.h"

namespace ttscope::perf {
void write_time_section(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                        Writer& out) {
  const std::size_t lanes = reading.ops.clock.lanes.size();
  write_heading("Time",
                table.has_modelled_times() ? "modelled: cycles of simulated chips"
                : lanes == 0               ? "measured: durations of kernels and gaps as recorded"
                : lanes == 1 || reading.ops.clock.basis == ClockBasis::kSync
                    ? "measured: cycles of the firmware"
                : reading.ops.clock.basis == ClockBasis::kNone
                    ? "measured: cycles of the firmware; the devices are not aligned"
                    : "measured: cycles of the firmware; the clocks of the devices are aligned (derived)",
                options.color, out);
  for (const std::string& line : time_lines(table, reading)) out.write("  " + terminal_safe(line) + "\n");
}

void write_path_section(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                        Writer& out) {
  const CriticalPath& path = reading.ops.path;
  if (path.parts.empty()) return;
  constexpr std::size_t kShown = 8;
  const double counted_us = path.counted_us();
  const std::string remark =
      fmt::format("{} {} the wall time{}{}", report::counted(path.parts.size(), "part"),
                  path.parts.size() == 1 ? "makes" : "make",
                  path.device < 0 ? std::string() : fmt::format(" of device {}", path.device),
                  path.compile_us() > 0 ? "; shares are without compiling" : "");
  write_heading("Critical path", remark, options.color, out);
  std::vector<std::vector<std::string>> lines = {{"Kind", "Device", "Parts", "Time", "Share", "Op"}};
  const auto share = [&](const PathSum& sum) {
    return sum.is_compile ? std::string("-") : share_text(sum.us, counted_us);
  };
  PathSum rest;
  const std::vector<PathSum> sums = path_sums(table, reading.ops);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const PathSum& sum = sums[i];
    if (i >= kShown && !sum.is_compile) {
      rest.us += sum.us;
      rest.parts += sum.parts;
      continue;
    }
    lines.push_back({std::string(key_of(sum.part)), sum.device < 0 ? "-" : std::to_string(sum.device),
                     report::count_text(sum.parts), us_text(sum.us), share(sum),
                     sum.is_compile ? "(compiling)"
                     : sum.part == PathPartKind::kGap
                         ? ""
                         : shown_name(readable_label(reading.ops.facts[sum.kind].label))});
  }
  if (rest.us > 0)
    lines.push_back({"rest", "", report::count_text(rest.parts), us_text(rest.us), share(rest), ""});
  write_named(std::move(lines), options.width, out);
}

void write_conversion_section(const OpsReport& table, const OpReading& reading,
                              const PerfTableOptions& options, Writer& out) {
  const std::vector<Conversion>& conversions = reading.movement.conversions;
  if (conversions.empty()) return;
  constexpr std::size_t kShown = 5;
  write_heading("Conversions",
                fmt::format("ops that only move or convert data, the costliest first ({}); shares: kernels",
                            time_tag(table)),
                options.color, out);
  std::vector<std::vector<std::string>> lines = {{"Class", "Ops", "Time", "Share", "GB/s", "Op"}};
  for (std::size_t i = 0; i < std::min(conversions.size(), kShown); ++i) {
    const Conversion& one = conversions[i];
    lines.push_back({std::string(key_of(one.movement)), report::count_text(one.ops), us_text(one.device_us),
                     share_text(one.device_us, reading.ops.counted_us()),
                     one.bytes > 0 ? fmt::format("{:.1f}", one.gb_s()) : std::string("-"),
                     shown_name(readable_label(
                         distinct_name(table, reading.ops.facts[one.kind], table.kinds[one.kind])))});
  }
  write_named(std::move(lines), options.width, out);
}

}  // namespace ttscope::perf
