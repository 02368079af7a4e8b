#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "graph/analyze/figures.h"
#include "graph/analyze/segment_profile.h"
#include "graph/analyze/trace_utilities.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

GraphTraceBuilder::Buffer buffer(std::int64_t buffer_type, std::int64_t size, std::int64_t per_bank) {
  GraphTraceBuilder::Buffer made;
  made.buffer_type = buffer_type;
  made.size_bytes = size;
  made.max_size_per_bank_bytes = per_bank;
  made.page_size_bytes = 32;
  made.device_id = 1;
  return made;
}

constexpr std::int64_t kDram = 0;
constexpr std::int64_t kL1 = 1;

/// A builder that ties each event to a buffer node of its own.
struct Capture {
  GraphTraceBuilder builder;

  std::uint32_t allocate(const GraphTraceBuilder::Buffer& made, std::int64_t address = 0) {
    const std::uint32_t node = builder.add_buffer(made, 0);
    builder.connect(builder.add_buffer_allocate(made, address, 0), node);
    return node;
  }
  void free(std::uint32_t node, const GraphTraceBuilder::Buffer& made) {
    builder.connect(builder.add_buffer_deallocate(made, 0, 0), node);
  }
  void circular(std::int64_t size, std::int64_t device, std::string_view cores, bool borrowed = false) {
    builder.add_program_buffer(NodeKind::kCircularBufferAllocate, {size, 0, device, cores, borrowed}, 0);
  }
  GraphTrace finish() { return builder.finish(); }
};

TEST(GraphFigures, DramStartsAtTheBeginOfTheCapture) {
  Capture capture;
  const auto older = buffer(kDram, 3000, 300);
  const auto small = buffer(kDram, 1000, 100);
  capture.free(capture.builder.add_buffer(older, 0), older);
  capture.allocate(small);
  const GraphTrace trace = capture.finish();
  EXPECT_EQ(*dram_usage(trace), (DramUsage{0, 1000, 3000}));
}

TEST(GraphFigures, OlderL1DoesNotWrapUnlessAskedFor) {
  Capture capture;
  const auto older = buffer(kL1, 9999, 2048);
  capture.free(capture.builder.add_buffer(older, 0), older);
  capture.allocate(buffer(kL1, 9999, 1024));
  const GraphTrace trace = capture.finish();
  EXPECT_EQ(l1_usage(trace, kCompatRules)->peak_l1, 18446744073709550592u);
  EXPECT_EQ(l1_usage(trace, kCorrectedRules)->peak_l1, 0u);
  EXPECT_THAT(differences_from_original(trace), ElementsAre(Difference{DifferenceKind::kOlderL1Freed, 2048}));
}

TEST(GraphFigures, CircularBuffersOfSeveralChipsAreNotAddedUp) {
  Capture capture;
  for (std::int64_t chip = 0; chip < 8; ++chip) capture.circular(12288, chip, "{[0-0 - 7-7]}");
  const GraphTrace trace = capture.finish();
  EXPECT_EQ(l1_usage(trace, kCompatRules)->peak_cb, 98304u);
  EXPECT_EQ(l1_usage(trace, kCorrectedRules)->peak_cb, 12288u);
  EXPECT_THAT(differences_from_original(trace), ElementsAre(Difference{DifferenceKind::kChipsApart, 8}));
}

TEST(GraphFigures, BorrowedCircularBuffersTakeNothing) {
  Capture capture;
  capture.circular(4096, 0, "{[0-0 - 0-0]}", true);
  const GraphTrace trace = capture.finish();
  EXPECT_EQ(*l1_usage(trace, kCorrectedRules), L1Usage());
  EXPECT_THAT(differences_from_original(trace), IsEmpty());
}

TEST(GraphFigures, SegmentsAddUpToTheSession) {
  const std::vector<SegmentFigures> segments = {
      {"a", {100, 100, 40}, {}}, {"b", {30, 30, 90}, {}}, {"c", {500, 500, 0}, {}}};
  const std::vector<CumulativeDram> sums = cumulative_dram(segments);
  EXPECT_EQ(sums[0].peak, 100);
  EXPECT_EQ(sums[1].peak, 100);
  EXPECT_EQ(sums[1].current, 0);
  EXPECT_EQ(sums[2].peak, 500);
  EXPECT_EQ(sums[2].current, 500);
}

TEST(SegmentProfile, BusiestCoreTellsDisjointRangesApart) {
  Capture capture;
  capture.allocate(buffer(kL1, 6400, 100));
  capture.circular(1000, 0, "{[0-0 - 3-0]}");
  capture.circular(600, 0, "{[4-0 - 7-0]}");
  capture.circular(50, 0, "{[(x=7,y=0) - (x=7,y=0)]}");
  const GraphTrace trace = capture.finish();
  const Result<SegmentProfile> profile = profile_segment(trace, kCorrectedRules);
  ASSERT_TRUE(profile.has_value());
  EXPECT_EQ(profile->l1.peak_cb, 1650u);  // as the tracker sums
  EXPECT_EQ(profile->busiest_core.peak_cb_bytes, 1000);
  EXPECT_EQ(profile->busiest_core.peak_total_bytes, 1100);
  EXPECT_EQ(profile->busiest_core.x, 0);
}

