#include "perf/model/ops_report.h"

#include <algorithm>
#include <cmath>

namespace ttscope::perf {

const ProblemInfo& info_of(ReportProblem problem) {
  static constexpr std::array<ProblemInfo, kReportProblemCount> kInfos = {{
      {"short_row", "rows with fewer cells than the header; the missing ones count as empty"},
      {"long_row", "rows with more cells than the header; the extra ones are left out"},
      {"cut_row", "the file ends inside a row (is it cut off?)"},
      {"bad_number", "cells that should be numbers; they count as empty"},
      {"unclosed_quote", "quotes that are never closed, read as ordinary characters"},
      {"no_duration", "device ops without a kernel duration; their time is missing in all sums"},
      {"negative_time", "durations below zero; they count as empty"},
      {"no_device", "device ops without a device id"},
      {"long_text", "rows with a text over 64 KiB; the rest of it is left out"},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

void finish_ops_report(OpsReport& report) {
  constexpr std::size_t kEnough = 4096;
  std::vector<double> cycles_per_ns;
  for (const OpRow& row : report.rows) {
    const double cycles = row.fw_end_cycle - row.fw_start_cycle;
    if (!(cycles > 0) || !(row.fw_duration_ns > 0)) continue;
    cycles_per_ns.push_back(cycles / row.fw_duration_ns);
    if (cycles_per_ns.size() == kEnough) break;
  }
  if (cycles_per_ns.empty()) return;
  const auto middle = cycles_per_ns.begin() + static_cast<std::ptrdiff_t>(cycles_per_ns.size() / 2);
  std::nth_element(cycles_per_ns.begin(), middle, cycles_per_ns.end());
  const double mhz = std::round(*middle * 1000);
  if (mhz >= 1 && mhz < 1e5) report.clock_mhz = mhz;
}

}  // namespace ttscope::perf
