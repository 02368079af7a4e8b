#include "perf/read/ops_report/trace_replays.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ttscope::perf {
namespace {

/// What ops of different names and shapes never have in common.
bool are_replays(const OpsReport& report) {
  constexpr std::size_t kLeastRows = 8;
  constexpr std::size_t kLeastNames = 4;
  constexpr double kAlike = 0.05;
  constexpr double kLeastUs = 100;
  std::vector<double> times;
  std::set<std::uint32_t> names;
  std::set<double> cores;
  for (const OpRow& row : report.rows) {
    if (row.type != OpRowType::kDevice) continue;
    const bool has_risc =
        std::any_of(row.risc_us.begin(), row.risc_us.end(), [](float us) { return us > 0; });
    const ReportKind& kind = report.kind_of(row);
    if (has_risc || !(row.kernel_duration_ns > 0) || !(kind.core_count > 0)) return false;
    times.push_back(row.kernel_duration_ns);
    names.insert(kind.op_code);
    cores.insert(kind.core_count);
  }
  if (times.size() < kLeastRows || names.size() < kLeastNames || cores.size() > 1) return false;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  const double usual = *middle;
  return usual > kLeastUs * 1000 && std::all_of(times.begin(), times.end(), [&](double ns) {
           return std::abs(ns - usual) < usual * kAlike;
         });
}

}  // namespace

void name_misbooked_replays(OpsReport& report) {
  if (report.format == ReportFormat::kTable || !are_replays(report)) return;
  double replays = 0;
  std::map<std::int32_t, std::uint32_t> replays_of;
  ReportKind replay;
  for (OpRow& row : report.rows) {
    if (row.type != OpRowType::kDevice) continue;
    const ReportKind& booked = report.kind_of(row);
    if (replays++ == 0) {
      replay.op_code = report.texts.intern(kTraceReplayOp);
      replay.op_type = report.texts.intern(kTraceReplayType);
      replay.arch = booked.arch;
      replay.core_count = booked.core_count;
      replay.available_cores = booked.available_cores;
      replay.first_input = static_cast<std::uint32_t>(report.tensors.size());
      report.kinds.push_back(replay);
    }
    row.kind = static_cast<std::uint32_t>(report.kinds.size() - 1);
    row.replay_session = static_cast<float>(++replays_of[row.device]);
    row.host_duration_ns = kNoNumber;
    row.cache_hit = -1;
  }
  report.remarks.push_back({NoteKind::kReplaysOnOps, {}, {replays}});
}

}  // namespace ttscope::perf
