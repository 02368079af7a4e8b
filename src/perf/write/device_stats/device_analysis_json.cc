#include "perf/write/device_stats/device_analysis_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/json_writer.h"
#include "perf/write/device_stats/marker_text.h"

namespace ttscope::perf {
namespace {

using Found = std::vector<std::vector<DurationSample>>;

/// The name of the time line of all processors together.
constexpr std::string_view kMerged = "TENSIX";
constexpr std::string_view kWholeDevice = "DEVICE";

void write_stats(JsonWriter& json, const CycleStats& stats, bool with_first) {
  json.key("stats");
  json.begin_object();
  json.field("Average", stats.average());
  json.field("Count", stats.count);
  if (with_first) json.field("First", stats.first);
  json.field("Max", stats.max);
  json.field("Median", stats.median);
  json.field("Min", stats.min);
  json.field("Range", stats.range());
  json.field("Sum", stats.sum);
  json.end_object();
}

void write_info(JsonWriter& json, const DeviceProfile& log) {
  json.key("deviceInfo");
  json.begin_object();
  json.field("arch", std::string_view(log.arch));
  json.key("freq");
  constexpr double kMostMhz = 1e9;
  if (log.clock_mhz == std::floor(log.clock_mhz) && log.clock_mhz < kMostMhz) {
    json.value(static_cast<std::int64_t>(log.clock_mhz));
  } else {
    json.value(log.clock_mhz);
  }
  json.key("max_compute_cores");
  if (log.max_compute_cores == kNoFigure) {
    json.value(nullptr);
  } else {
    json.value(log.max_compute_cores);
  }
  json.end_object();
}

/// Writes one device.
class DeviceWriter {
 public:
  DeviceWriter(JsonWriter& json, const DeviceTimelines& timelines, const Rules& rules)
      : json_(json),
        timelines_(timelines),
        device_(timelines.device()),
        source_(timelines.source()),
        texts_(timelines.source()),
        repeats_markers_(!rules.writes_markers_once) {}

  void write(const DeviceStats& stats) {
    json_.begin_object();
    json_.key("cores");
    json_.begin_object();
    std::map<std::string, std::uint32_t> cores;
    for (std::size_t core = 0; core < device_.cores.size(); ++core) {
      cores.emplace(core_text(device_.cores[core].x, device_.cores[core].y),
                    static_cast<std::uint32_t>(core));
    }
    for (const auto& [name, core] : cores) {
      json_.key(name);
      write_core(core);
    }
    json_.key(kWholeDevice);
    write_whole_device(stats);
    json_.end_object();
    json_.end_object();
  }

 private:
  void write_core(std::uint32_t core) {
    const std::vector<std::uint32_t> lanes = lanes_of_core(device_, core);
    std::map<std::string_view, std::vector<std::uint32_t>> riscs;
    for (const std::uint32_t lane : lanes)
      riscs[device_.processors[device_.lanes[lane].processor].risc].push_back(lane);
    riscs[kMerged] = lanes;
    json_.begin_object();
    json_.key("riscs");
    json_.begin_object();
    for (const auto& [risc, own] : riscs) {
      json_.key(risc);
      json_.begin_object();
      if (risc == kMerged) {
        write_merged_core(core, own);
      } else {
        write_timeseries(own, {});
      }
      json_.end_object();
    }
    json_.end_object();
    json_.end_object();
  }

  void write_merged_core(std::uint32_t core, const std::vector<std::uint32_t>& lanes) {
    write_analyses(find_gaps(source_, lanes, AnalysisScope::kCore, matcher_));
    json_.key("events");
    json_.begin_object();
    json_.end_object();
    if (!repeats_markers_) return;
    constexpr MarkerPlaceText kPlace = {.risc = true};
    json_.key("ops");
    json_.begin_array();
    if (device_.cores[core].dispatches) {
      const std::vector<DispatchRecord>& records = timelines_.dispatch().records;
      auto record = std::partition_point(records.begin(), records.end(),
                                         [core](const DispatchRecord& other) { return other.core < core; });
      for (; record != records.end() && record->core == core; ++record) write_dispatch_record(*record);
    } else {
      for_each_op_record(source_, lanes, true, [&](const OpRecord& record) {
        json_.begin_object();
        write_markers(record, kPlace);
        json_.end_object();
      });
    }
    json_.end_array();
    write_timeseries(lanes, kPlace);
  }

