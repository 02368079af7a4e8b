// NoC traces, results and manifests of the simulator, clocks and zone lists.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "input/noc_trace/noc_trace.h"
#include "input/perf_logs/side_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ttscope::PerfProblems problems;
  ttscope::input::read_noc_trace("noc_trace_dev0_Op_ID1024.json", text);
  ttscope::input::read_npe_result(text);
  ttscope::input::read_npe_manifest(text);
  ttscope::input::read_sync_info(text);
  ttscope::input::find_zone_collisions(text, problems);
  return 0;
}
