#include "analysis/device_stats/device_stats.h"

#include <algorithm>
#include <map>
#include <set>

namespace ttscope::analysis {
namespace {

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Collects samples that come in groups.
class Collector {
 public:
  void add_group(const std::vector<double>& group) {
    if (group.empty()) return;
    medians_.push_back(median_of(group));
    for (const double sample : group) {
      stats_.min = stats_.count == 0 ? sample : std::min(stats_.min, sample);
      stats_.max = stats_.count == 0 ? sample : std::max(stats_.max, sample);
      stats_.sum += sample;
      ++stats_.count;
    }
  }
  CycleStats finish() {
    if (stats_.count == 0) return stats_;
    stats_.average = stats_.sum / static_cast<double>(stats_.count);
    stats_.median = median_of(medians_);
    return stats_;
  }

 private:
  CycleStats stats_;
  std::vector<double> medians_;
};

void widen(CycleSpan& span, const CycleSpan& other) {
  if (other.start != kNoCycle && (span.start == kNoCycle || other.start < span.start))
    span.start = other.start;
  if (other.end != kNoCycle && (span.end == kNoCycle || other.end > span.end)) span.end = other.end;
}

/// The span over the cores of an execution that `pick` takes of each.
template <typename Pick>
std::vector<std::int64_t> span_over_cores(const DeviceProfile& log, const Execution& execution, Pick pick) {
  CycleSpan span;
  for (std::uint32_t i = 0; i < execution.run_count; ++i)
    widen(span, pick(log.runs[execution.first_run + i]));
  if (!span.is_whole()) return {};
  return {span.cycles()};
}

std::vector<std::int64_t> per_core(const DeviceProfile& log, const Execution& execution) {
  std::vector<std::int64_t> cycles;
  for (std::uint32_t i = 0; i < execution.run_count; ++i) {
    const CycleSpan span = log.runs[execution.first_run + i].kernels();
    if (span.is_whole()) cycles.push_back(span.cycles());
  }
  return cycles;
}

bool is_trace(const CoreRun& run) {
  return run.kernel[static_cast<std::size_t>(RiscSlot::kAggregate)].start != kNoCycle;
}

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

/// In the order in which the statistics list them.
constexpr std::string_view kGapEntry = "op2op";

}  // namespace

const std::vector<std::string>& execution_entries() {
  static const std::vector<std::string> names = {"device_kernel_first_to_last_start",
                                                 "device_kernel_duration_per_core",
                                                 "device_fw_duration",
                                                 "device_kernel_duration",
                                                 "device_kernel_duration_dm_start",
                                                 "device_brisc_kernel_duration",
                                                 "device_ncrisc_kernel_duration",
                                                 "device_trisc0_kernel_duration",
                                                 "device_trisc1_kernel_duration",
                                                 "device_trisc2_kernel_duration",
                                                 "device_erisc_kernel_duration",
                                                 "trace_fw_duration",
                                                 "trace_kernel_duration"};
  return names;
}

std::vector<std::int64_t> cycles_of(const DeviceProfile& log, const Execution& execution, std::size_t entry) {
  constexpr std::size_t kFirstRisc = 5;
  constexpr std::size_t kTraceFw = 11;
  switch (entry) {
    case 0:
      return span_over_cores(log, execution, [](const CoreRun& run) {
        return CycleSpan{run.kernels().start, run.last_kernel_start};
      });
    case 1:
      return per_core(log, execution);
    case 2:
      return span_over_cores(log, execution,
                             [](const CoreRun& run) { return is_trace(run) ? CycleSpan{} : run.fw; });
    case 3:
      return span_over_cores(log, execution, [](const CoreRun& run) { return run.kernels(); });
    case 4:
      return span_over_cores(log, execution, [](const CoreRun& run) { return run.dm_kernels(); });
    case kTraceFw:
      return span_over_cores(log, execution,
                             [](const CoreRun& run) { return is_trace(run) ? run.fw : CycleSpan{}; });
    default: {
      const std::size_t slot =
          entry == kTraceFw + 1 ? static_cast<std::size_t>(RiscSlot::kAggregate) : entry - kFirstRisc;
      return span_over_cores(log, execution, [slot](const CoreRun& run) { return run.kernel[slot]; });
    }
  }
}

std::vector<std::vector<CoreGap>> find_core_gaps(const DeviceProfile& log, std::uint32_t device) {
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::vector<std::pair<const CoreRun*, std::uint64_t>>>
      cores;
  for (const Execution& execution : log.executions) {
    if (execution.key.device != device) continue;
    for (std::uint32_t i = 0; i < execution.run_count; ++i) {
      const CoreRun& run = log.runs[execution.first_run + i];
      cores[{run.x, run.y}].emplace_back(&run, execution.key.op_id);
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

std::vector<DeviceStats> compute_device_stats(const DeviceProfile& log,
                                              const std::vector<Execution>& measured) {
  std::vector<DeviceStats> all;
  for (const std::uint32_t device : log.devices) {
    DeviceStats& stats = all.emplace_back();
    stats.device = device;
    Collector gaps;
    for (const std::vector<CoreGap>& core : find_core_gaps(log, device)) {
      std::vector<double> cycles;
      for (const CoreGap& gap : core) cycles.push_back(static_cast<double>(gap.cycles));
      gaps.add_group(cycles);
    }
    stats.entries.push_back({std::string(kGapEntry), gaps.finish()});
    for (std::size_t entry = 0; entry < execution_entries().size(); ++entry) {
      Collector collector;
      for (const Execution& execution : measured) {
        if (execution.key.device != device) continue;
        const std::vector<std::int64_t> cycles = cycles_of(log, execution, entry);
        collector.add_group(std::vector<double>(cycles.begin(), cycles.end()));
      }
      stats.entries.push_back({execution_entries()[entry], collector.finish()});
    }
    stats.entries.erase(std::remove_if(stats.entries.begin(), stats.entries.end(),
                                       [](const StatsEntry& entry) { return entry.stats.count == 0; }),
                        stats.entries.end());
  }
  return all;
}

}  // namespace ttscope::analysis
