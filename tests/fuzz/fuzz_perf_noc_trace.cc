// NoC traces, results and manifests of the simulator.
#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "perf/read/side_files.h"

TTSCOPE_FUZZ_TARGET(perf_noc_trace) {
  using namespace ttscope::perf;
  if (const auto summary = read_noc_trace("noc_trace_dev0_Op_ID1024.json", text)) {
    std::uint64_t transfers = 0;
    for (const auto& [type, count] : summary->by_type) transfers += count.transfers;
    ttscope::fuzz::require(transfers == summary->all.transfers, "transfers of all types are all transfers");
  }
  read_noc_trace(text.substr(0, text.find('\n')), "[]");
  read_npe_result(text);
  read_npe_manifest(text);
}
