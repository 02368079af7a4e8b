#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/writer.h"
#include "perf/analyze/device_stats.h"
#include "perf/analyze/executions.h"
#include "perf/model/capture_files.h"

namespace ttscope::perf {

/// What the analysis was made of and with.
struct AnalysisSetup {
  std::string log_path;       ///< as it was asked for
  std::string output_folder;  ///< likewise
  std::string json_name;
  std::string stats_name;
  bool as_reference = false;  ///< markers are repeated, and an archive is named
};

/// The definition of an analysis: `{"across": "ops", "end": {...}, "start": {...}, "type": ...}`.
void write_definition(JsonWriter& json, const TimerAnalysis& analysis);
/// The rule of a sum or of events: `{"risc": "TRISC_0", "zone_name": "CB-COMPUTE-WAIT-FRONT"}`.
void write_marker_rule(JsonWriter& json, const MarkerRule& rule);
void write_setup(JsonWriter& json, const AnalysisSetup& setup);

/// What the document is made of.
struct DeviceAnalysis {
  const DeviceProfile& log;
  const std::vector<std::unique_ptr<DeviceTimelines>>& devices;
  const std::vector<DeviceStats>& stats;  ///< of each of them
  const AnalysisSetup& setup;
};

/// device_analysis_data.json, streamed. Compat: all that the reference writes, byte for byte; that is each
/// marker up to six times, below its processor, its core and the device, alone and by op. Otherwise each
/// marker once, below its processor, and the definitions of the analyses once; everything else is there.
void write_device_analysis(const DeviceAnalysis& analysis, Writer& out);

/// device_stats.txt: a block for each analysis of each device. Compat: without a heading for each of several
/// devices.
std::string device_stats_text(const std::vector<DeviceStats>& stats, bool as_reference);

/// per_core_op_to_op_times.csv, in nanoseconds.
void write_core_gaps(const DeviceProfile& log, const DeviceClocks& clocks, Writer& out);
/// The same with what `cell_of` says of so many cycles on a device.
void write_core_gaps(
    const DeviceProfile& log,
    const std::function<std::optional<std::int64_t>(std::uint32_t device, std::int64_t cycles)>& cell_of,
    Writer& out);

}  // namespace ttscope::perf
