#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/writer.h"
#include "perf/analyse/executions/device_data.h"
#include "perf/analyse/zones/zone_stats.h"

namespace ttscope::perf {

/// The zones of one capture.
struct ZoneReport {
  std::string host;  ///< empty unless there are several
  ZoneStats stats;
  DeviceClocks clocks;

  /// Cycles a microsecond of a device; 0 where it is not known.
  double clock_of(std::uint32_t device) const;
};

/// zones.csv (docs/formats/ops_report.md): a row for each zone on the processors of each name of a device.
void write_zone_csv(const ZoneReport& report, Writer& out);

/// The zones with the most time of their own, what was left out, and what could not be paired.
void write_zone_table(const ZoneReport& report, bool color, Writer& out);
/// The same as a section of a markdown document.
std::string zone_markdown(const std::vector<const ZoneReport*>& reports);

/// An element of `zones` in `ttscope.perf/1`.
void write_zone_record(const ZoneReport& report, const ZoneFigures& zone, JsonWriter& json);

}  // namespace ttscope::perf
