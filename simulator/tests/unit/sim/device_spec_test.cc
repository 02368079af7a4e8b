#include <gtest/gtest.h>
#include <ttscope/device.h>

namespace ttscope::sim {
namespace {

// Bank sizes and first addresses as logs and captures of devices show them.
TEST(DeviceSpec, WormholeBanksAreThoseOfTheLogs) {
  DeviceSpec spec = DeviceSpec::n150();
  EXPECT_EQ(spec.dram_usable_bytes_per_bank(), 1073741792u);
  spec.profiler_reserved = true;
  EXPECT_EQ(spec.dram_base_address(), 1920032u);
  EXPECT_EQ(spec.dram_usable_bytes_per_bank(), 1071821792u);
  spec.device_print_reserved = true;
  EXPECT_EQ(spec.dram_usable_bytes_per_bank(), 1070773184u);
}

TEST(DeviceSpec, BlackholeBanksAreThoseOfTheCaptures) {
  for (DeviceSpec spec : {DeviceSpec::p100(), DeviceSpec::p150()}) {
    spec.profiler_reserved = true;
    spec.device_print_reserved = true;
    EXPECT_EQ(spec.dram_base_address(), 5848704u) << spec.name;
    EXPECT_EQ(spec.dram_usable_bytes_per_bank(), 4272341376u) << spec.name;
  }
}

TEST(DeviceSpec, CapacityIsWhatTrainersPrint) {
  EXPECT_NEAR(static_cast<double>(DeviceSpec::n150().dram_capacity_bytes()) / 1048576, 12288, 0.01);
  DeviceSpec p100 = DeviceSpec::p100();
  p100.profiler_reserved = p100.device_print_reserved = true;
  EXPECT_NEAR(static_cast<double>(p100.dram_capacity_bytes()) / 1048576, 28520.96, 0.01);
}

TEST(DeviceSpec, TheTraceRegionIsSharedByTheBanksInWholePages) {
  DeviceSpec spec = DeviceSpec::n150();
  spec.trace_region_bytes = 1000000;
  EXPECT_EQ(spec.trace_bytes_per_bank(), 90112u);  // 83334 in pages of 8192
  EXPECT_EQ(spec.dram_usable_bytes_per_bank(), 1073741792u - 90112);
}

TEST(DeviceSpec, NamesAreThePresets) {
  EXPECT_EQ(DeviceSpec::named("n300").chips, 2u);
  EXPECT_EQ(DeviceSpec::named("n300").l1_banks(), 56u);
  EXPECT_EQ(DeviceSpec::named("p150").l1_banks(), 110u);
  EXPECT_THROW(static_cast<void>(DeviceSpec::named("n151")), std::invalid_argument);
}

TEST(Device, SizesThatContradictEachOtherAreRefused) {
  DeviceSpec spec = DeviceSpec::n150();
  spec.dram_banks = 11;
  EXPECT_THROW(Device{spec}, std::invalid_argument);
  spec = DeviceSpec::n150();
  spec.l1_small_bytes = spec.l1_bytes_per_core;
  EXPECT_THROW(Device{spec}, std::invalid_argument);
  spec = DeviceSpec::n150();
  spec.dram_alignment_bytes = 48;
  EXPECT_THROW(Device{spec}, std::invalid_argument);
}

}  // namespace
}  // namespace ttscope::sim
