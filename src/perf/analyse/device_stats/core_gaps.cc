#include "perf/analyse/device_stats/core_gaps.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ttscope::perf {
namespace {

/// A gap is left out when the core's next op has no data movement kernel.
std::vector<CoreGap> gaps_of(const std::vector<std::pair<const CoreRun*, std::uint64_t>>& runs) {
  std::vector<CoreGap> gaps;
  const CoreRun* last = nullptr;
  std::uint64_t last_op = 0;
  for (const auto& entry : runs) {
    const CoreRun* const run = entry.first;
    const std::uint64_t op = entry.second;
    const auto start_of = [&](RiscSlot slot) { return run->kernel[static_cast<std::size_t>(slot)].start; };
    const std::uint64_t start = std::min(start_of(RiscSlot::kBrisc), start_of(RiscSlot::kNcrisc));
    if (last != nullptr && start != kNoCycle && start >= last->kernels().end) {
      const std::uint64_t end = last->kernels().end;
      gaps.push_back({run->x, run->y, end, start - end, last_op, op});
    }
    if (run->kernels().end != kNoCycle) {
      last = run;
      last_op = op;
    }
  }
  return gaps;
}

}  // namespace

std::vector<std::vector<CoreGap>> find_core_gaps(const DeviceProfile& log, std::uint32_t device) {
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::vector<std::pair<const CoreRun*, std::uint64_t>>>
      cores;
  auto execution =
      std::partition_point(log.executions.begin(), log.executions.end(),
                           [device](const Execution& other) { return other.key.device < device; });
  for (; execution != log.executions.end() && execution->key.device == device; ++execution) {
    for (std::uint32_t i = 0; i < execution->run_count; ++i) {
      const CoreRun& run = log.runs[execution->first_run + i];
      cores[{run.x, run.y}].emplace_back(&run, execution->key.op_id);
    }
  }
  std::vector<std::vector<CoreGap>> gaps;
  for (auto& [place, runs] : cores) {
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
      return a.first->kernels().end < b.first->kernels().end;
    });
    gaps.push_back(gaps_of(runs));
  }
  return gaps;
}

std::vector<GapRow> tabulate_gaps(const DeviceProfile& log) {
  std::vector<GapRow> rows;
  for (const std::uint32_t device : log.devices) {
    const std::vector<std::vector<CoreGap>> cores = find_core_gaps(log, device);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::map<std::size_t, std::size_t>> counts;
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::size_t>, std::size_t> places;
    const std::size_t first_row = rows.size();
    // The nth time that a core goes from one op to another belongs with the nth time of the other cores.
    for (std::size_t core = 0; core < cores.size(); ++core) {
      for (const CoreGap& gap : cores[core]) {
        const std::size_t n = counts[{gap.from_op, gap.to_op}][core]++;
        const auto [place, is_new] = places.try_emplace({gap.from_op, gap.to_op, n}, rows.size());
        if (is_new) rows.push_back({device, gap.from_op, gap.to_op, {}});
        rows[place->second].cores.push_back(gap);
      }
    }
    std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(first_row), rows.end(),
                     [](const GapRow& a, const GapRow& b) {
                       const auto first = [](const GapRow& row) {
                         std::uint64_t least = kNoCycle;
                         for (const CoreGap& gap : row.cores) least = std::min(least, gap.start_cycle);
                         return least;
                       };
                       return first(a) < first(b);
                     });
  }
  return rows;
}

}  // namespace ttscope::perf
