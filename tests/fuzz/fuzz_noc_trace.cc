// NoC traces, results and manifests of the simulator, clocks and zone lists.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "perf/read/host_logs/side_files.h"
#include "perf/read/noc_trace/noc_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ttscope::perf::PerfProblems problems;
  ttscope::perf::read_noc_trace("noc_trace_dev0_Op_ID1024.json", text);
  ttscope::perf::read_npe_result(text);
  ttscope::perf::read_npe_manifest(text);
  ttscope::perf::read_sync_info(text);
  ttscope::perf::find_zone_collisions(text, problems);
  return 0;
}
