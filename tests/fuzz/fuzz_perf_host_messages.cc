// The messages of the host.
#include <set>

#include "fuzz/fuzz_target.h"
#include "perf/read/host_logs.h"

TTSCOPE_FUZZ_TARGET(perf_host_messages) {
  ttscope::perf::HostCapture capture;
  ttscope::perf::read_host_messages(text, capture);
  std::set<std::uint64_t> ids;
  for (const ttscope::perf::HostOp& op : capture.ops) {
    ttscope::fuzz::require(op.info < capture.infos.size(), "an op has a description");
    ttscope::fuzz::require(ids.insert(op.id).second, "ids are distinct");
  }
}
