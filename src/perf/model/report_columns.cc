#include "perf/model/report_columns.h"

namespace ttscope::perf {

std::span<const RowFigure> row_figures() {
  static constexpr auto kUs = [](double ns) { return static_cast<float>(ns / 1000); };
  static constexpr std::array<RowFigure, 15> kFigures = {{
      {Figure::kFwStartCycle, [](OpRow& row, double value) { row.fw_start_cycle = value; }},
      {Figure::kFwEndCycle, [](OpRow& row, double value) { row.fw_end_cycle = value; }},
      {Figure::kFwNs, [](OpRow& row, double value) { row.fw_duration_ns = value; }},
      {Figure::kFirstToLastStartNs, [](OpRow& row, double value) { row.first_to_last_start_ns = value; }},
      {Figure::kPerCoreMinNs, [](OpRow& row, double value) { row.per_core_ns[0] = value; }},
      {Figure::kPerCoreMaxNs, [](OpRow& row, double value) { row.per_core_ns[1] = value; }},
      {Figure::kPerCoreAvgNs, [](OpRow& row, double value) { row.per_core_ns[2] = value; }},
      {Figure::kBriscNs, [](OpRow& row, double value) { row.risc_us[0] = kUs(value); }},
      {Figure::kNcriscNs, [](OpRow& row, double value) { row.risc_us[1] = kUs(value); }},
      {Figure::kTrisc0Ns, [](OpRow& row, double value) { row.risc_us[2] = kUs(value); }},
      {Figure::kTrisc1Ns, [](OpRow& row, double value) { row.risc_us[3] = kUs(value); }},
      {Figure::kTrisc2Ns, [](OpRow& row, double value) { row.risc_us[4] = kUs(value); }},
      {Figure::kEriscNs, [](OpRow& row, double value) { row.risc_us[5] = kUs(value); }},
      {Figure::kCbWaitFrontNs, [](OpRow& row, double value) { row.cb_wait_us = kUs(value); }},
      {Figure::kCbReserveBackNs, [](OpRow& row, double value) { row.cb_reserve_us = kUs(value); }},
  }};
  return kFigures;
}

}  // namespace ttscope::perf
