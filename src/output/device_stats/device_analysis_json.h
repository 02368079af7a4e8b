#pragma once

#include <memory>
#include <vector>

#include "analysis/device_stats/device_stats.h"
#include "base/writer.h"
#include "model/log_marker.h"
#include "output/device_stats/analysis_setup_json.h"

namespace ttscope::output {

/// What the document is made of.
struct DeviceAnalysis {
  const DeviceProfile& log;
  const std::vector<std::unique_ptr<analysis::DeviceTimelines>>& devices;
  const std::vector<analysis::DeviceStats>& stats;  ///< of each of them
  const AnalysisSetup& setup;
};

/// device_analysis_data.json, streamed. Compat: all that the reference writes, byte for byte; that is each
/// marker up to six times, below its processor, its core and the device, alone and by op. Otherwise each
/// marker once, below its processor, and the definitions of the analyses once; everything else is there.
void write_device_analysis(const DeviceAnalysis& analysis, Writer& out);

}  // namespace ttscope::output
