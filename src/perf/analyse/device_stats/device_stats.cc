#include "perf/analyse/device_stats/device_stats.h"

namespace ttscope::perf {
namespace {

/// The statistics of each analysis.
class AnalysisCollectors {
 public:
  AnalysisCollectors() : collectors_(timer_analyses().size()) {}

  void add(const std::vector<std::vector<DurationSample>>& found) {
    for (std::size_t i = 0; i < found.size(); ++i) collectors_[i].add(stats_of(found[i]));
  }
  std::vector<StatsEntry> finish() {
    std::vector<StatsEntry> entries;
    for (std::size_t i = 0; i < collectors_.size(); ++i) {
      const CycleStats stats = collectors_[i].finish();
      if (stats.count > 0) entries.push_back({i, stats});
    }
    return entries;
  }

 private:
  std::vector<StatsCollector> collectors_;
};

}  // namespace

DeviceTimelines::DeviceTimelines(const DeviceMarkers& device, const MarkerRows& rows, const Rules& rules)
    : dispatch_(find_dispatch_records({device, rows, &rules, nullptr})),
      source_{device, rows, &rules, rules.renames_dispatch_zones_everywhere ? &dispatch_.names : nullptr},
      named_source_{device, rows, &rules, &dispatch_.names} {}

DeviceStats compute_device_stats(const DeviceTimelines& timelines) {
  AnalysisCollectors collectors;
  AnalysisMatcher matcher;
  const DeviceMarkers& device = timelines.device();
  for (std::size_t core = 0; core < device.cores.size(); ++core) {
    const std::vector<std::uint32_t> lanes = lanes_of_core(device, static_cast<std::uint32_t>(core));
    collectors.add(find_gaps(timelines.source(), lanes, AnalysisScope::kCore, matcher));
  }
  collectors.add(find_gaps(timelines.source(), all_lanes(device), AnalysisScope::kDevice, matcher));
  for_each_op_record(timelines.source(), all_lanes(device), false, [&](const OpRecord& record) {
    collectors.add(measure_record(timelines.source(), record, AnalysisScope::kOps, matcher));
  });
  for (const DispatchRecord& record : timelines.dispatch().records) {
    collectors.add(
        measure_record(timelines.dispatch_source(), record.record, AnalysisScope::kDispatchOps, matcher));
  }
  return {device.device, collectors.finish()};
}

}  // namespace ttscope::perf
