#include "output/device_stats/device_analysis_json.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_writer.h"
#include "base/python_text.h"

namespace ttscope::output {
namespace {

/// `({'id': 61457, 'zone_name': 'BRISC-FW', ...}, 11017522886706, 0)`
std::string tuple_text(const LogMarker& marker) {
  const auto number = [](std::string_view text) {
    return text.empty() ? std::string("-1") : std::string(text);
  };
  std::string text = "({'id': " + std::string(marker.timer) + ", 'zone_name': ";
  append_python_repr(text, marker.zone);
  text += ", 'type': ";
  append_python_repr(text, marker.type);
  text += ", 'src_line': " + number(marker.line) + ", 'src_file': ";
  append_python_repr(text, marker.file);
  text += ", 'run_host_id': " + number(marker.op_id) + ", 'trace_id': " + number(marker.trace) +
          ", 'trace_id_count': " + number(marker.replay) + ", 'meta_data': ";
  append_python_repr(text, marker.meta);
  return text + "}, " + std::string(marker.time) + ", " + std::string(marker.data) + ")";
}

void write_stats(JsonWriter& json, const analysis::CycleStats& stats) {
  const auto whole = [](double value) { return static_cast<std::int64_t>(std::llround(value)); };
  json.begin_object();
  json.field("Average", stats.average);
  json.field("Count", stats.count);
  json.field("Max", whole(stats.max));
  json.field("Median", stats.median);
  json.field("Min", whole(stats.min));
  json.field("Range", whole(stats.max - stats.min));
  json.field("Sum", whole(stats.sum));
  json.end_object();
}

class AnalysisWriter {
 public:
  AnalysisWriter(const DeviceProfile& log, const std::vector<Execution>& measured, Writer& out)
      : log_(log), measured_(measured), json_(out, {.indented = true, .ascii = true}) {}

  void write(const std::vector<analysis::DeviceStats>& stats, const std::vector<MarkerGroup>& groups) {
    json_.begin_object();
    json_.key("data");
    json_.begin_object();
    write_info();
    json_.key("devices");
    json_.begin_object();
    std::size_t group = 0;
    for (const analysis::DeviceStats& device : stats) write_device(device, groups, group);
    json_.end_object();
    json_.end_object();
    json_.end_object();
  }

 private:
  void write_info() {
    json_.key("deviceInfo");
    json_.begin_object();
    json_.field("arch", std::string_view(log_.arch));
    json_.key("freq");
    if (log_.clock_mhz == std::floor(log_.clock_mhz)) {
      json_.value(static_cast<std::int64_t>(log_.clock_mhz));
    } else {
      json_.value(log_.clock_mhz);
    }
    json_.key("max_compute_cores");
    if (log_.max_compute_cores == kNoFigure) {
      json_.value(nullptr);
    } else {
      json_.value(log_.max_compute_cores);
    }
    json_.end_object();
  }

  void write_device(const analysis::DeviceStats& stats, const std::vector<MarkerGroup>& groups,
                    std::size_t& group) {
    json_.key(std::to_string(stats.device));
    json_.begin_object();
    json_.key("cores");
    json_.begin_object();
    while (group < groups.size() && groups[group].device < stats.device) ++group;
    while (group < groups.size() && groups[group].device == stats.device) write_core(groups, group);
    write_summary(stats);
    json_.end_object();
    json_.end_object();
  }

  void write_core(const std::vector<MarkerGroup>& groups, std::size_t& group) {
    const MarkerGroup& first = groups[group];
    json_.key(fmt::format("({}, {})", first.x, first.y));
    json_.begin_object();
    json_.key("riscs");
    json_.begin_object();
    for (; group < groups.size() && groups[group].device == first.device && groups[group].x == first.x &&
           groups[group].y == first.y;
         ++group) {
      json_.key(groups[group].risc);
      json_.begin_object();
      json_.key("timeseries");
      json_.begin_array();
      groups[group].for_each(
          [&](const LogMarker& marker) { json_.value(std::string_view(tuple_text(marker))); });
      json_.end_array();
      json_.end_object();
    }
    json_.end_object();
    json_.end_object();
  }

  void write_summary(const analysis::DeviceStats& stats) {
    json_.key("DEVICE");
    json_.begin_object();
    json_.key("analysis");
    json_.begin_object();
    for (const analysis::StatsEntry& entry : stats.entries) {
      json_.key(entry.name);
      json_.begin_object();
      json_.key("stats");
      write_stats(json_, entry.stats);
      json_.end_object();
    }
    json_.end_object();
    json_.key("ops");
    json_.begin_array();
    for (const Execution& execution : measured_) {
      if (execution.key.device == stats.device) write_execution(execution);
    }
    json_.end_array();
    json_.end_object();
  }

  void write_execution(const Execution& execution) {
    json_.begin_object();
    json_.field("run_host_id", execution.key.op_id);
    json_.field("trace_id", execution.key.trace);
    json_.field("trace_id_count", execution.key.replay);
    json_.field("core_count", execution.figures[Figure::kCoreCount]);
    json_.key("duration_cycles");
    json_.begin_object();
    for (std::size_t entry = 0; entry < analysis::execution_entries().size(); ++entry) {
      const std::vector<std::int64_t> cycles = analysis::cycles_of(log_, execution, entry);
      if (cycles.empty()) continue;
      json_.key(analysis::execution_entries()[entry]);
      json_.begin_array();
      for (const std::int64_t value : cycles) json_.value(value);
      json_.end_array();
    }
    json_.end_object();
    json_.end_object();
  }

  const DeviceProfile& log_;
  const std::vector<Execution>& measured_;
  JsonWriter json_;
};

}  // namespace

void write_device_analysis(const DeviceAnalysis& analysis, Writer& out) {
  AnalysisWriter(analysis.log, analysis.measured, out).write(analysis.stats, analysis.groups);
}

}  // namespace ttscope::output
