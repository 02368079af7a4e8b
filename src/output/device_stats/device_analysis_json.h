#pragma once

#include <vector>

#include "analysis/device_stats/device_stats.h"
#include "base/writer.h"
#include "model/log_marker.h"

namespace ttscope::output {

/// What the document is made of.
struct DeviceAnalysis {
  const DeviceProfile& log;
  const std::vector<Execution>& measured;  ///< its executions with their figures
  const std::vector<analysis::DeviceStats>& stats;
  const std::vector<MarkerGroup>& groups;
};

/// device_analysis_data.json, streamed: every marker once, below its processor, written as the reference
/// writes it (a Python tuple in a text); the executions of each device with their spans; the statistics. The
/// reference repeats all markers below the core, the device and each op.
void write_device_analysis(const DeviceAnalysis& analysis, Writer& out);

}  // namespace ttscope::output
