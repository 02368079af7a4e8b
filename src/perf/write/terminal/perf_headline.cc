#include "perf/write/terminal/perf_headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text_escape.h"
#include "perf/analyse/advice/candidates.h"
#include "perf/write/terminal/perf_cells.h"
#include "perf/write/terminal/perf_sections.h"
#include "perf/write/words/advice_text.h"
#include "report/number_text.h"

namespace ttscope::perf {
namespace {

/// What the path has of one op on one device.
struct PathSum {
  double us = 0;
  std::uint64_t parts = 0;
  std::uint32_t kind = 0;
  std::int32_t device = -1;
  PathPartKind part = PathPartKind::kOp;
};

std::vector<PathSum> path_sums(const OpsReport& table, const OpReading& reading) {
  std::map<std::tuple<PathPartKind, std::string, std::int32_t>, PathSum> sums;
  for (const PathPart& part : reading.ops.path.parts) {
    const std::uint32_t kind = table.rows[part.row].kind;
    // Gaps are one sum on each device: which ops they stand before is in the sections of gaps and advice.
    const std::string name = part.kind == PathPartKind::kGap ? std::string() : reading.ops.facts[kind].label;
    PathSum& sum = sums[{part.kind, name, part.device}];
    sum.us += part.us;
    ++sum.parts;
    sum.kind = kind;
    sum.device = part.device;
    sum.part = part.kind;
  }
  std::vector<PathSum> list;
  for (const auto& [key, sum] : sums) list.push_back(sum);
  std::stable_sort(list.begin(), list.end(), [](const PathSum& a, const PathSum& b) { return a.us > b.us; });
  return list;
}

}  // namespace

void write_time_section(const OpsReport& table, const OpReading& reading, bool color, Writer& out) {
  write_heading("Time", "measured: cycles of the firmware; clocks of several devices are aligned (derived)",
                color, out);
  for (const std::string& line : time_lines(table, reading)) out.write("  " + terminal_safe(line) + "\n");
}

void write_path_section(const OpsReport& table, const OpReading& reading, bool color, Writer& out) {
  if (reading.ops.path.parts.empty()) return;
  constexpr std::size_t kShown = 8;
  const std::string remark =
      fmt::format("{} that decide the wall time", report::counted(reading.ops.path.parts.size(), "part"));
  write_heading("Critical path", remark, color, out);
  std::vector<std::vector<std::string>> lines = {{"Kind", "Device", "Parts", "Time", "Share", "Op"}};
  const std::vector<PathSum> sums = path_sums(table, reading);
  double rest_us = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const PathSum& sum = sums[i];
    if (i >= kShown) {
      rest_us += sum.us;
      continue;
    }
    lines.push_back({std::string(key_of(sum.part)), sum.device < 0 ? "-" : std::to_string(sum.device),
                     report::count_text(sum.parts), us_text(sum.us),
                     share_text(sum.us, reading.ops.path.wall_us),
                     sum.part == PathPartKind::kGap ? "" : shown_name(reading.ops.facts[sum.kind].label)});
  }
  if (rest_us > 0) {
    lines.push_back({"rest", "", report::count_text(sums.size() - kShown), us_text(rest_us),
                     share_text(rest_us, reading.ops.path.wall_us), ""});
  }
  write_aligned(lines, out);
}

void write_conversion_section(const OpsReport& table, const OpReading& reading, bool color, Writer& out) {
  const std::vector<Conversion>& conversions = reading.movement.conversions;
  if (conversions.empty()) return;
  constexpr std::size_t kShown = 5;
  write_heading("Conversions", "ops that only move or convert data, the costliest first (measured)", color,
                out);
  std::vector<std::vector<std::string>> lines = {{"Class", "Ops", "Time", "Share", "GB/s", "Op"}};
  for (std::size_t i = 0; i < std::min(conversions.size(), kShown); ++i) {
    const Conversion& one = conversions[i];
    lines.push_back({std::string(key_of(one.movement)), report::count_text(one.ops), us_text(one.device_us),
                     share_text(one.device_us, reading.ops.counted_us()),
                     one.bytes > 0 ? fmt::format("{:.1f}", one.gb_s()) : std::string("-"),
                     shown_name(distinct_name(table, reading.ops.facts[one.kind], table.kinds[one.kind]))});
  }
  write_aligned(lines, out);
}

}  // namespace ttscope::perf
