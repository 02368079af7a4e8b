#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ttscope/autograd.h>
#include <ttscope/memory_usage_tracker.h>
#include <ttscope/ops.h>

#include <thread>

#include "graph/analyze/figures.h"
#include "graph/load.h"
#include "support/temp_folder.h"

namespace ttscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class Tracker : public ::testing::Test {
 protected:
  void SetUp() override { MemoryUsageTracker::clear(); }
  void TearDown() override { MemoryUsageTracker::clear(); }
  sim::Tensor square(std::uint32_t side, const sim::MemoryConfig& memory = {}) const {
    return sim::empty(device_, {.shape = {1, 1, side, side}, .memory = memory});
  }
  sim::Device device_{sim::DeviceSpec::n150()};
};

TEST_F(Tracker, SegmentsAreWhatLiesBetweenSnapshots) {
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  const sim::Tensor a = square(64);
  MemoryUsageTracker::snapshot("first");
  static_cast<void>(square(512));
  MemoryUsageTracker::snapshot("second");
  MemoryUsageTracker::end_capture();
  EXPECT_THAT(MemoryUsageTracker::get_trace_names(), ElementsAre("first", "second", "END_TRACE"));
  EXPECT_EQ(MemoryUsageTracker::get_dram_usage("first"), (DRAMUsage{8192, 8192, 0}));
  EXPECT_EQ(MemoryUsageTracker::get_dram_usage("second"), (DRAMUsage{524288, 524288, 524288}));
  EXPECT_EQ(MemoryUsageTracker::get_dram_usage(), DRAMUsage{});
}

TEST_F(Tracker, ErrorsAreThoseOfTheOriginal) {
  const auto throws = [](const std::string& text) { return ThrowsMessage<std::runtime_error>(text); };
  EXPECT_THAT([] { MemoryUsageTracker::snapshot("x"); },
              throws("MemoryUsageTracker: Cannot snapshot - capture is not active"));
  EXPECT_NO_THROW(MemoryUsageTracker::end_capture());
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  EXPECT_THAT([] { static_cast<void>(MemoryUsageTracker::begin_capture()); },
              throws("MemoryUsageTracker: Capture already active"));
  MemoryUsageTracker::snapshot("repeated");
  MemoryUsageTracker::snapshot("repeated");
  MemoryUsageTracker::end_capture("unique");
  EXPECT_THAT([] { static_cast<void>(MemoryUsageTracker::get_dram_usage("no_such_trace")); },
              throws("MemoryUsageTracker: Trace 'no_such_trace' not found"));
  const std::string ambiguous =
      "MemoryUsageTracker: Trace 'repeated' is ambiguous (2 segments share this name); use "
      "get_dram_usage_all()/get_l1_usage_all() instead";
  EXPECT_THAT([] { static_cast<void>(MemoryUsageTracker::get_dram_usage("repeated")); }, throws(ambiguous));
  EXPECT_THAT([] { static_cast<void>(MemoryUsageTracker::get_l1_usage("repeated")); }, throws(ambiguous));
  EXPECT_EQ(MemoryUsageTracker::get_dram_usage_all().size(), 3u);
  EXPECT_EQ(MemoryUsageTracker::get_l1_usage_all().size(), 3u);
}

TEST_F(Tracker, AnotherThreadMayReadButNotSnapshot) {
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  MemoryUsageTracker::snapshot("first");
  std::thread([] {
    EXPECT_THROW(MemoryUsageTracker::snapshot("second"), std::runtime_error);
    EXPECT_THROW(MemoryUsageTracker::end_capture(), std::runtime_error);
    EXPECT_THAT(MemoryUsageTracker::get_trace_names(), ElementsAre("first"));
  }).join();
  MemoryUsageTracker::snapshot("second");
  EXPECT_EQ(MemoryUsageTracker::get_trace_names().size(), 2u);
}

TEST_F(Tracker, AGuardEndsAndClearsAndSaysWhatWasLost) {
  {
    const ScopeGuard guard = MemoryUsageTracker::begin_capture();
    MemoryUsageTracker::snapshot("kept for nobody");
  }
  EXPECT_THAT(MemoryUsageTracker::get_trace_names(), IsEmpty());
  EXPECT_EQ(MemoryUsageTracker::memory_usage_text(),
            "WARNING: No traces captured\nNote: the guard of begin_capture went out of scope and cleared 2 "
            "segments "
            "before they were read: kept for nobody, END_TRACE\n");
  EXPECT_EQ(MemoryUsageTracker::memory_usage_text(Figures::kOriginal), "WARNING: No traces captured\n");
}

TEST_F(Tracker, AGuardSaysNothingWhenAllWasRead) {
  {
    const ScopeGuard guard = MemoryUsageTracker::begin_capture();
    MemoryUsageTracker::end_capture();
    static_cast<void>(MemoryUsageTracker::get_dram_usage());
  }
  EXPECT_EQ(MemoryUsageTracker::memory_usage_text(), "WARNING: No traces captured\n");
}

