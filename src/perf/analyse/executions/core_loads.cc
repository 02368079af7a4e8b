#include "perf/analyse/executions/core_loads.h"

#include <map>
#include <tuple>

namespace ttscope::perf {

std::vector<CoreLoad> core_loads(const DeviceProfile& log) {
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, CoreLoad> loads;
  for (const Execution& execution : log.executions) {
    for (std::uint32_t i = 0; i < execution.run_count; ++i) {
      const CoreRun& run = log.runs[execution.first_run + i];
      const CycleSpan kernels = run.kernels();
      if (!kernels.is_whole() || kernels.cycles() < 0) continue;
      CoreLoad& load = loads[{execution.key.device, run.y, run.x}];
      load = {execution.key.device, run.x, run.y,
              load.busy_cycles + static_cast<std::uint64_t>(kernels.cycles()), load.runs + 1};
    }
  }
  std::vector<CoreLoad> list;
  list.reserve(loads.size());
  for (const auto& [place, load] : loads) list.push_back(load);
  return list;
}

}  // namespace ttscope::perf
