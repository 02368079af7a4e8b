// The zones of the host, of a capture with three ops.
#include <string>

#include "fuzz/fuzz_target.h"
#include "perf/read/host_logs.h"
#include "support/perf_lines.h"

namespace {

ttscope::perf::HostCapture three_ops() {
  using namespace ttscope::testing;
  ttscope::perf::HostCapture capture;
  ttscope::perf::read_host_messages(kMessagesHead + op_message(1) + op_message(2) + op_message(1024),
                                    capture);
  return capture;
}

}  // namespace

TTSCOPE_FUZZ_TARGET(perf_host_zones) {
  static const ttscope::perf::HostCapture ops = three_ops();
  ttscope::perf::HostCapture capture = ops;
  ttscope::perf::read_host_zones(text, capture);
  for (const ttscope::perf::HostOp& op : capture.ops) {
    for (const ttscope::perf::ChildTime& child : op.children) {
      ttscope::fuzz::require(child.name < capture.child_names.size(), "a child has a name");
    }
  }
}
