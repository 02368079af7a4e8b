// A graph capture of any form: what its nodes refer to is there.
#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "graph/read/capture_reader.h"
#include "support/graph_checks.h"

TTSCOPE_FUZZ_TARGET(graph_trace) {
  const auto capture = ttscope::graph::parse_graph_capture(text, "capture");
  if (capture) {
    ttscope::fuzz::require(ttscope::testing::broken_capture(*capture).empty(), "a capture is whole");
  } else {
    ttscope::fuzz::require(!capture.error().message.empty(), "an error says something");
  }
}