TEST_F(Tracker, AReleasedGuardLeavesTheSession) {
  {
    ScopeGuard guard = MemoryUsageTracker::begin_capture();
    guard.release();
  }
  MemoryUsageTracker::end_capture("after");
  EXPECT_THAT(MemoryUsageTracker::get_trace_names(), ElementsAre("after"));
}

TEST_F(Tracker, SegmentsOfAnEarlierSessionStayInFront) {
  {
    ScopeGuard guard = MemoryUsageTracker::begin_capture();
    guard.release();
    MemoryUsageTracker::end_capture("early");
  }
  ScopeGuard guard = MemoryUsageTracker::begin_capture();
  guard.release();
  MemoryUsageTracker::end_capture("late");
  EXPECT_THAT(MemoryUsageTracker::get_trace_names(), ElementsAre("early", "late"));
}

TEST_F(Tracker, ClearEndsACaptureThatIsActive) {
  ScopeGuard guard = MemoryUsageTracker::begin_capture(RunMode::NO_DISPATCH);
  guard.release();
  EXPECT_EQ(square(64).address(), 0u);
  MemoryUsageTracker::clear();
  EXPECT_NE(square(64).address(), 0u) << "nothing is blocked any more";
  ScopeGuard again = MemoryUsageTracker::begin_capture();
  again.release();
}

TEST_F(Tracker, NoDispatchUnblocksWithTheEnd) {
  const ScopeGuard guard = MemoryUsageTracker::begin_capture(RunMode::NO_DISPATCH);
  MemoryUsageTracker::snapshot("one");
  EXPECT_EQ(square(64).address(), 0u);
  MemoryUsageTracker::end_capture();
  EXPECT_NE(square(64).address(), 0u);
}

// The table of the upstream tests; binaries as this device models them.
TEST_F(Tracker, L1IsThatOfABank) {
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  const sim::Tensor a = square(256, sim::MemoryConfig::l1());
  const sim::Tensor b = square(256, sim::MemoryConfig::l1());
  MemoryUsageTracker::snapshot("inputs");
  const sim::Tensor c = sim::add(a, b);
  MemoryUsageTracker::end_capture("add");
  EXPECT_EQ(MemoryUsageTracker::get_l1_usage("inputs").peak_l1, 4096u);
  EXPECT_EQ(MemoryUsageTracker::get_l1_usage("add"), (PeakMemoryUsagePerCore{12288, 2048, 0, 0, 14336}));
  EXPECT_EQ(MemoryUsageTracker::get_dram_usage("add").total_allocations, 10240);
}

// A program cache that is off frees the binary with the operation; the device keeps it otherwise.
TEST_F(Tracker, AProductInAScopeLeavesItsBinaryAsOnTheDevice) {
  const auto multiply = [this] {
    const sim::Tensor a = sim::empty(device_, {.shape = {64, 128}, .memory = {}});
    const sim::Tensor b = sim::empty(device_, {.shape = {128, 64}, .memory = {}});
    static_cast<void>(sim::matmul(a, b));
  };
  for (const bool cached : {true, false}) {
    device_.enable_program_cache(cached);
    const ScopeGuard guard = MemoryUsageTracker::begin_capture();
    multiply();
    MemoryUsageTracker::end_capture();
    const DRAMUsage usage = MemoryUsageTracker::get_dram_usage();
    EXPECT_EQ(usage.peak, 57344);
    EXPECT_EQ(usage.total_allocations - usage.total_deallocations, cached ? 16384 : 0);
  }
}

TEST_F(Tracker, SeveralOperationsNeedWhatTheyNeedOnTheDevice) {
  const auto tensor = [this](const sim::Shape& shape) {
    return sim::empty(device_, {.shape = shape, .memory = {}});
  };
  const sim::Tensor a = tensor({1, 1, 128, 32});
  const sim::Tensor b = tensor({1, 1, 128, 32});
  const sim::Tensor c = tensor({1, 1, 32, 128});
  std::vector<train::TensorPtr> heads;
  for (int i = 0; i < 3; ++i) heads.push_back(train::make_tensor(tensor({1, 6, 256, 64})));
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  const sim::Tensor sum = sim::add(a, b);
  const sim::Tensor scaled = sim::multiply(b, 2.0F);
  const sim::Tensor product = sim::matmul(scaled, c);
  const train::TensorPtr mixed = train::attention(heads[0], heads[1], heads[2], nullptr);
  MemoryUsageTracker::end_capture();
  const DRAMUsage usage = MemoryUsageTracker::get_dram_usage();
  EXPECT_EQ(usage.peak, 524288);
  EXPECT_EQ(usage.total_allocations - usage.total_deallocations, 524288);
  EXPECT_EQ(MemoryUsageTracker::get_l1_usage().peak_l1, 0u);
  train::Graph::current().reset();
}