TEST(SegmentProfile, WhatIsLiveAddsUpToThePeak) {
  Capture capture;
  const auto first = buffer(kDram, 100, 10);
  const auto second = buffer(kDram, 70, 10);
  capture.builder.add_function_start("outer", {}, 1);
  const std::uint32_t node = capture.allocate(first);
  capture.builder.add_function_start("inner", {}, 2);
  capture.allocate(second);
  capture.builder.add_function_end("inner", 5, 2);
  capture.free(node, first);
  capture.builder.add_function_end("outer", 9, 1);
  capture.allocate(buffer(kDram, 60, 10));
  const GraphTrace trace = capture.finish();
  const SegmentProfile profile = *profile_segment(trace, kCorrectedRules);
  EXPECT_EQ(profile.dram_peak.bytes, 170);
  std::int64_t sum = -profile.dram_peak.older_freed_bytes;
  for (const std::uint32_t index : profile.dram_peak.live) sum += profile.buffers[index].size_bytes;
  EXPECT_EQ(sum, profile.dram.peak);
  ASSERT_EQ(profile.calls.size(), 2u);
  EXPECT_EQ(profile.calls[0].dram_allocated_bytes, 170);  // with the inner call
  EXPECT_EQ(profile.calls[0].dram_freed_bytes, 100);
  EXPECT_EQ(profile.calls[1].dram_allocated_bytes, 70);
  EXPECT_EQ(profile.calls[1].parent, 0u);
  EXPECT_EQ(profile.dram_peak.call, 1u);
}

TEST(SegmentProfile, CurveHasTheHighestOfEachPoint) {
  Capture capture;
  const auto made = buffer(kDram, 10, 1);
  for (int i = 0; i < 100; ++i) capture.free(capture.allocate(made), made);
  const GraphTrace trace = capture.finish();
  const UsageCurve curve = usage_curve(trace, 20);
  EXPECT_LE(curve.nodes.size(), 20u);
  EXPECT_THAT(curve.dram_bytes, ::testing::Each(10));
}

TEST(CoreRanges, AreReadInAllForms) {
  const std::vector<CoreRange> two = {{0, 0, 7, 7}, {0, 8, 3, 8}};
  EXPECT_EQ(parse_core_ranges("{[0-0 - 7-7], [0-8 - 3-8]}"), two);
  EXPECT_EQ(parse_core_ranges("{[(x=0,y=0) - (x=7,y=7)], [(x=0,y=8) - (x=3,y=8)]}"), two);
  EXPECT_EQ(parse_core_ranges(R"([{"start":{"x":0,"y":0},"end":{"x":7,"y":7}}])"),
            (std::vector<CoreRange>{two[0]}));
  for (const char* const bad : {"", "{}", "{[0-0 - 7]}", "{[5-5 - 1-1]}", "{[0-0 - 99999999999-1]}"}) {
    EXPECT_EQ(parse_core_ranges(bad), std::nullopt) << bad;
  }
}

TEST(TraceUtilities, PrettyFormatIndentsByFunctions) {
  GraphTraceBuilder builder;
  builder.add_capture_start();
  builder.add_function_start("add", {}, 1);
  builder.add_deallocate_all(1, 1);
  builder.add_function_end("add", 0, 1);
  const GraphTrace trace = builder.finish();
  const std::string text = *pretty_format(trace);
  EXPECT_EQ(text, "Capture Start" + std::string(37, ' ') + "\nFunction Start: add" + std::string(31, ' ') +
                      "\n    Deallocate All Program-Scope L1" + std::string(15, ' ') +
                      "\nFunction End:   add" + std::string(31, ' ') + "\n");
}

TEST(TraceUtilities, OutputBufferSizeKnowsItsMemory) {
  GraphTraceBuilder builder;
  const auto in_l1 = buffer(kL1, 640, 64);
  const auto in_dram = buffer(kDram, 640, 64);
  std::vector<std::uint32_t> tensors;
  for (const auto& made : {in_l1, in_dram}) {
    const std::uint32_t node = builder.add_buffer(made, 0);
    builder.connect(builder.add_buffer_allocate(made, 0, 0), node);
    tensors.push_back(builder.add_tensor({}, 0));
    builder.connect(node, tensors.back());
  }
  const GraphTrace trace = builder.finish();
  EXPECT_EQ(*extract_l1_output_buffer_allocation_size_per_core(trace, tensors[0]), 64);
  EXPECT_EQ(extract_l1_output_buffer_allocation_size_per_core(trace, tensors[1]).error().message,
            "No L1 allocation. Tensor is in DRAM");
}

TEST(TraceUtilities, ArgumentsAreDecoded) {
  GraphTraceBuilder builder;
  const std::vector<std::string> arguments = {"Shape([1])", "quote \" and \\ and é"};
  builder.add_function_start("op", arguments, 1);
  const GraphTrace trace = builder.finish();
  ASSERT_EQ(extract_arguments(trace).size(), 1u);
  EXPECT_EQ(extract_arguments(trace)[0].second, arguments);
}

}  // namespace
}  // namespace ttscope::graph
