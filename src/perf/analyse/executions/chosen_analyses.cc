#include "perf/analyse/executions/chosen_analyses.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ttscope::perf {
namespace {

struct AnalysedFigure {
  std::string_view analysis;
  Figure figure;
};
// Latencies are made of the kernel durations of two ops.
constexpr std::array kFigures = {
    AnalysedFigure{"device_fw_duration", Figure::kFwNs},
    AnalysedFigure{"device_fw_duration", Figure::kFwStartCycle},
    AnalysedFigure{"device_fw_duration", Figure::kFwEndCycle},
    AnalysedFigure{"device_kernel_duration", Figure::kKernelNs},
    AnalysedFigure{"device_kernel_duration", Figure::kKernelStartCycle},
    AnalysedFigure{"device_kernel_duration", Figure::kKernelEndCycle},
    AnalysedFigure{"device_kernel_duration", Figure::kLatencyNs},
    AnalysedFigure{"device_kernel_duration_dm_start", Figure::kKernelDmNs},
    AnalysedFigure{"device_kernel_duration_dm_start", Figure::kDmStartCycle},
    AnalysedFigure{"device_kernel_duration_dm_start", Figure::kDmEndCycle},
    AnalysedFigure{"device_kernel_duration_dm_start", Figure::kLatencyDmNs},
    AnalysedFigure{"device_kernel_duration_per_core", Figure::kPerCoreMinNs},
    AnalysedFigure{"device_kernel_duration_per_core", Figure::kPerCoreMaxNs},
    AnalysedFigure{"device_kernel_duration_per_core", Figure::kPerCoreAvgNs},
    AnalysedFigure{"device_kernel_first_to_last_start", Figure::kFirstToLastStartNs},
    AnalysedFigure{"device_brisc_kernel_duration", Figure::kBriscNs},
    AnalysedFigure{"device_ncrisc_kernel_duration", Figure::kNcriscNs},
    AnalysedFigure{"device_trisc0_kernel_duration", Figure::kTrisc0Ns},
    AnalysedFigure{"device_trisc1_kernel_duration", Figure::kTrisc1Ns},
    AnalysedFigure{"device_trisc2_kernel_duration", Figure::kTrisc2Ns},
    AnalysedFigure{"device_erisc_kernel_duration", Figure::kEriscNs},
    AnalysedFigure{"device_compute_cb_wait_front", Figure::kCbWaitFrontNs},
    AnalysedFigure{"device_compute_cb_reserve_back", Figure::kCbReserveBackNs},
    AnalysedFigure{"dispatch_total_cq_cmd_op_time", Figure::kDispatchTotalNs},
    AnalysedFigure{"dispatch_go_send_wait_time", Figure::kDispatchGoNs},
    AnalysedFigure{"trace_fw_duration", Figure::kTraceFwNs},
    AnalysedFigure{"trace_kernel_duration", Figure::kTraceKernelNs},
};

}  // namespace

const std::vector<std::string>& report_analyses() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const AnalysedFigure& each : kFigures) {
      if (names.empty() || names.back() != each.analysis) names.emplace_back(each.analysis);
    }
    return names;
  }();
  return kNames;
}

void keep_analyses(const std::vector<std::string>& names, ReportRows& report) {
  const auto is_kept = [&](std::string_view analysis) {
    return std::find(names.begin(), names.end(), analysis) != names.end();
  };
  for (const AnalysedFigure& each : kFigures) {
    if (is_kept(each.analysis)) continue;
    for (Execution& execution : report.executions) execution.figures[each.figure] = kNoFigure;
  }
  for (ReportRow& row : report.rows) {
    if (!is_kept("device_kernel_duration")) row.latency_ns = kNoFigure;
    if (!is_kept("device_kernel_duration_dm_start")) row.latency_dm_ns = kNoFigure;
  }
}

}  // namespace ttscope::perf
