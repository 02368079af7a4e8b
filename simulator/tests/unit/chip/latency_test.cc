// The latency model: what a transfer takes beyond its instructions is what the model states, and nothing else
// changes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/chip_case.h"

namespace ttscope::testing {
namespace {

using chip::Arch;
using chip::Latency;

/// Reads 1024 bytes of DRAM and writes them to another tile, each in a zone.
constexpr const char* kMoves = R"(
void kernel_main() {
  {
    DeviceZoneScopedN("read");
    noc_async_read(get_noc_addr_from_bank_id<true>(0, 0x100000), 0x40000, 1024);
    noc_async_read_barrier();
  }
  {
    DeviceZoneScopedN("write");
    noc_async_write(0x40000, get_noc_addr(X, Y, 0x40000), 1024);
    noc_async_write_barrier();
  }
})";

struct Durations {
  std::uint64_t read = 0;
  std::uint64_t write = 0;
};

Durations run(Arch arch, chip::Place far, const Latency& latency) {
  ChipCase chip(arch, {}, {}, {}, latency);
  const chip::Place given = chip::translated(arch, far);
  chip::KernelSet kernels{};
  kernels[0] = chip.kernel(kMoves, chip::Processor::kBrisc,
                           {"X=" + std::to_string(given.x), "Y=" + std::to_string(given.y)});
  chip.run(1, kernels);
  const std::vector<std::uint32_t> words = chip.sent(0);
  constexpr std::size_t kFirst = 12;
  return {marker_time(words, kFirst + 2) - marker_time(words, kFirst),
          marker_time(words, kFirst + 6) - marker_time(words, kFirst + 4)};
}

/// Until the answer is seen: a turn of the loop that waits for it.
constexpr std::uint64_t kTurn = 8;

void expect_later(std::uint64_t without, std::uint64_t with, std::uint64_t by) {
  // What the instructions take is part of the time until the answer.
  EXPECT_LE(with, without + by + kTurn);
  EXPECT_GE(with, by);
  EXPECT_GT(with, without);
}

class NocLatency : public ::testing::TestWithParam<Arch> {};

TEST_P(NocLatency, BaseHopsAndBytesAreAddedToTransfers) {
  SKIP_WITHOUT_CROSS_COMPILER();
  const Arch arch = GetParam();
  const std::vector<chip::Place>& tensix = facts_of(arch).tensix;
  const chip::Place own = tensix.front();
  const chip::Place far = tensix.back();
  const std::uint64_t hops = (far.x - own.x) + (far.y - own.y);
  const Durations without = run(arch, far, {});
  const Durations base = run(arch, far, {.l1 = 0, .noc_base = 500});
  expect_later(without.read, base.read, 500);
  expect_later(without.write, base.write, 500);
  const Durations per_hop = run(arch, far, {.l1 = 0, .noc_base = 0, .noc_per_hop = 40});
  expect_later(without.write, per_hop.write, 2 * hops * 40);
  const Durations near = run(arch, tensix[1], {.l1 = 0, .noc_base = 0, .noc_per_hop = 40});
  EXPECT_GT(per_hop.write, near.write + 2 * (hops - 1) * 40 - without.write - kTurn);
  const Durations by_size =
      run(arch, far, {.l1 = 0, .noc_base = 0, .noc_per_hop = 0, .noc_bytes_per_tick = 2});
  expect_later(without.read, by_size.read, 1024 / 2);
  expect_later(without.write, by_size.write, 1024 / 2);
}

TEST_P(NocLatency, TheSameRunTakesTheSameTime) {
  SKIP_WITHOUT_CROSS_COMPILER();
  const Latency latency = {.l1 = 3, .noc_base = 77, .noc_per_hop = 9, .noc_bytes_per_tick = 32};
  const chip::Place far = facts_of(GetParam()).tensix.back();
  const Durations first = run(GetParam(), far, latency);
  const Durations second = run(GetParam(), far, latency);
  EXPECT_EQ(first.read, second.read);
  EXPECT_EQ(first.write, second.write);
}

INSTANTIATE_TEST_SUITE_P(Both, NocLatency, ::testing::Values(Arch::kWormhole, Arch::kBlackhole));

}  // namespace
}  // namespace ttscope::testing
