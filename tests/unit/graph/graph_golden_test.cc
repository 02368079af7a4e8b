// All golden traces against the figures that the original's utilities give for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/json_reader.h"
#include "graph/analyze/figures.h"
#include "graph/analyze/trace_utilities.h"
#include "graph/load.h"
#include "graph/write/outputs.h"

namespace ttscope::graph {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

JsonTree tree_of(const std::string& path) {
  Result<JsonTree> tree = parse_json_tree(file_text(path), path);
  EXPECT_TRUE(tree.has_value()) << path;
  return tree ? std::move(*tree) : JsonTree();
}

/// Whether the original has a figure here; on inputs where it fails, ours may do better.
bool has_figure(const JsonTree* golden) { return golden != nullptr && !golden->is(JsonTree::Kind::kText); }
bool is_exception(const JsonTree* golden) {
  return golden != nullptr && golden->is(JsonTree::Kind::kText) && golden->content().starts_with("EXC");
}

template <typename Numbers>
std::string dump(const Numbers& numbers) {
  JsonTree list = JsonTree::array();
  for (const auto number : numbers)
    list.items().push_back(JsonTree::integer(static_cast<std::int64_t>(number)));
  return list.dump();
}
std::string dump_texts(const std::vector<std::string>& texts) {
  JsonTree list = JsonTree::array();
  for (const std::string& text : texts) list.items().push_back(JsonTree::text(text));
  return list.dump();
}

std::string dump(const L1Usage& usage) {
  return "{\"peak_cb\": " + std::to_string(usage.peak_cb) +
         ", \"peak_dataflow_buffer\": " + std::to_string(usage.peak_dataflow_buffer) +
         ", \"peak_l1\": " + std::to_string(usage.peak_l1) +
         ", \"peak_scratchpad\": " + std::to_string(usage.peak_scratchpad) +
         ", \"peak_total\": " + std::to_string(usage.peak_total) + "}";
}
std::string dump(const DramUsage& usage) {
  return "{\"peak\": " + std::to_string(usage.peak) +
         ", \"total_allocations\": " + std::to_string(usage.total_allocations) +
         ", \"total_deallocations\": " + std::to_string(usage.total_deallocations) + "}";
}

std::string dump(const std::vector<LevelizedVertex>& graph) {
  std::string text = "[";
  for (const LevelizedVertex& vertex : graph) {
    if (text.size() > 1) text += ", ";
    text += "{\"arguments\": " + dump_texts(vertex.arguments) +
            ", \"counter\": " + std::to_string(vertex.counter) + ", \"in_edges\": " + dump(vertex.in_edges) +
            ", \"internals\": " + dump(vertex.internals) +
            ", \"name\": " + JsonTree::text(vertex.name).dump() +
            ", \"out_edges\": " + dump(vertex.out_edges) +
            ", \"output_info\": " + dump_texts(vertex.output_info) +
            ", \"output_shape\": " + dump_texts(vertex.output_shape) +
            ", \"stacking_level\": " + std::to_string(vertex.stacking_level) + "}";
  }
  return text + "]";
}

std::string dump(const std::vector<OutputInfo>& infos) {
  std::string text = "[";
  for (const OutputInfo& info : infos) {
    if (text.size() > 1) text += ", ";
    text += "{\"shape\": " + dump(info.shape) + ", \"size\": " + std::to_string(info.size_bytes) +
            ", \"type\": \"" + info.type + "\"}";
  }
  return text + "]";
}

class GraphGolden : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* shared = std::getenv("TTSCOPE_SHARED_DIR");
    if (shared == nullptr) GTEST_SKIP() << "skipped: needs TTSCOPE_SHARED_DIR";
    folder_ = std::string(shared) + "/data/graph-traces/";
    if (!std::ifstream(folder_ + "golden_figures.json"))
      GTEST_SKIP() << "skipped: no golden graph traces there";
  }

  std::string folder_;
};

void check_figures(const GraphTrace& trace, const JsonTree& golden) {
  if (const JsonTree* names = golden.find("calltrace"); has_figure(names)) {
    EXPECT_EQ(dump_texts(extract_calltrace(trace)), names->dump());
  }
  if (const JsonTree* dram = golden.find("dram"); has_figure(dram)) {
    EXPECT_EQ(dump(*dram_usage(trace)), dram->dump());
  }
  const JsonTree* const l1 = golden.find("resource_usage_per_core");
  const Result<L1Usage> usage = l1_usage(trace, kCompatRules);
  if (has_figure(l1)) {
    EXPECT_EQ(dump(*usage), l1->dump());
    // None of these wraps or has several chips, so nothing is corrected.
    EXPECT_EQ(dump(*l1_usage(trace, kCorrectedRules)), l1->dump());
    EXPECT_EQ(*extract_peak_memory_usage(trace), usage->peak_total);
    EXPECT_EQ(*extract_circular_buffers_peak_size_per_core(trace), usage->peak_cb);
    EXPECT_EQ(*extract_l1_buffer_allocation_peak_size_per_core(trace), usage->peak_l1);
  } else if (is_exception(l1) && l1->content().find("node_type") == std::string::npos) {
    EXPECT_FALSE(usage.has_value()) << l1->content();
  }
  if (const JsonTree* peak = golden.find("peak_L1_legacy"); has_figure(peak)) {
    EXPECT_EQ(std::to_string(extract_peak_l1_memory_usage(trace)), peak->content());
  }
}

