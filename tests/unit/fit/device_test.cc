#include "fit/device.h"

#include <gmock/gmock.h>

#include "fit/report.h"

namespace ttscope::fit {
namespace {

using ::testing::HasSubstr;

TEST(FitDevice, ProductsAreFoundByName) {
  const Result<Device> device = parse_device("p100");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->region(Memory::kDram).banks, 7u);
  EXPECT_EQ(device->alignment_bytes, 64u);
  EXPECT_EQ(device->region(Memory::kL1Small).bytes_per_bank, kDefaultL1SmallBytes);
  EXPECT_EQ(device->region(Memory::kTrace).bytes_per_bank, 0);
}

TEST(FitDevice, ReservationsAreTakenOffTheMemoriesTheyLieIn) {
  const Product& n150 = *find_product("n150");
  const Device device = device_of(n150, {.l1_small_bytes_per_bank = 32768, .trace_bytes = 1000000});
  EXPECT_EQ(device.region(Memory::kL1).bytes_per_bank, n150.architecture->l1_bytes_for_buffers() + 32768);
  EXPECT_EQ(device.region(Memory::kTrace).bytes_per_bank, 90112);  // 83334 in pages of 8192
  EXPECT_EQ(device.region(Memory::kDram).bytes_per_bank, n150.architecture->dram_bytes_for_buffers() - 90112);
}

TEST(FitDevice, CustomSizesAreRead) {
  const Result<Device> device = parse_device("custom:DRAM=8x4GB,L1=130x1.5MB,L1_SMALL=130x32KB");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->region(Memory::kDram).bytes_per_bank, std::int64_t{4} << 30);
  EXPECT_EQ(device->region(Memory::kL1).bytes_per_bank, 1572864);
  EXPECT_EQ(device->region(Memory::kL1Small).bytes_per_bank, 32768);
  EXPECT_EQ(device->alignment_bytes, 64u);
  EXPECT_EQ(parse_device("custom:DRAM=12x1024MB,L1=64x1.3MB")->alignment_bytes, 32u);
}

TEST(FitDevice, WhatIsNoDeviceIsToldWhatWouldBe) {
  EXPECT_THAT(parse_device("n15O").error().message, HasSubstr("did you mean n150?"));
  for (const char* const text :
       {"custom", "custom:", "custom:DRAM=12x1GB", "custom:DRAM=12,L1=64x1MB", "custom:DRAM=0x1GB,L1=64x1MB",
        "custom:DRAM=12x1XB,L1=64x1MB", "custom:DRAM=12x-1GB,L1=64x1MB", "custom:SRAM=1x1B,DRAM=1x1B,L1=1x1B",
        "custom:DRAM=99999x1GB,L1=64x1MB", "custom:DRAM=12x1e300GB,L1=64x1MB",
        "custom:DRAM=12xinf,L1=64x1MB"}) {
    const Result<Device> device = parse_device(text);
    ASSERT_FALSE(device) << text;
    EXPECT_THAT(device.error().message, HasSubstr("custom:DRAM=12x1024MB,L1=64x1.3MB")) << text;
  }
}

TEST(FitQuestion, AllIsEveryProduct) {
  EXPECT_EQ(requested_devices({.devices = {"all"}}, {})->size(), product_names().size());
  EXPECT_TRUE(requested_devices({}, {})->empty());
  EXPECT_FALSE(requested_devices({.devices = {"n150", "nowhere"}}, {}));
}

}  // namespace
}  // namespace ttscope::fit
