#include "perf/write/device_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/json_writer.h"
#include "base/number_text.h"
#include "perf/analyze/device_stats.h"

namespace ttscope::perf {
namespace {

std::string_view scope_text(AnalysisScope scope) {
  switch (scope) {
    case AnalysisScope::kCore:
      return "core";
    case AnalysisScope::kDevice:
      return "device";
    case AnalysisScope::kOps:
      return "ops";
    case AnalysisScope::kDispatchOps:
      return "dispatch_ops";
  }
  return {};
}

std::string_view kind_text(AnalysisKind kind) {
  switch (kind) {
    case AnalysisKind::kAdjacent:
      return "adjacent";
    case AnalysisKind::kOpFirstLast:
      return "op_first_last";
    case AnalysisKind::kOpCoreFirstLast:
      return "op_core_first_last";
    case AnalysisKind::kSum:
      return "sum";
    case AnalysisKind::kEvent:
      return "event";
  }
  return {};
}

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.value(std::string_view(text));
  json.end_array();
}

void write_zones(JsonWriter& json, const MarkerRule& rule) {
  if (rule.zones.empty()) return;
  json.key("zone_name");
  if (rule.zones.size() == 1) {
    json.value(std::string_view(rule.zones.front()));
  } else {
    write_texts(json, rule.zones);
  }
}

void write_border(JsonWriter& json, const MarkerRule& rule) {
  json.begin_object();
  json.field("core", "ANY");
  json.field("risc", rule.risc);
  write_zones(json, rule);
  if (!rule.phase.empty()) json.field("zone_phase", rule.phase);
  json.end_object();
}

}  // namespace

void write_marker_rule(JsonWriter& json, const MarkerRule& rule) {
  json.begin_object();
  json.field("risc", rule.risc);
  write_zones(json, rule);
  json.end_object();
}

void write_definition(JsonWriter& json, const TimerAnalysis& analysis) {
  json.begin_object();
  json.field("across", scope_text(analysis.scope));
  if (analysis.kind == AnalysisKind::kSum || analysis.kind == AnalysisKind::kEvent) {
    json.key("marker");
    write_marker_rule(json, analysis.start);
  } else {
    json.key("end");
    write_border(json, analysis.end);
    json.key("start");
    write_border(json, analysis.start);
  }
  json.field("type", kind_text(analysis.kind));
  json.end_object();
}

void write_setup(JsonWriter& json, const AnalysisSetup& setup) {
  json.begin_object();
  json.field("detectOps", true);
  json.field("deviceAnalysisData", std::string_view(setup.json_name));
  json.field("deviceInputLog", std::string_view(setup.log_path));
  json.field("deviceStatsTXT", std::string_view(setup.stats_name));
  // Only the reference packs its files.
  if (setup.as_reference) json.field("deviceTarball", "device_perf_results.tgz");
  json.key("displayStats");
  write_texts(json, {"Count", "Average", "Max", "Median", "Min", "Sum", "Range"});
  json.field("outputFolder", std::string_view(setup.output_folder));
  json.key("riscTypes");
  write_texts(json, setup_risc_types());
  json.key("riscs");
  write_texts(json, setup_riscs());
  json.key("timerAnalysis");
  json.begin_object();
  for (const std::size_t index : analyses_by_name()) {
    const TimerAnalysis& analysis = timer_analyses()[index];
    json.key(analysis.name);
    write_definition(json, analysis);
  }
  json.end_object();
  json.end_object();
}

namespace {

/// What a marker says beside its zone, time and data, depending on the list that it stands in.
struct MarkerTextOptions {
  bool risc = false;
  bool core = false;
};

/// Writes markers as Python prints the tuples of the reference. Texts are valid until the next call.
class MarkerTexts {
 public:
  explicit MarkerTexts(const MarkerSource& source) : source_(source) {}

  /// `({'id': 61457, 'zone_name': 'BRISC-FW', ...}, 11017522886706, 0, 'BRISC', (1, 1))`
  const std::string& tuple(const TimedMarker& marker, MarkerTextOptions place);
  /// `({'id': 61457, ...}, {'id': 63326, ...})`
  const std::string& pair(const TimedMarker& start, const TimedMarker& end);
  /// `({'id': 61457, ...}, 11017522886706)`
  const std::string& moment(const TimedMarker& marker);

 private:
  void append_identity(const LogMarker& marker);