  void write_whole_device(const DeviceStats& stats) {
    json_.begin_object();
    write_summary(stats);
    json_.key("riscs");
    json_.begin_object();
    auto riscs = lanes_by_risc(device_);
    riscs[kMerged] = all_lanes(device_);
    for (const auto& [risc, lanes] : riscs) {
      if (risc != kMerged && !repeats_markers_) continue;
      json_.key(risc);
      json_.begin_object();
      if (risc == kMerged) {
        write_merged_device(lanes);
      } else {
        write_timeseries(lanes, {.core = true});
      }
      json_.end_object();
    }
    json_.end_object();
    json_.end_object();
  }

  void write_summary(const DeviceStats& stats) {
    std::map<std::string_view, const StatsEntry*> entries;
    for (const StatsEntry& entry : stats.entries) entries[timer_analyses()[entry.analysis].name] = &entry;
    if (entries.empty()) return;
    json_.key("analysis");
    json_.begin_object();
    for (const auto& [name, entry] : entries) {
      json_.key(name);
      json_.begin_object();
      json_.key("analysis");
      write_definition(json_, timer_analyses()[entry->analysis]);
      write_stats(json_, entry->stats, false);
      json_.end_object();
    }
    json_.end_object();
  }

  void write_merged_device(const std::vector<std::uint32_t>& lanes) {
    write_analyses(find_gaps(source_, lanes, AnalysisScope::kDevice, matcher_));
    json_.key("dispatch_ops");
    json_.begin_array();
    for (const std::size_t index : timelines_.dispatch().in_order())
      write_dispatch_record(timelines_.dispatch().records[index]);
    json_.end_array();
    write_events();
    json_.key("ops");
    json_.begin_array();
    for_each_op_record(source_, lanes, false, [&](const OpRecord& record) { write_op_record(record); });
    json_.end_array();
    if (repeats_markers_) write_timeseries(lanes, {.risc = true, .core = true});
  }

  void write_events() {
    json_.key("events");
    json_.begin_object();
    for (const std::size_t index : analyses_by_name()) {
      const TimerAnalysis& analysis = timer_analyses()[index];
      if (analysis.kind != AnalysisKind::kEvent) continue;
      json_.key(analysis.name);
      json_.begin_array();
      for_each_event(source_, index, [&](const TimedMarker& marker) {
        json_.value(std::string_view(texts_.tuple(marker, {.risc = true, .core = true})));
      });
      json_.end_array();
    }
    json_.end_object();
  }

  void write_op_record(const OpRecord& record) {
    json_.begin_object();
    write_analyses(measure_record(source_, record, AnalysisScope::kOps, matcher_));
    if (repeats_markers_) {
      json_.key("events");
      json_.begin_object();
      json_.end_object();
      write_markers(record, {.risc = true, .core = true});
    } else {
      std::set<std::uint32_t> cores;
      for (const TimedMarker& marker : record.markers)
        cores.insert(device_.processors[marker.processor].core);
      const ExecutionKey& key = device_.ops[record.markers.front().op];
      json_.field("core_count", cores.size());
      json_.field("run_host_id", key.op_id);
      json_.field("trace_id", key.trace);
      json_.field("trace_id_count", key.replay);
    }
    json_.end_object();
  }

