#include "perf/write/json/time_json.h"

#include <algorithm>
#include <map>
#include <optional>

#include "table/json_rows.h"

namespace ttscope::perf {
namespace {

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
    json.field("compile_ns", lane == nullptr ? kNoNumber : lane->compile_ns);
    json.field("ops", lane == nullptr ? std::optional<std::size_t>() : std::optional(lane->ops.size()));
    json.field("clock_mhz", lane == nullptr ? kNoNumber : lane->cycles_per_ns * 1000);
    json.end_object();
  }
  json.end_array();
}

/// The rows of the declared tables: a series, and in it each time.
void write_iterations_json(const std::shared_ptr<const TableSource>& source, JsonWriter& json) {
  const Iterations& iterations = source->reading.iterations;
  table::JsonRows rows(table::make_table(iteration_series_spec(), source, iterations.series.size()),
                       table::AllBut{});
  table::JsonRows times(table::make_table(iterations_spec(), source, iterations.times.size()),
                        table::AllBut{{"kind", "name"}});
  json.key("iterations");
  json.begin_array();
  for (std::uint32_t i = 0; i < iterations.series.size(); ++i) {
    const auto count = std::count_if(iterations.times.begin(), iterations.times.end(),
                                     [&](const IterationTime& time) { return time.series == i; });
    json.begin_object();
    rows.write_next(json);
    times.write_array(json, "times", static_cast<std::size_t>(count));
    json.end_object();
  }
  json.end_array();
}

/// Who meets in collectives where not all devices do.
void write_mesh_json(const OpsReport& table, const RunClock& clock, JsonWriter& json) {
  json.key("mesh");
  json.begin_array();
  for (const MeshAxis& axis : clock.mesh) {
    const bool is_named = axis.cluster_axis >= 0;
    json.begin_object();
    json.field("cluster_axis", is_named ? std::optional(axis.cluster_axis) : std::nullopt);
    json.field("op", is_named ? std::optional<std::string_view>() : table.text(axis.op_code));
    json.key("groups");
    json.begin_array();
    for (const std::vector<std::int32_t>& group : groups_of_devices(clock, axis)) {
      json.begin_array();
      for (const std::int32_t device : group) json.value(device);
      json.end_array();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void write_path_json(const std::shared_ptr<const TableSource>& source, bool lists_parts, JsonWriter& json) {
  const RunClock& clock = source->reading.ops.clock;
  const CriticalPath& path = source->reading.ops.path;
  json.key("critical_path");
  if (!clock.is_known()) return json.value(nullptr);
  json.begin_object();
  json.field("device", device_or_null(path.device));
  json.field("wall_us", path.wall_us);
  json.field("clocks_aligned_by", key_of(clock.basis));
  write_mesh_json(source->report, clock, json);
  json.field("part_count", path.parts.size());
  table::JsonRows parts(table::make_table(critical_path_spec(), source, path.parts.size()),
                        {{"device"}, {"row", "shown_id"}, {"op"}, {"kind"}, {"us", "duration_us"}});
  parts.write_array(json, "parts", lists_parts ? path.parts.size() : 0);
  json.end_object();
}

}  // namespace ttscope::perf
