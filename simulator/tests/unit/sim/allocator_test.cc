#include "sim/device/allocator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::sim {
namespace {

using testing::HasSubstr;

BufferRequest interleaved(std::uint64_t pages, std::uint64_t page_bytes, BufferType type) {
  BufferRequest request;
  request.size_bytes = pages * page_bytes;
  request.page_bytes = page_bytes;
  request.type = type;
  return request;
}

BufferRequest sharded(std::uint32_t cores, std::uint64_t pages, std::uint64_t page_bytes, BufferType type) {
  BufferRequest request = interleaved(pages * cores, page_bytes, type);
  request.layout = BufferLayout::kHeightSharded;
  request.shard_cores = cores;
  request.pages_per_shard = pages;
  return request;
}

Allocator allocator_of(const DeviceSpec& spec) { return Allocator::create(spec).value(); }

// Shares of a bank that captures of devices show.
TEST(BankShare, IsThatOfTheCaptures) {
  const DeviceSpec p150 = DeviceSpec::p150();
  EXPECT_EQ(bank_share(interleaved(1024, 2048, BufferType::kL1), p150).bytes_per_bank, 20480u);
  EXPECT_EQ(bank_share(interleaved(11, 2048, BufferType::kDram), p150).bytes_per_bank, 4096u);
  EXPECT_EQ(bank_share(interleaved(1024, 2048, BufferType::kDram), p150).bytes_per_bank, 262144u);
  EXPECT_EQ(bank_share(sharded(103, 160, 64, BufferType::kL1), p150).bytes_per_bank, 10240u);
  EXPECT_EQ(bank_share(sharded(1, 1, 12, BufferType::kL1Small), p150).bytes_per_bank, 16u);
  EXPECT_EQ(bank_share(sharded(1, 1, 40, BufferType::kL1Small), p150).bytes_per_bank, 48u);
  EXPECT_EQ(bank_share(sharded(1, 1, 20, BufferType::kL1Small), p150).bytes_per_bank, 32u);
}

TEST(BankShare, ATensorTakesItsShareInEveryBank) {
  const DeviceSpec n150 = DeviceSpec::n150();
  EXPECT_EQ(bank_share(interleaved(2048, 2048, BufferType::kDram), n150).bytes_per_bank * 12, 4202496u);
  EXPECT_EQ(bank_share(interleaved(1, 2048, BufferType::kDram), n150).bytes_per_bank * 12, 24576u);
  EXPECT_EQ(bank_share(interleaved(0, 2048, BufferType::kDram), n150).bytes_per_bank, 0u);
}

TEST(PagePlace, PagesGoRoundTheBanks) {
  const BufferRequest request = interleaved(30, 1000, BufferType::kDram);
  EXPECT_EQ(page_place(request, DeviceSpec::n150(), 0).bank, 0u);
  EXPECT_EQ(page_place(request, DeviceSpec::n150(), 25).bank, 1u);
  EXPECT_EQ(page_place(request, DeviceSpec::n150(), 25).offset_bytes, 2 * 1024u);
}

TEST(Allocator, DramGrowsUpAndL1Down) {
  const DeviceSpec spec = DeviceSpec::p150();
  Allocator allocator = allocator_of(spec);
  EXPECT_EQ(allocator.allocate(interleaved(1024, 2048, BufferType::kDram)), spec.dram_base_address());
  EXPECT_EQ(allocator.allocate(interleaved(1024, 2048, BufferType::kDram)),
            spec.dram_base_address() + 262144);
  EXPECT_EQ(allocator.allocate(interleaved(1024, 2048, BufferType::kL1)),
            1552384u);  // as in the capture
}

TEST(Allocator, ABinaryIsPlacedAtTheTopOfDram) {
  DeviceSpec spec = DeviceSpec::p150();
  Allocator allocator = allocator_of(spec);
  BufferRequest binary = interleaved(11, 2048, BufferType::kDram);
  binary.bottom_up = false;
  EXPECT_EQ(allocator.allocate(binary), 4278185984u);  // as in the capture
}

TEST(Allocator, TracesFillTheirRegionFromBelow) {
  DeviceSpec spec = DeviceSpec::n150();
  spec.trace_region_bytes = 12 * 65536;
  Allocator allocator = allocator_of(spec);
  EXPECT_EQ(allocator.allocate(interleaved(12, 2048, BufferType::kTrace)), spec.dram_bank_bytes - 65536);
  EXPECT_EQ(allocator.stats(BufferType::kTrace).allocated_bytes_per_bank, 2048u);
  EXPECT_EQ(allocator.stats(BufferType::kDram).allocated_bytes_per_bank, 0u);
}

TEST(Allocator, ATraceWithoutRegionIsADramBufferAtTheTop) {
  const DeviceSpec spec = DeviceSpec::n150();
  Allocator allocator = allocator_of(spec);
  EXPECT_EQ(allocator.allocate(interleaved(12, 2048, BufferType::kTrace)), spec.dram_bank_bytes - 2048);
  EXPECT_EQ(allocator.stats(BufferType::kDram).allocated_bytes_per_bank, 2048u);
}

TEST(Allocator, SmallL1IsApartAndTakesShardsOnly) {
  DeviceSpec spec = DeviceSpec::n150();
  spec.l1_small_bytes = 32768;
  Allocator allocator = allocator_of(spec);
  EXPECT_EQ(allocator.allocate(sharded(4, 1, 64, BufferType::kL1Small)), spec.l1_bytes_per_core - 64);
  EXPECT_EQ(allocator.allocate(interleaved(64, 2048, BufferType::kL1)),
            spec.l1_bytes_per_core - 32768 - 2048);
  const auto refused = allocator.allocate(interleaved(1, 64, BufferType::kL1Small));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "L1_SMALL only supports sharded allocations, see validate_num_banks");
}

TEST(Allocator, MoreShardsThanCoresAreRefused) {
  Allocator allocator = allocator_of(DeviceSpec::n150());
  const auto refused = allocator.allocate(sharded(65, 1, 2048, BufferType::kL1));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("number of shards 65"));
}

TEST(Allocator, WhatDoesNotFitIsToldInTheRuntimesWords) {
  Allocator allocator = allocator_of(DeviceSpec::n150());
  ASSERT_TRUE(allocator.allocate(interleaved(12 * 131072, 4096, BufferType::kDram)));
  const auto refused = allocator.allocate(interleaved(12 * 200000, 4096, BufferType::kDram));
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "Out of Memory: Not enough space to allocate 9830400000 B DRAM buffer across 12 banks, where each bank "
      "needs to store 819200000 B, but bank size is 1073741792 B (allocated: 536870912 B, free: 536870880 B, "
      "largest free block: 536870880 B)");
}

TEST(Allocator, ThePeakStaysAfterAFree) {
  Allocator allocator = allocator_of(DeviceSpec::n150());
  const auto address = allocator.allocate(interleaved(12, 4096, BufferType::kDram));
  ASSERT_TRUE(address);
  allocator.deallocate(BufferType::kDram, *address);
  EXPECT_EQ(allocator.stats(BufferType::kDram).allocated_bytes_per_bank, 0u);
  EXPECT_EQ(allocator.peak_allocated_bytes_per_bank(BufferType::kDram), 4096u);
}

}  // namespace
}  // namespace ttscope::sim
