#include "perf/write/json/time_json.h"

#include <map>
#include <memory>
#include <optional>

#include "perf/tables/table_source.h"
#include "table/write_json.h"

namespace ttscope::perf {
namespace {

/// Ids of rows as the table shows them: those of a merged op are all that of the device shown.
std::vector<std::uint32_t> shown_ids(const OpsReport& table, const ShownOps& ops) {
  std::vector<std::uint32_t> shown(table.rows.size(), kNone);
  for (const ShownOp& row : ops.rows) {
    shown[row.row] = row.row;
    if (row.group == kNone) continue;
    const OpGroup& group = ops.groups[row.group];
    for (std::uint32_t i = 0; i < group.count; ++i) shown[ops.members[group.first + i]] = row.row;
  }
  return shown;
}

std::optional<std::int32_t> device_or_null(std::int32_t device) {
  return device < 0 ? std::optional<std::int32_t>() : std::optional(device);
}

void write_times(JsonWriter& json, double wall_ns, double busy_ns) {
  json.field("wall_ns", wall_ns);
  json.field("busy_ns", busy_ns);
  json.field("idle_ns", wall_ns - busy_ns);
}

}  // namespace

void write_devices_json(const OpsReport& table, const OpReading& reading, JsonWriter& json) {
  std::map<std::int32_t, const DeviceLane*> devices;
  const ShownOps& ops = reading.ops;
  const auto add = [&](std::uint32_t row) {
    if (table.rows[row].type == OpRowType::kDevice) devices.try_emplace(table.rows[row].device, nullptr);
  };
  for (const ShownOp& row : ops.rows) add(row.row);
  for (const std::uint32_t row : ops.members) add(row);
  for (const DeviceLane& lane : ops.clock.lanes) devices[lane.device] = &lane;
  json.key("devices");
  json.begin_array();
  for (const auto& [device, lane] : devices) {
    json.begin_object();
    json.field("device", device_or_null(device));
    write_times(json, lane == nullptr ? kNoNumber : lane->wall_ns,
                lane == nullptr ? kNoNumber : lane->busy_ns);
    json.field("ops", lane == nullptr ? std::optional<std::size_t>() : std::optional(lane->ops.size()));
    json.field("clock_mhz", lane == nullptr ? kNoNumber : lane->cycles_per_ns * 1000);
    json.end_object();
  }
  json.end_array();
}

/// The rows of the declared tables: a series, and in it each time.
void write_iterations_json(const OpsReport& report, const OpReading& reading, JsonWriter& json) {
  json.key("iterations");
  json.begin_array();
  const Iterations& iterations = reading.iterations;
  if (!iterations.series.empty()) {
    const auto source = std::make_shared<const TableSource>(report, reading);
    const table::Table rows = table::make_table(iteration_series_spec(), source, iterations.series.size());
    const table::Table times = table::make_table(iterations_spec(), source, iterations.times.size());
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < iterations.series.size(); ++i) {
      json.begin_object();
      table::write_fields(rows, i, {}, json);
      json.key("times");
      json.begin_array();
      for (; next < iterations.times.size() && iterations.times[next].series == i; ++next) {
        json.begin_object();
        table::write_fields(times, next, {"kind", "name"}, json);
        json.end_object();
      }
      json.end_array();
      json.end_object();
    }
  }
  json.end_array();
}

void write_path_json(const OpsReport& table, const OpReading& reading, bool lists_parts, JsonWriter& json) {
  const CriticalPath& path = reading.ops.path;
  json.key("critical_path");
  if (!reading.ops.clock.is_known()) {
    json.value(nullptr);
    return;
  }
  const std::vector<std::uint32_t> shown = shown_ids(table, reading.ops);
  json.begin_object();
  json.field("device", device_or_null(path.device));
  json.field("wall_us", path.wall_us);
  json.field("clocks_aligned_by", key_of(reading.ops.clock.basis));
  json.field("part_count", path.parts.size());
  json.key("parts");
  json.begin_array();
  for (const PathPart& part : path.parts) {
    if (!lists_parts) break;
    const OpRow& row = table.rows[shown[part.row]];
    json.begin_object();
    json.field("device", device_or_null(part.device));
    json.field("row", row.id);
    json.field("op", reading.ops.facts[row.kind].label);
    json.field("kind", key_of(part.kind));
    json.field("us", part.us);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace ttscope::perf
