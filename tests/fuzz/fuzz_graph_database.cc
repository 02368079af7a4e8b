// A db.sqlite of ttnn-visualizer.
#include "fuzz/fuzz_target.h"
#include "graph/read/capture_reader.h"
#include "support/graph_checks.h"

TTSCOPE_FUZZ_TARGET(graph_database) {
  const auto capture = ttscope::graph::parse_graph_database(text, "db.sqlite");
  if (capture) {
    ttscope::fuzz::require(ttscope::testing::broken_capture(*capture).empty(), "a capture is whole");
  } else {
    ttscope::fuzz::require(!capture.error().message.empty(), "an error says something");
  }
}
