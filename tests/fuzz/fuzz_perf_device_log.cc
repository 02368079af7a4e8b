// A device log. What is read must not depend on the parts that it is cut into.
#include "fuzz/fuzz_target.h"
#include "perf/read/device_log/device_log.h"
#include "perf/read/device_log/marker_lanes.h"

namespace ttscope::perf {
namespace {

using fuzz::require;

void check(const DeviceProfile& profile) {
  for (const Execution& execution : profile.executions) {
    require(std::size_t{execution.first_run} + execution.run_count <= profile.runs.size(), "runs are there");
  }
  for (const SumSample& sum : profile.sums) {
    require(sum.execution < profile.executions.size(), "a sum belongs to an execution");
  }
  for (const CounterSample& sample : profile.counters) {
    require(sample.execution < profile.executions.size() && sample.counter < profile.counter_names.size(),
            "a counter belongs to an execution");
  }
}

void check_lanes(const MarkerLog& log) {
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

TTSCOPE_FUZZ_TARGET(perf_device_log) {
  DeviceLogOptions options;
  options.substrings = text.size() % 2 == 1;
  options.unwrap = text.size() % 3 != 0;
  const auto whole = read_device_log(text, options);
  if (!whole) {
    require(!whole.error().message.empty(), "an error says something");
    return;
  }
  check(*whole);
  options.parts = 3;
  const auto joined = read_device_log(text, options);
  require(joined.has_value() && joined->rows == whole->rows, "rows do not depend on parts");
  check(*joined);
  check_lanes(find_marker_lanes(text));
}

}  // namespace
}  // namespace ttscope::perf
