#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/device_stats/device_stats.h"
#include "base/writer.h"
#include "input/device_log/device_log.h"
#include "input/device_log/marker_lanes.h"
#include "output/device_stats/device_analysis_json.h"

namespace ttscope::testing {

/// device_analysis_data.json of the text of a device log.
inline std::string device_analysis_text(const DeviceProfile& profile, std::string_view log, bool compat) {
  const MarkerLog markers = input::find_marker_lanes(log);
  std::vector<std::unique_ptr<analysis::DeviceTimelines>> devices;
  std::vector<analysis::DeviceStats> stats;
  for (const DeviceMarkers& device : markers.devices) {
    devices.push_back(std::make_unique<analysis::DeviceTimelines>(device, *markers.rows, compat));
    stats.push_back(analysis::compute_device_stats(*devices.back()));
  }
  const output::AnalysisSetup setup{"log.csv", "out", "analysis.json", "stats.txt", compat};
  StringWriter out;
  output::write_device_analysis({profile, devices, stats, setup}, out);
  static_cast<void>(out.finish());
  return out.text();
}

}  // namespace ttscope::testing
