#include "graph/read/capture_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "graph/load.h"
#include "support/graph_text.h"
#include "support/temp_folder.h"

namespace ttscope::graph {
namespace {

using ::testing::HasSubstr;
using ::ttscope::testing::graph_text;
using ::ttscope::testing::random_capture;
using ::ttscope::testing::reference_graph_text;

constexpr std::string_view kSmall =
    R"json([{"arguments":[],"connections":[1,5],"counter":0,"input_tensors":[],"node_type":"capture_start","params":null,"stacking_level":0},
{"arguments":["Shape([1])","\"q\""],"connections":[2,3,4],"counter":1,"input_tensors":[],"node_type":"function_start","params":{"inputs":"2","name":"op"},"stacking_level":1},
{"arguments":[],"connections":[],"counter":2,"input_tensors":[],"node_type":"buffer","params":{"buffer_type":0,"device_id":1,"layout":"INTERLEAVED","size":64,"type":"DRAM"},"stacking_level":1},
{"arguments":[],"connections":[2],"counter":3,"input_tensors":[],"node_type":"buffer_allocate","params":{"address":32,"buffer_type":0,"device_id":1,"layout":"INTERLEAVED","max_size_per_bank":64,"num_cores":0,"page_size":64,"size":64,"type":"DRAM"},"stacking_level":1},
{"arguments":[],"connections":[5],"counter":4,"duration_ns":7,"input_tensors":[],"node_type":"function_end","params":{"name":"op"},"stacking_level":1},
{"arguments":[],"connections":[],"counter":5,"input_tensors":[],"node_type":"capture_end","params":null,"stacking_level":0}])json";

/// The first line that differs; empty if none does. A whole capture would be too long to show.
std::string first_difference(const std::string& left, const std::string& right) {
  std::istringstream one(left), other(right);
  std::string here, there;
  for (;;) {
    const bool has_one = static_cast<bool>(std::getline(one, here));
    const bool has_other = static_cast<bool>(std::getline(other, there));
    if (!has_one && !has_other) return "";
    if (has_one != has_other || here != there)
      return (has_one ? here : "end") + "\n" + (has_other ? there : "end");
  }
}

GraphCapture capture_of(std::string_view json) {
  Result<GraphCapture> capture = parse_graph_capture(json, "c.json");
  EXPECT_TRUE(capture.has_value()) << capture.error().message;
  return capture ? std::move(*capture) : GraphCapture();
}

std::string error_of(std::string_view json) {
  const Result<GraphCapture> capture = parse_graph_capture(json, "c.json");
  return capture ? "" : capture.error().message;
}

TEST(GraphTraceReader, ReadsEveryFieldOfANodeList) {
  const GraphCapture capture = capture_of(kSmall);
  ASSERT_EQ(capture.segments.size(), 1u);
  EXPECT_EQ(capture.format, GraphCapture::Format::kNodes);
  EXPECT_EQ(graph_text(capture.segments[0].trace), reference_graph_text(kSmall));
  EXPECT_EQ(
      graph_text(capture.segments[0].trace),
      "0 capture_start level 0 to 1,5: \n"
      "1 function_start level 1 to 2,3,4: op inputs 2 args Shape([1])|\"q\" in \n"
      "2 buffer level 1 to : @-1 size 64 bank -1 page -1 cores -1 dev 1 type 0 DRAM INTERLEAVED\n"
      "3 buffer_allocate level 1 to 2: @32 size 64 bank 64 page 64 cores 0 dev 1 type 0 DRAM INTERLEAVED\n"
      "4 function_end level 1 to 5: op ns 7\n"
      "5 capture_end level 0 to :  ns 0\n");
}

TEST(GraphTraceReader, AgreesWithTheObviousReaderOnRandomCaptures) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string json = random_capture(seed, 1 + seed * 7);
    const std::string read = graph_text(capture_of(json).segments.at(0).trace);
    ASSERT_EQ(first_difference(read, reference_graph_text(json)), "") << "seed " << seed;
  }
}

