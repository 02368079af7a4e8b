#include "graph/write/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "graph/analyze/figures.h"
#include "graph/load.h"
#include "graph/read/capture_reader.h"

namespace ttscope::graph {
namespace {

std::string json_of(std::span<const GraphSegment> segments) {
  StringWriter out;
  JsonWriter json(out, {.ascii = true});
  write_graph_segments(json, segments);
  EXPECT_TRUE(out.finish());
  return out.text();
}

void expect_same(const GraphTrace& found, const GraphTrace& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::uint32_t node = 0; node < expected.size(); ++node) {
    SCOPED_TRACE(node);
    EXPECT_EQ(found.kinds[node], expected.kinds[node]);
    EXPECT_EQ(found.counter(node), expected.counter(node));
    const auto found_edges = found.connections_of(node);
    const auto edges = expected.connections_of(node);
    EXPECT_TRUE(std::equal(found_edges.begin(), found_edges.end(), edges.begin(), edges.end()));
    if (expected.kinds[node] != NodeKind::kFunctionStart) continue;
    EXPECT_EQ(found.text(found.function_of(node).name), expected.text(expected.function_of(node).name));
    EXPECT_EQ(decode_arguments(found.function_of(node).arguments_json),
              decode_arguments(expected.function_of(node).arguments_json));
  }
}

/// Written and read again, a capture has the same nodes, edges and figures.
void expect_round_trip(const GraphCapture& capture, const std::string& name) {
  SCOPED_TRACE(name);
  const auto again = parse_graph_capture(json_of(capture.segments), name);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->segments.size(), capture.segments.size());
  for (std::size_t i = 0; i < capture.segments.size(); ++i) {
    const GraphTrace& before = capture.segments[i].trace;
    const GraphTrace& after = again->segments[i].trace;
    EXPECT_EQ(again->segments[i].name, capture.segments[i].name);
    expect_same(after, before);
    EXPECT_EQ(dram_usage(after).has_value(), dram_usage(before).has_value());
    EXPECT_EQ(dram_usage(after).value_or(DramUsage()), dram_usage(before).value_or(DramUsage()));
    for (const Rules& rules : {kCorrectedRules, kCompatRules}) {
      const auto figures = l1_usage(before, rules);
      const auto figures_after = l1_usage(after, rules);
      ASSERT_EQ(figures.has_value(), figures_after.has_value());
      EXPECT_EQ(figures.value_or(L1Usage()), figures_after.value_or(L1Usage()));
    }
  }
}

TEST(GraphNodes, EveryRecordedCaptureReadsBack) {
  const char* shared = std::getenv("TTSCOPE_SHARED_DIR");
  if (shared == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SHARED_DIR is not set, no recorded captures here";
  int read = 0;
  for (const char* folder : {"current_format", "blackhole_p150b", "trace_utils_unit_tests", "doc"}) {
    const std::string path = std::string(shared) + "/data/graph-traces/" + folder;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string file = entry.path().string();
      if (entry.path().extension() != ".json" || file.find("expected_bytes") != std::string::npos) continue;
      const auto capture = read_graph_capture(file);
      if (!capture) continue;
      expect_round_trip(*capture, file);
      ++read;
    }
  }
  EXPECT_GT(read, 15);
}

TEST(GraphNodes, TextsAreEscaped) {
  GraphSegment segment;
  segment.name = "quote \" and \x01";
  const std::string json = json_of({&segment, 1});
  EXPECT_EQ(json, R"([{"name":"quote \" and \u0001","trace":[]}])");
}

}  // namespace
}  // namespace ttscope::graph
