// Where the rows of each processor stand in a device log.
#include "fuzz/fuzz_target.h"
#include "perf/read/log_rows.h"

namespace ttscope::perf {
namespace {

using fuzz::require;

TTSCOPE_FUZZ_TARGET(perf_lanes) {
  const MarkerLog log = find_marker_lanes(text);
  for (const DeviceMarkers& device : log.devices) {
    for (const MarkerLane& lane : device.lanes) {
      require(lane.processor < device.processors.size(), "a lane has a processor");
      for (const MarkerExtent& extent : lane.extents) {
        require(extent.rows > 0 && extent.op < device.ops.size(), "an extent has rows");
        static_cast<void>(log.rows->read(extent.at));
      }
    }
  }
}

}  // namespace
}  // namespace ttscope::perf
