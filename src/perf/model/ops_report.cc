#include "perf/model/ops_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "perf/model/device_timer.h"

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

namespace {

/// Waits that are 0 in every row were not recorded: a build without them writes the columns all the same.
void drop_unrecorded_waits(OpsReport& report) {
  const bool is_recorded = std::any_of(report.rows.begin(), report.rows.end(), [](const OpRow& row) {
    return row.cb_wait_us > 0 || row.cb_reserve_us > 0;
  });
  if (is_recorded) return;
  for (OpRow& row : report.rows) row.cb_wait_us = row.cb_reserve_us = std::numeric_limits<float>::quiet_NaN();
}

/// The timer of a device begins again from zero: times that fall by more than half a turn from one row of a
/// device to the next go on behind it.
void continue_timers(OpsReport& report) {
  constexpr auto kSpan = static_cast<double>(kTimerSpan);
  struct Timer {
    double last = kNoNumber;
    double offset = 0;
  };
  std::map<std::int32_t, Timer> timers;
  for (OpRow& row : report.rows) {
    if (!has_number(row.fw_start_cycle) || !has_number(row.fw_end_cycle)) continue;
    if (row.fw_start_cycle >= kSpan || row.fw_end_cycle >= kSpan) continue;  // no timer of this width
    Timer& timer = timers[row.device];
    if (row.fw_start_cycle < timer.last - kSpan / 2) timer.offset += kSpan;
    if (row.fw_start_cycle > timer.last + kSpan / 2) timer.offset -= kSpan;
    timer.last = row.fw_start_cycle;
    if (row.fw_end_cycle < row.fw_start_cycle - kSpan / 2) row.fw_end_cycle += kSpan;
    row.fw_start_cycle += std::max(timer.offset, 0.0);
    row.fw_end_cycle += std::max(timer.offset, 0.0);
  }
}

}  // namespace

void finish_ops_report(OpsReport& report) {
  drop_unrecorded_waits(report);
  continue_timers(report);
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
