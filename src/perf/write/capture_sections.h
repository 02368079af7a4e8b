#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/writer.h"
#include "perf/analyze/profile.h"
#include "perf/analyze/zones.h"
#include "perf/write/terminal_tables.h"

namespace ttscope::perf {

/// zones.csv (docs/formats/ops_report.md): a row for each zone on the processors of each name of a device.
void write_zone_csv(const CaptureZones& report, Writer& out);

/// The zones with the most time of their own, what was left out, and what could not be paired.
void write_zone_table(const CaptureZones& report, const PerfTableOptions& options, Writer& out);
/// The same as a section of a markdown document.
std::string zone_markdown(const std::vector<const CaptureZones*>& reports);

/// An element of `zones` in `ttscope.perf/1`.
void write_zone_record(const CaptureZones& report, const ZoneFigures& zone, JsonWriter& json);

struct SummaryOptions {
  bool counter_tables = false;
  bool wants_zones = false;  ///< it is said where there are none
  PerfTableOptions form{};
};

/// Tables of the hardware counters.
std::string counters_text(const std::vector<Capture>& captures, const PerfTableOptions& form);

/// What was made, of what, and how far it can be trusted.
std::string capture_summary(const std::vector<Capture>& captures, const SummaryOptions& options,
                            const std::vector<std::string>& written);

}  // namespace ttscope::perf
