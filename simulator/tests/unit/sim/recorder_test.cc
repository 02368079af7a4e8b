#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ttscope/ops.h>

#include <thread>

#include "sim/device/recorder.h"

namespace ttscope::sim {
namespace {

using testing::ElementsAre;

std::vector<std::string> kinds_of(const graph::GraphTrace& trace) {
  std::vector<std::string> kinds;
  for (const graph::NodeKind kind : trace.kinds) kinds.emplace_back(graph::node_type_text(kind));
  return kinds;
}

std::vector<std::uint32_t> edges_of(const graph::GraphTrace& trace, std::uint32_t node) {
  const auto edges = trace.connections_of(node);
  return {edges.begin(), edges.end()};
}

graph::GraphTrace capture(RunMode mode, const std::function<void()>& work) {
  const std::uint64_t number = CaptureStack::current().begin(mode);
  work();
  return CaptureStack::current().end(number);
}

Tensor square(const Device& device, MemoryConfig memory = {}) {
  return empty(device, {.shape = {1, 1, 1024, 1024}, .memory = std::move(memory)});
}

// The nodes, levels and edges of a capture that a Blackhole p150b made of the same calls.
TEST(Recorder, AMatmulIsRecordedAsOnTheDevice) {
  const Device device(DeviceSpec::p150());
  const Tensor a = square(device);
  const graph::GraphTrace trace = capture(RunMode::NORMAL, [&] {
    Tensor c = matmul(a, a, {.memory = MemoryConfig::l1()});
    c.deallocate();
  });
  EXPECT_THAT(
      kinds_of(trace),
      ElementsAre("capture_start", "function_start", "tensor", "buffer", "tensor", "function_start", "buffer",
                  "buffer_allocate", "function_end", "tensor", "circular_buffer_deallocate_all",
                  "circular_buffer_allocate", "circular_buffer_allocate", "circular_buffer_allocate",
                  "buffer", "buffer_allocate", "function_end", "tensor", "function_start",
                  "buffer_deallocate", "function_end", "capture_end"));
  EXPECT_THAT(edges_of(trace, 0), ElementsAre(1, 18));
  EXPECT_THAT(edges_of(trace, 1), ElementsAre(3, 5, 10, 11, 12, 13, 14, 15, 16));
  EXPECT_THAT(edges_of(trace, 3), ElementsAre(2, 4));
  EXPECT_THAT(edges_of(trace, 6), ElementsAre(9, 17));
  EXPECT_THAT(edges_of(trace, 16), ElementsAre(17, 18));
  EXPECT_THAT(edges_of(trace, 19), ElementsAre(6));
  EXPECT_THAT(edges_of(trace, 20), ElementsAre(21));
  EXPECT_THAT(std::vector<int>(trace.levels.begin(), trace.levels.end()),
              ElementsAre(0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0));
  EXPECT_EQ(trace.buffer_address(7), 1552384);
  EXPECT_EQ(trace.buffer_of(7).max_size_per_bank_bytes, 20480);
  EXPECT_EQ(trace.program_addresses[trace.details[12]], 242688);
  EXPECT_EQ(trace.program_buffer_of(13).size_bytes, 524288);
  EXPECT_EQ(trace.buffer_address(15), 4278185984);
}

TEST(Recorder, NoDispatchPlacesNothingAndRecordsProgramsEachTime) {
  const Device device(DeviceSpec::n150());
  const Tensor a = square(device);
  const std::uint64_t before = device.stats(BufferType::kDram).allocated_bytes_per_bank;
  const graph::GraphTrace trace = capture(RunMode::NO_DISPATCH, [&] {
    const Tensor b = add(a, a);
    EXPECT_EQ(b.address(), 0u);
    static_cast<void>(add(b, b));
    // Far more than the device has.
    static_cast<void>(empty(device, {.shape = {1000, 1, 32768, 4096}, .memory = {}}));
  });
  EXPECT_EQ(device.stats(BufferType::kDram).allocated_bytes_per_bank, before);
  EXPECT_EQ(device.program_cache_entries(), 0u);
  const auto kinds = kinds_of(trace);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "circular_buffer_allocate"), 6);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "buffer_allocate"), 3);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "buffer_deallocate"), 3);
}

TEST(Recorder, ABufferOfNoDispatchNeverReachesTheAllocator) {
  const Device device(DeviceSpec::n150());
  Tensor made;
  capture(RunMode::NO_DISPATCH, [&] { made = square(device); });
  const Tensor real = square(device);
  made = Tensor();
  EXPECT_EQ(device.stats(BufferType::kDram).allocated_bytes_per_bank, real.bytes_per_bank());
}

TEST(Recorder, CapturesNestAndSeeTheSame) {
  const Device device(DeviceSpec::n150());
  graph::GraphTrace inner;
  const graph::GraphTrace outer = capture(RunMode::NO_DISPATCH, [&] {
    inner = capture(RunMode::NORMAL, [&] { EXPECT_EQ(square(device).address(), 0u); });
  });
  EXPECT_EQ(kinds_of(inner), kinds_of(outer));
}

TEST(Recorder, AnotherThreadIsNotRecorded) {
  const Device device(DeviceSpec::n150());
  const graph::GraphTrace trace = capture(
      RunMode::NO_DISPATCH, [&] { std::thread([&] { EXPECT_NE(square(device).address(), 0u); }).join(); });
  EXPECT_EQ(trace.size(), 2u);
}

TEST(Recorder, AnOperationThatFailsLeavesNoOpenFrame) {
  const Device device(DeviceSpec::n150());
  const Tensor a = square(device);
  const graph::GraphTrace trace = capture(RunMode::NORMAL, [&] {
    EXPECT_THROW(repeat(a, {8192, 1, 1, 1}), OutOfMemory);
    static_cast<void>(add(a, a));
  });
  int depth = 0;
  for (const graph::NodeKind kind : trace.kinds) {
    depth += kind == graph::NodeKind::kFunctionStart ? 1 : kind == graph::NodeKind::kFunctionEnd ? -1 : 0;
  }
  EXPECT_EQ(depth, 0);
}

}  // namespace
}  // namespace ttscope::sim
