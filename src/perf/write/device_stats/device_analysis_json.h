#pragma once

#include <memory>
#include <vector>

#include "base/writer.h"
#include "perf/analyse/device_stats/device_stats.h"
#include "perf/model/log_marker.h"
#include "perf/write/device_stats/analysis_setup_json.h"

namespace ttscope::perf {

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

}  // namespace ttscope::perf
