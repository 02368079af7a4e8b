#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/writer.h"
#include "perf/analyse/zones/capture_zones.h"
#include "perf/write/terminal/perf_table.h"

namespace ttscope::perf {

/// zones.csv (docs/formats/ops_report.md): a row for each zone on the processors of each name of a device.
void write_zone_csv(const CaptureZones& report, Writer& out);

/// The zones with the most time of their own, what was left out, and what could not be paired.
void write_zone_table(const CaptureZones& report, const PerfTableOptions& options, Writer& out);
/// The same as a section of a markdown document.
std::string zone_markdown(const std::vector<const CaptureZones*>& reports);

/// An element of `zones` in `ttscope.perf/1`.
void write_zone_record(const CaptureZones& report, const ZoneFigures& zone, JsonWriter& json);

}  // namespace ttscope::perf