void check_outputs(const GraphTrace& trace, const JsonTree& golden) {
  const JsonTree* const tensors = golden.find("output_tensors");
  if (has_figure(tensors)) {
    EXPECT_EQ(dump(*extract_output_tensors(trace)), tensors->dump());
  }
  if (is_exception(tensors) && tensors->content().find("No function_end") != std::string::npos) {
    EXPECT_EQ("EXC: " + extract_output_tensors(trace).error().message, tensors->content());
  }
  const JsonTree* const counts = golden.find("count_intermediate_and_output");
  if (has_figure(counts)) {
    const TensorCounts found = *count_intermediate_and_output_tensors(trace);
    EXPECT_EQ(dump(std::vector<std::size_t>{found.intermediate, found.output}), counts->dump());
  } else if (is_exception(counts) && counts->content().find("last_end_index") != std::string::npos) {
    EXPECT_FALSE(count_intermediate_and_output_tensors(trace).has_value());
  }
  if (const JsonTree* infos = golden.find("output_info"); has_figure(infos)) {
    EXPECT_EQ(dump(*extract_output_info(trace)), infos->dump());
  }
}

TEST_F(GraphGolden, EveryUtilityGivesTheOriginalsFigures) {
  const JsonTree golden = tree_of(folder_ + "golden_figures.json");
  ASSERT_GE(golden.keys().size(), 70u);
  for (std::size_t i = 0; i < golden.keys().size(); ++i) {
    SCOPED_TRACE(golden.keys()[i]);
    const Result<GraphCapture> capture = read_graph_capture(folder_ + golden.keys()[i]);
    ASSERT_TRUE(capture.has_value()) << capture.error().message;
    const GraphTrace& trace = capture->segments.at(0).trace;
    check_figures(trace, golden.items()[i]);
    check_outputs(trace, golden.items()[i]);
    for (const std::uint32_t level : {1u, 2u}) {
      const JsonTree* const graph = golden.items()[i].find("levelized_" + std::to_string(level));
      if (has_figure(graph)) {
        EXPECT_EQ(dump(*levelized_graph(trace, level)), graph->dump());
      }
      if (is_exception(graph)) {
        EXPECT_FALSE(levelized_graph(trace, level).has_value());
      }
    }
  }
}

TEST_F(GraphGolden, SegmentsHaveTheOriginalsBytesAndText) {
  const JsonTree golden = tree_of(folder_ + "current_format/segments_expected_bytes.json");
  std::size_t found = 0;
  for (std::size_t i = 0; i < golden.keys().size(); ++i) {
    SCOPED_TRACE(golden.keys()[i]);
    const std::string path = folder_ + "current_format/" + golden.keys()[i];
    if (!std::ifstream(path)) continue;  // figures of a trace that was not collected
    ++found;
    const Result<GraphCapture> capture = read_graph_capture(path);
    ASSERT_TRUE(capture.has_value()) << capture.error().message;
    ASSERT_EQ(capture->segments.size(), golden.items()[i].items().size());
    std::vector<SegmentFigures> figures;
    for (std::size_t s = 0; s < capture->segments.size(); ++s) {
      const GraphSegment& segment = capture->segments[s];
      const JsonTree& expected = golden.items()[i].items()[s];
      figures.push_back({segment.name, *dram_usage(segment.trace), *l1_usage(segment.trace, kCompatRules)});
      EXPECT_EQ(segment.name, expected.find("name")->content());
      EXPECT_EQ(dump(figures.back().dram), expected.find("dram")->dump());
      EXPECT_EQ(dump(figures.back().l1), expected.find("l1_per_core")->dump());
      EXPECT_EQ(std::to_string(extract_peak_l1_memory_usage(segment.trace)),
                expected.find("legacy_peak_L1")->content());
    }
    const std::string text = path.substr(0, path.size() - 5) + ".expected.txt";
    EXPECT_EQ(memory_usage_summary(figures), file_text(text));
  }
  EXPECT_GE(found, 8u);
}

}  // namespace
}  // namespace ttscope::graph
