// A device log. What is read must not depend on the parts that it is cut into.
#include "fuzz/fuzz_target.h"
#include "perf/read/device_log.h"

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
  if (text.size() % 4 != 0) return;  // the other way takes as long again
  options.parts = 3;
  const auto joined = read_device_log(text, options);
  require(joined.has_value() && joined->rows == whole->rows, "rows do not depend on parts");
  check(*joined);
}

}  // namespace
}  // namespace ttscope::perf