TEST(GraphTraceReader, AgreesWithItOverManyBlocks) {
  for (const std::uint64_t seed : {4711u, 4713u}) {
    const std::string json = random_capture(seed, 16000);  // several windows
    ASSERT_GT(json.size(), std::size_t{3} << 20);
    const std::string read = graph_text(capture_of(json).segments.at(0).trace);
    ASSERT_EQ(first_difference(read, reference_graph_text(json)), "");
  }
}

TEST(GraphTraceReader, ReadsReportsWithTheirDevices) {
  const std::string json =
      R"({"version":1,"devices":[{"device_id":4,"arch":"wormhole","l1_num_banks":64}],"graph":)" +
      std::string(kSmall) + R"(,"metadata":{"rank":3,"total_duration_ns":9}})";
  const GraphCapture capture = capture_of(json);
  EXPECT_EQ(capture.format, GraphCapture::Format::kReport);
  ASSERT_EQ(capture.devices.size(), 1u);
  EXPECT_EQ(capture.devices[0].arch, "wormhole");
  EXPECT_EQ(capture.devices[0].l1_num_banks, 64);
  EXPECT_EQ(capture.rank, 3);
  EXPECT_EQ(capture.segments.at(0).trace.size(), 6u);
}

TEST(GraphTraceReader, ReadsSegmentsWithTheirNames) {
  const std::string small(kSmall);
  const GraphCapture capture =
      capture_of("[{\"name\":\"A \\u00e9\",\"trace\":" + small + "},{\"trace\":" + small +
                 ",\"name\":\"A\"},{\"name\":\"none\",\"trace\":[]}]");
  EXPECT_EQ(capture.format, GraphCapture::Format::kSegments);
  ASSERT_EQ(capture.segments.size(), 3u);
  EXPECT_EQ(capture.segments[0].name, "A \u00e9");
  EXPECT_EQ(capture.segments[1].name, "A");
  EXPECT_EQ(capture.segments[1].trace.size(), 6u);
  EXPECT_EQ(capture.segments[2].trace.size(), 0u);
}

TEST(GraphTraceReader, ReadsOldCaptures) {
  const GraphCapture capture = capture_of(
      R"json([{"connections":[1],"counter":0,"node_type":"capture_start","params":{}},
          {"connections":[],"counter":1,"name":"function_start","params":{"inputs":"1","name":"ttnn::add"}},
          {"connections":[1],"counter":2,"name":"tensor[7]","params":{"shape":"ttnn.Shape([4, 3])"}},
          {"connections":[],"counter":3,"name":"circular_buffer_allocate","params":{"addr":"96","core_range_set":"{[(x=0,y=0) - (x=1,y=0)]}","globally_allocated":"false","size":"128"}},
          {"connections":[],"counter":4,"name":"function_end","params":{"name":"ttnn::add"}}])json");
  EXPECT_EQ(graph_text(capture.segments.at(0).trace),
            "0 capture_start level 0 to 1: \n"
            "1 function_start level 1 to : ttnn::add inputs 1 args  in \n"
            "2 tensor level 1 to 1: 7 @-1 ttnn.Shape([4, 3])    size -1 dev -1 type -1\n"
            "3 circular_buffer_allocate level 1 to : @96 size 128 dev -1 cores {[(x=0,y=0) - (x=1,y=0)]} "
            "borrowed 0\n"
            "4 function_end level 1 to : ttnn::add ns 0\n");
  EXPECT_FALSE(capture.segments.at(0).trace.has_levels);
}

TEST(GraphTraceReader, EveryTruncationIsAnErrorWithItsPlace) {
  const std::string small(kSmall);
  for (const std::string& whole : {small, R"({"graph":)" + small + R"(,"metadata":{"rank":0}})",
                                   "[{\"name\":\"n\",\"trace\":" + small + "}]"}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string message = error_of(std::string_view(whole).substr(0, size));
      ASSERT_THAT(message, HasSubstr("c.json")) << "cut at " << size;
    }
  }
}

TEST(GraphTraceReader, EveryDamagedByteGivesACaptureOrAnError) {
  const std::string whole(kSmall);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char bad : {'\0', '"', '{', '}', ']', '\\', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = bad;
      const Result<GraphCapture> capture = parse_graph_capture(damaged, "c.json");
      if (!capture) {
        ASSERT_FALSE(capture.error().message.empty());
      }
    }
  }
}

