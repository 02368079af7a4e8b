// Declared in zone_report.h, with the other forms of the zones. The fields are those of the declared table
// `zones` in its order (a test compares them), written by hand because the values of data markers go beyond
// the integers of tables.
#include <optional>

#include "perf/write/zones/zone_report.h"

namespace ttscope::perf {

void write_zone_record(const CaptureZones& report, const ZoneFigures& zone, JsonWriter& json) {
  const auto when = [](bool known, auto value) {
    return known ? std::optional<decltype(value)>(value) : std::nullopt;
  };
  const double clock = report.clock_of(zone.device);
  const auto us = [&](double cycles) { return cycles / clock; };
  const bool seen = zone.has_lengths();
  json.begin_object();
  json.field("host", when(!report.host.empty(), std::string_view(report.host)));
  json.field("device", zone.device);
  json.field("risc", zone.risc);
  json.field("zone", zone.source.name);
  json.field("kind", key_of(zone.source.kind));
  json.field("count", zone.count);
  json.field("cores", zone.cores);
  json.field("executions", zone.executions);
  json.field("total_cycles", zone.total_cycles);
  json.field("total_us", when(clock > 0, us(static_cast<double>(zone.total_cycles))));
  json.field("self_cycles", when(zone.has_self(), zone.self_cycles));
  json.field("self_us", when(zone.has_self() && clock > 0, us(static_cast<double>(zone.self_cycles))));
  json.field("self_percent", when(zone.has_self(), 100 * report.stats.self_share(zone)));
  json.field("mean_cycles", when(seen, zone.mean_cycles()));
  json.field("p50_cycles", when(seen, zone.p50_cycles));
  json.field("p99_cycles", when(seen, zone.p99_cycles));
  json.field("min_cycles", when(seen, zone.min_cycles));
  json.field("max_cycles", when(seen, zone.max_cycles));
  json.field("min_value", when(zone.source.kind == ZoneKind::kData, zone.least_value));
  json.field("max_value", when(zone.source.kind == ZoneKind::kData, zone.most_value));
  json.field("unmatched_starts", zone.unmatched_starts);
  json.field("unmatched_ends", zone.unmatched_ends);
  json.field("source_file", when(!zone.source.file.empty(), std::string_view(zone.source.file)));
  json.field("source_line", when(!zone.source.line.empty(), std::string_view(zone.source.line)));
  if (!zone.ops.empty()) {
    json.key("ops");
    json.begin_array();
    for (const ZoneOfOp& op : zone.ops) {
      json.begin_object();
      json.field("call_count", op.call_count);
      json.field("count", op.count);
      json.field("cycles", op.cycles);
      json.field("us", when(clock > 0, us(static_cast<double>(op.cycles))));
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace ttscope::perf