  const MarkerSource& source_;
  std::string text_;
};

/// A number as it stands if it is one; other texts of a damaged log in quotes.
void append_field(std::string& to, std::string_view text) {
  const bool plain = !text.empty() && (text.size() == 1 || text.front() != '0') &&
                     std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (plain) {
    to += text;
  } else if (const auto number = parse_whole(text)) {
    to += std::to_string(*number);
  } else {
    append_python_repr(to, text);
  }
}

/// -1 for what is no number.
void append_number(std::string& to, std::string_view text) {
  if (parse_whole(text)) {
    append_field(to, text);
  } else {
    to += "-1";
  }
}

/// `(1, 2)`
std::string core_text(std::uint16_t x, std::uint16_t y) { return fmt::format("({}, {})", x, y); }

void MarkerTexts::append_identity(const LogMarker& marker) {
  text_ += "{'id': ";
  append_field(text_, marker.timer);
  text_ += ", 'zone_name': ";
  append_python_repr(text_, marker.zone);
  text_ += ", 'type': ";
  append_python_repr(text_, marker.type);
  text_ += ", 'src_line': ";
  append_field(text_, marker.line);
  text_ += ", 'src_file': ";
  append_python_repr(text_, marker.file);
  text_ += ", 'run_host_id': ";
  append_field(text_, marker.op_id);
  text_ += ", 'trace_id': ";
  append_number(text_, marker.trace);
  text_ += ", 'trace_id_count': ";
  append_number(text_, marker.replay);
  text_ += ", 'meta_data': ";
  append_python_repr(text_, marker.meta);
  text_ += '}';
}

const std::string& MarkerTexts::tuple(const TimedMarker& marker, MarkerTextOptions place) {
  const LogMarker row = source_.read(marker.at);
  const MarkerProcessor& processor = source_.device.processors[marker.processor];
  text_ = "(";
  append_identity(row);
  text_ += ", ";
  append_field(text_, row.time);
  text_ += ", ";
  append_field(text_, row.data);
  if (place.risc) {
    text_ += ", ";
    append_python_repr(text_, processor.risc);
  }
  if (place.core) text_ += ", " + core_text(processor.x, processor.y);
  text_ += ')';
  return text_;
}

const std::string& MarkerTexts::pair(const TimedMarker& start, const TimedMarker& end) {
  text_ = "(";
  append_identity(source_.read(start.at));
  text_ += ", ";
  append_identity(source_.read(end.at));
  text_ += ')';
  return text_;
}

const std::string& MarkerTexts::moment(const TimedMarker& marker) {
  const LogMarker row = source_.read(marker.at);
  text_ = "(";
  append_identity(row);
  text_ += ", ";
  append_field(text_, row.time);
  text_ += ')';
  return text_;
}

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
  constexpr double kMaxMhz = 1e9;
  if (log.clock_mhz == std::floor(log.clock_mhz) && log.clock_mhz < kMaxMhz) {
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
  DeviceWriter(JsonWriter& json, const DeviceTimelines& timelines, bool repeats_markers)
      : json_(json),
        timelines_(timelines),
        device_(timelines.device()),
        source_(timelines.source()),
        texts_(timelines.source()),
        repeats_markers_(repeats_markers) {}

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
    constexpr MarkerTextOptions kPlace = {.risc = true};
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

  void write_markers(const OpRecord& record, MarkerTextOptions place) {
    json_.key("timeseries");
    json_.begin_array();
    for (const TimedMarker& marker : record.markers)
      json_.value(std::string_view(texts_.tuple(marker, place)));
    json_.end_array();
  }

  void write_timeseries(const std::vector<std::uint32_t>& lanes, MarkerTextOptions place) {
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
    DeviceWriter(json, *analysis.devices[i], analysis.setup.as_reference).write(analysis.stats[i]);
  }
  json.end_object();
  json.end_object();
  json.key("setup");
  write_setup(json, analysis.setup);
  json.end_object();
}

namespace {

/// `498,514,035`
std::string grouped(double number) {
  const std::string digits = fmt::format("{:.0f}", std::nearbyint(std::abs(number)));
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return number < 0 && digits != "0" ? "-" + text : text;
}

template <typename Number>
std::string stat_line(std::string_view name, Number value) {
  return fmt::format("{:>12} {:<8} = {:>10}\n", name, name == "Count" ? "" : "[cycles]",
                     grouped(static_cast<double>(value)));
}

std::string entry_text(const StatsEntry& entry) {
  const CycleStats& stats = entry.stats;
  std::string text =
      fmt::format("\n=================== {} ===================\n", timer_analyses()[entry.analysis].name);
  if (stats.count == 1) return text + stat_line("Duration", stats.sum) + "\n";
  text += stat_line("Count", stats.count) + stat_line("Average", stats.average()) +
          stat_line("Max", stats.max) + stat_line("Median", stats.median) + stat_line("Min", stats.min) +
          stat_line("Sum", stats.sum) + stat_line("Range", stats.range());
  return text + "\n";
}

}  // namespace

std::string device_stats_text(const std::vector<DeviceStats>& stats, bool as_reference) {
  std::string text;
  for (const DeviceStats& device : stats) {
    if (stats.size() > 1 && !as_reference)
      text += fmt::format("\n################### device {} ###################\n", device.device);
    for (const StatsEntry& entry : device.entries) text += entry_text(entry);
  }
  return text;
}

void write_core_gaps(const DeviceProfile& log, const DeviceClocks& clocks, Writer& out) {
  const auto ns_of = [&](std::uint32_t device, std::int64_t cycles) -> std::optional<std::int64_t> {
    const double clock = clock_of(clocks, device);
    if (!(clock > 0)) return std::nullopt;
    return to_ns(cycles, clock);
  };
  write_core_gaps(log, ns_of, out);
}

void write_core_gaps(
    const DeviceProfile& log,
    const std::function<std::optional<std::int64_t>(std::uint32_t device, std::int64_t cycles)>& cell_of,
    Writer& out) {
  std::set<std::pair<std::uint16_t, std::uint16_t>> cores;
  for (const CoreRun& run : log.runs) cores.emplace(run.x, run.y);
  out.write("device ID,op2op ID");
  for (const auto& [x, y] : cores) out.write(fmt::format(",{}; {} [ns]", x, y));
  out.write("\r\n");
  for (const GapRow& row : tabulate_gaps(log)) {
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::int64_t> cells;
    for (const CoreGap& gap : row.cores) {
      if (const auto cell = cell_of(row.device, static_cast<std::int64_t>(gap.cycles)))
        cells[{gap.x, gap.y}] = *cell;
    }
    std::string line = fmt::format("{},{} -> {}", row.device, row.from_op, row.to_op);
    for (const auto& core : cores) {
      const auto cell = cells.find(core);
      line += cell == cells.end() ? "," : fmt::format(",{}", cell->second);
    }
    out.write(line + "\r\n");
  }
}

}  // namespace ttscope::perf
