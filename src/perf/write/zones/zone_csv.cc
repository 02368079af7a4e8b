// Declared in zone_report.h. The file lies beside the reports of the profiler and has their form (CR LF,
// fixed decimals, cells safe for spreadsheets): it cannot come from the declared table `zones`.
#include <fmt/format.h>

#include "base/csv_scanner.h"
#include "perf/write/zones/zone_report.h"

namespace ttscope::perf {

namespace {

/// Whole nanoseconds; sums of damaged logs may be beyond what fits into a number of them.
std::string ns_cell(std::uint64_t cycles, double clock_mhz) {
  if (clock_mhz <= 0) return {};
  constexpr double kMostNs = 1e18;
  const double ns = static_cast<double>(cycles) * 1000 / clock_mhz;
  if (ns > kMostNs || cycles > INT64_MAX) return fmt::format("{:.0f}", ns);
  return std::to_string(to_ns(static_cast<std::int64_t>(cycles), clock_mhz));
}

/// Zones inside are not known of sums.
std::string self_cells(const CaptureZones& report, const ZoneFigures& zone, double clock) {
  if (!zone.has_self()) return ",,,";
  return fmt::format(",{},{},{:.4f}", zone.self_cycles, ns_cell(zone.self_cycles, clock),
                     100 * report.stats.self_share(zone));
}

std::string length_cells(const ZoneFigures& zone, double clock) {
  if (!zone.has_lengths()) return ",,,,,,";
  const double mean = zone.mean_cycles();
  return fmt::format(",{:.1f},{},{:.0f},{:.0f},{},{}", mean,
                     clock > 0 ? fmt::format("{:.1f}", mean * 1000 / clock) : std::string(), zone.p50_cycles,
                     zone.p99_cycles, zone.min_cycles, zone.max_cycles);
}

std::string zone_row(const CaptureZones& report, const ZoneFigures& zone) {
  const double clock = report.clock_of(zone.device);
  std::string line = std::to_string(zone.device) + ",";
  append_safe_csv_cell(line, zone.risc);
  line += ',';
  append_safe_csv_cell(line, zone.source.name);
  line += fmt::format(",{},{},{},{},{},{}", key_of(zone.source.kind), zone.count, zone.cores, zone.executions,
                      zone.total_cycles, ns_cell(zone.total_cycles, clock));
  line += self_cells(report, zone, clock) + length_cells(zone, clock);
  line += fmt::format(",{},{},", zone.unmatched_starts, zone.unmatched_ends);
  append_safe_csv_cell(line, zone.source.file);
  line += ',';
  append_safe_csv_cell(line, zone.source.line);
  const bool has_values = zone.source.kind == ZoneKind::kData;
  line += has_values ? fmt::format(",{},{}", zone.least_value, zone.most_value) : ",,";
  return line + "\r\n";
}

}  // namespace

void write_zone_csv(const CaptureZones& report, Writer& out) {
  out.write(
      "DEVICE ID,RISC,ZONE,KIND,COUNT,CORES,EXECUTIONS,TOTAL [cycles],TOTAL [ns],SELF [cycles],SELF [ns],"
      "SELF [%],MEAN [cycles],MEAN [ns],P50 [cycles],P99 [cycles],MIN [cycles],MAX [cycles],UNMATCHED "
      "STARTS,UNMATCHED ENDS,SOURCE FILE,SOURCE LINE,MIN VALUE,MAX VALUE\r\n");
  for (const ZoneFigures& zone : report.stats.zones) out.write(zone_row(report, zone));
}

}  // namespace ttscope::perf