TEST(GraphTraceReader, ErrorsNameLineAndByte) {
  EXPECT_THAT(error_of("[{\"node_type\":\"buffer\"},\n 5]"), HasSubstr("c.json:2: expected a node"));
  EXPECT_THAT(error_of("[{\"counter\":0}]"), HasSubstr("without node_type"));
  // The place is that of the node, also behind others.
  EXPECT_THAT(
      error_of("[{\"node_type\":\"capture_start\"},\n{\"counter\":1},\n{\"counter\":2}]"),
      HasSubstr(":2: an object without node_type; expected a node of a graph capture (byte 32 of 61)"));
  EXPECT_THAT(error_of("[{\"node_type\":\"buffer_allocate\",\"params\":{\"size\":-4}}]"),
              HasSubstr("params of a buffer_allocate that cannot be read"));
  EXPECT_THAT(error_of("[]x"), HasSubstr("expected the end of the file"));
  EXPECT_THAT(error_of("{\"a\":1}"), HasSubstr("without \"graph\""));
  EXPECT_THAT(error_of(""), HasSubstr("expected a graph capture"));
  EXPECT_THAT(error_of(std::string(100000, '[')), HasSubstr("c.json:1"));
}

TEST(GraphTraceReader, TextsThatLookLikeBordersDoNotMislead) {
  std::string json = "[";
  for (int i = 0; i < 3000; ++i) {
    json += std::string(i > 0 ? "," : "") +
            R"({"arguments":["},{","\"}, {\"","x"],"connections":[],"counter":)" + std::to_string(i) +
            R"(,"input_tensors":[],"node_type":"function_start","params":{"name":"},{"},"stacking_level":1})";
  }
  json += "]";
  const GraphCapture capture = capture_of(json);
  EXPECT_EQ(capture.segments.at(0).trace.size(), 3000u);
  EXPECT_EQ(first_difference(graph_text(capture.segments.at(0).trace), reference_graph_text(json)), "");
}

TEST(GraphTraceReader, AMissingFileIsAnError) {
  const Result<GraphCapture> capture = read_graph_capture("no/such/file.json");
  ASSERT_FALSE(capture.has_value());
  EXPECT_THAT(capture.error().message, HasSubstr("cannot open"));
}

TEST(GraphTraceReader, RowsWithNamesWereReadAsNodesWithoutFigures) {
  const testing::TempFolder folder;
  const std::string path = folder.path() + "/rows.json";
  for (const std::string_view rows :
       {R"([{"name":"x"}])", R"([{"op":0,"name":"ttnn.add","connections":[0]}])",
        R"([{"name":"error","count":5},{"name":"buffer","count":7}])", R"({"n":1,"x":[{"name":"x"}]})"}) {
    std::ofstream(path) << rows;
    EXPECT_FALSE(read_graph_capture(path).has_value()) << rows;
  }
  // What the beginning alone does not tell stays readable: old types of nodes, and a report with much in
  // front.
  std::ofstream(path) << R"([{"counter":0,"name":"capture_start","connections":[1]},)"
                      << R"({"counter":1,"name":"capture_end","connections":[]}])";
  EXPECT_EQ(read_graph_capture(path)->segments.at(0).trace.size(), 2u);
  std::ofstream(path) << R"({"buffer_pages":")" << std::string(2 << 20, 'x')
                      << R"(","graph":[{"counter":0,"node_type":"capture_start","connections":[]}]})";
  EXPECT_EQ(read_graph_capture(path)->segments.at(0).trace.size(), 1u);
  std::ofstream(path) << R"({"buffer_pages":")" << std::string(2 << 20, 'x') << R"(","graph":[]})";
  EXPECT_TRUE(read_graph_capture(path).has_value());
}

TEST(GraphTraceReader, ADamagedDatabaseIsAnError) {
  const testing::TempFolder folder;
  const std::string path = folder.path() + "/db.sqlite";
  std::ofstream(path, std::ios::binary) << std::string("SQLite format 3\0", 16) << std::string(4000, 'x');
  const Result<GraphCapture> capture = read_graph_capture(path);
  ASSERT_FALSE(capture.has_value());
  EXPECT_THAT(capture.error().message, HasSubstr("db.sqlite"));
}

}  // namespace
}  // namespace ttscope::graph