TEST_F(Tracker, SnapshotsOfSmallOperationsAreThoseOfTheDevice) {
  device_.enable_program_cache(false);
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  const sim::Tensor a = square(64);
  const sim::Tensor b = square(64);
  const sim::Tensor sum = sim::add(a, b);
  MemoryUsageTracker::snapshot("add");
  const sim::Tensor c = sim::empty(device_, {.shape = {128, 64}, .memory = {}});
  const sim::Tensor d = sim::empty(device_, {.shape = {64, 128}, .memory = {}});
  const sim::Tensor product = sim::matmul(c, d);
  MemoryUsageTracker::snapshot("matmul");
  const sim::Tensor e = sim::to_memory_config(square(256), sim::MemoryConfig::l1());
  MemoryUsageTracker::end_capture("copy");
  EXPECT_EQ(MemoryUsageTracker::get_dram_usage("add"), (DRAMUsage{34816, 34816, 10240}));
  EXPECT_EQ(MemoryUsageTracker::get_dram_usage("matmul"), (DRAMUsage{83968, 83968, 18432}));
  EXPECT_EQ(MemoryUsageTracker::get_dram_usage("copy"), (DRAMUsage{135168, 135168, 135168}));
}

TEST_F(Tracker, ShardsAreUsedInPlace) {
  const sim::MemoryConfig memory{sim::BufferType::kL1, sim::BufferLayout::kWidthSharded,
                                 sim::ShardSpec{4, 128, 32}};
  const sim::Tensor a = square(128, memory);
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  const sim::Tensor c = sim::add(a, a);
  MemoryUsageTracker::end_capture();
  EXPECT_EQ(MemoryUsageTracker::get_l1_usage(), (PeakMemoryUsagePerCore{0, 8192, 0, 0, 8192}));
}

TEST_F(Tracker, TheOriginalWrapsAndCountsChipsAndTheNotesSaySo) {
  const sim::Device mesh(sim::DeviceSpec::n300());
  const auto in_l1 = [&](std::uint32_t side) {
    return sim::empty(mesh, {.shape = {1, 1, side, side}, .memory = sim::MemoryConfig::l1()});
  };
  sim::Tensor old = in_l1(1024);
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  old = sim::Tensor();
  const sim::Tensor a = in_l1(32);
  static_cast<void>(sim::add(a, a));
  MemoryUsageTracker::end_capture();
  const PeakMemoryUsagePerCore corrected = MemoryUsageTracker::get_l1_usage();
  const PeakMemoryUsagePerCore original = MemoryUsageTracker::get_l1_usage("END_TRACE", Figures::kOriginal);
  EXPECT_EQ(original.peak_cb, 2 * corrected.peak_cb);
  EXPECT_GT(original.peak_total, std::uint64_t{1} << 63);
  EXPECT_LT(corrected.peak_total, std::uint64_t{1} << 20);
  EXPECT_FALSE(MemoryUsageTracker::notes().empty());
  EXPECT_THAT(MemoryUsageTracker::memory_usage_text(), HasSubstr("\nNote: END_TRACE: "));
}

TEST_F(Tracker, ThePrintedFormatIsExact) {
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  const sim::Tensor a = square(1024);
  MemoryUsageTracker::end_capture("MODEL_CREATION");
  const std::string expected =
      "=== Memory Usage Summary ===\n\n"
      "--- MODEL_CREATION ---\n"
      "  DRAM: Segment Peak 2.00 MB, Allocations 2.00 MB, Deallocations 0.00 MB, Segment Change +2.00 MB\n"
      "  DRAM: Cumulative Peak 2.00 MB, Cumulative Current 2.00 MB\n"
      "  L1: Peak CB 0.00 MB, Peak Buffer 0.00 MB, Peak Total 0.00 MB\n\n"
      "=== Final Totals ===\n"
      "Overall DRAM Peak: 2.00 MB, Final DRAM Usage: 2.00 MB\n\n";
  EXPECT_EQ(MemoryUsageTracker::memory_usage_text(), expected);
  ::testing::internal::CaptureStdout();
  MemoryUsageTracker::print_memory_usage();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), expected);
}

TEST_F(Tracker, ASavedCaptureReadsBackWithTheSameFigures) {
  const ttscope::testing::TempFolder folder;
  const std::string path = folder.path() + "/capture.json";
  const ScopeGuard guard = MemoryUsageTracker::begin_capture();
  const sim::Tensor a = square(256);
  static_cast<void>(sim::matmul(a, a));
  MemoryUsageTracker::snapshot("quoted \"name\"");
  MemoryUsageTracker::end_capture();
  MemoryUsageTracker::save(path);
  const auto read = graph::read_graph_capture(path);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->segments.size(), 2u);
  EXPECT_EQ(read->segments[0].name, "quoted \"name\"");
  const auto dram = graph::dram_usage(read->segments[0].trace);
  ASSERT_TRUE(dram);
  EXPECT_EQ(dram->peak, MemoryUsageTracker::get_dram_usage("quoted \"name\"").peak);
  const auto l1 = graph::l1_usage(read->segments[0].trace, graph::kCorrectedRules);
  ASSERT_TRUE(l1);
  EXPECT_EQ(l1->peak_total, MemoryUsageTracker::get_l1_usage("quoted \"name\"").peak_total);
  EXPECT_THROW(MemoryUsageTracker::save(folder.path() + "/none/x.json"), std::runtime_error);
}

}  // namespace
}  // namespace ttscope
