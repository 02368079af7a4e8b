#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "perf/analyze/device_stats.h"
#include "perf/read/device_log.h"
#include "perf/read/log_rows.h"
#include "perf/write/device_stats.h"

namespace ttscope::testing {

/// device_analysis_data.json of the text of a device log.
inline std::string device_analysis_text(const perf::DeviceProfile& profile, std::string_view log,
                                        bool compat) {
  const perf::MarkerLog markers = perf::find_marker_lanes(log);
  std::vector<std::unique_ptr<perf::DeviceTimelines>> devices;
  std::vector<perf::DeviceStats> stats;
  for (const perf::DeviceMarkers& device : markers.devices) {
    devices.push_back(std::make_unique<perf::DeviceTimelines>(device, *markers.rows, compat));
    stats.push_back(perf::compute_device_stats(*devices.back()));
  }
  const perf::AnalysisSetup setup{"log.csv", "out", "analysis.json", "stats.txt", compat};
  StringWriter out;
  perf::write_device_analysis({profile, devices, stats, setup}, out);
  static_cast<void>(out.finish());
  return out.text();
}

}  // namespace ttscope::testing