  void write_dispatch_record(const DispatchRecord& record) {
    json_.begin_object();
    write_analyses(
        measure_record(timelines_.dispatch_source(), record.record, AnalysisScope::kDispatchOps, matcher_));
    if (repeats_markers_) {
      write_markers(record.record, {.risc = true});
    } else {
      const MarkerCore& core = device_.cores[record.core];
      json_.field("core", std::string_view(core_text(core.x, core.y)));
      json_.field("run_host_id", record.op_id);
    }
    json_.end_object();
  }

  void write_analyses(const Found& found) {
    bool is_open = false;
    for (const std::size_t index : analyses_by_name()) {
      if (found[index].empty()) continue;
      if (!is_open) {
        json_.key("analysis");
        json_.begin_object();
        is_open = true;
      }
      const TimerAnalysis& analysis = timer_analyses()[index];
      json_.key(analysis.name);
      json_.begin_object();
      if (repeats_markers_) {
        json_.key("analysis");
        write_definition(json_, analysis);
      }
      json_.key("series");
      json_.begin_array();
      for (const DurationSample& sample : found[index]) write_sample(analysis, sample);
      json_.end_array();
      write_stats(json_, stats_of(found[index]), true);
      json_.end_object();
    }
    if (is_open) json_.end_object();
  }

  void write_sample(const TimerAnalysis& analysis, const DurationSample& sample) {
    json_.begin_object();
    json_.field("duration_cycles", sample.cycles);
    json_.key("duration_type");
    if (analysis.kind == AnalysisKind::kSum) {
      write_marker_rule(json_, analysis.start);
      json_.end_object();
      return;
    }
    json_.value(std::string_view(texts_.pair(sample.start, sample.end)));
    const bool is_gap = analysis.kind == AnalysisKind::kAdjacent;
    json_.field("end_cycle", sample.end.cycle);
    if (is_gap) write_iteration("end_iter_mark", sample.has_end_iteration, sample.end_iteration);
    json_.field("start_cycle", sample.start.cycle);
    if (is_gap) write_iteration("start_iter_mark", sample.has_start_iteration, sample.start_iteration);
    json_.end_object();
  }

  void write_iteration(std::string_view key, bool known, const TimedMarker& marker) {
    json_.key(key);
    if (known) {
      json_.value(std::string_view(texts_.moment(marker)));
    } else {
      json_.value(nullptr);
    }
  }

  void write_markers(const OpRecord& record, MarkerPlaceText place) {
    json_.key("timeseries");
    json_.begin_array();
    for (const TimedMarker& marker : record.markers)
      json_.value(std::string_view(texts_.tuple(marker, place)));
    json_.end_array();
  }

  void write_timeseries(const std::vector<std::uint32_t>& lanes, MarkerPlaceText place) {
    json_.key("timeseries");
    json_.begin_array();
    MarkerMerge merge(source_, lanes);
    for (TimedMarker marker; merge.next(marker);) json_.value(std::string_view(texts_.tuple(marker, place)));
    json_.end_array();
  }

  JsonWriter& json_;
  const DeviceTimelines& timelines_;
  const DeviceMarkers& device_;
  const MarkerSource& source_;
  MarkerTexts texts_;
  bool repeats_markers_;
  AnalysisMatcher matcher_;
};

}  // namespace

void write_device_analysis(const DeviceAnalysis& analysis, Writer& out) {
  JsonWriter json(out, {.indented = true, .ascii = true});
  json.begin_object();
  json.key("data");
  json.begin_object();
  write_info(json, analysis.log);
  json.key("devices");
  json.begin_object();
  for (std::size_t i = 0; i < analysis.devices.size(); ++i) {
    json.key(std::to_string(analysis.stats[i].device));
    DeviceWriter(json, *analysis.devices[i], *analysis.setup.rules).write(analysis.stats[i]);
  }
  json.end_object();
  json.end_object();
  json.key("setup");
  write_setup(json, analysis.setup);
  json.end_object();
}

}  // namespace ttscope::perf
