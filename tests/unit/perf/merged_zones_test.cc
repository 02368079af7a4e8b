#include "perf/analyze/zones.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::perf {
namespace {

using ::testing::ElementsAre;

ZoneFigures zone_on(std::uint32_t device, std::string name, ZoneKind kind, std::uint64_t cycles) {
  ZoneFigures zone;
  zone.device = device;
  zone.risc = "BRISC";
  zone.source.name = std::move(name);
  zone.source.kind = kind;
  zone.count = 2;
  zone.cores = 1;
  zone.self_cycles = zone.total_cycles = cycles;
  zone.p99_cycles = static_cast<double>(cycles);
  return zone;
}

/// Two devices of 1000 and 500 MHz.
CaptureZones two_devices() {
  CaptureZones zones;
  zones.clocks = {{0, 1000.0}, {1, 500.0}};
  zones.stats.processors = {{0, "BRISC", 10000}, {1, "BRISC", 10000}};
  zones.stats.zones = {zone_on(0, "KERNEL", ZoneKind::kKernel, 9000),
                       zone_on(0, "READ", ZoneKind::kUser, 2000), zone_on(1, "READ", ZoneKind::kUser, 2000)};
  return zones;
}

TEST(MergedZones, ZonesOfAllDevicesAreOneInMicroseconds) {
  const CaptureZones zones = two_devices();
  const MergedZones merged = merged_zones(zones);
  EXPECT_TRUE(merged.in_us);
  ASSERT_EQ(merged.list.size(), 2u);
  const MergedZone& read = merged.list[0];
  EXPECT_EQ(read.source->name, "READ") << "what authors of kernels put there comes first";
  EXPECT_THAT(read.devices, ElementsAre(0, 1));
  EXPECT_EQ(read.count, 4u);
  EXPECT_DOUBLE_EQ(read.self, 2.0 + 4.0);
  EXPECT_DOUBLE_EQ(read.p99, 4.0) << "of the device where it is longest";
  EXPECT_DOUBLE_EQ(read.whole, 10.0 + 20.0);
  EXPECT_DOUBLE_EQ(read.self_share(), 0.2);
  EXPECT_DOUBLE_EQ(read.mean(), 1.5);
}

TEST(MergedZones, AreCyclesWhereAClockIsNotKnown) {
  CaptureZones zones = two_devices();
  zones.clocks.erase(zones.clocks.begin());
  const MergedZones merged = merged_zones(zones);
  EXPECT_FALSE(merged.in_us);
  EXPECT_DOUBLE_EQ(merged.list[0].self, 4000);
}

TEST(MergedZones, WhatHasNoWholeOccurrenceIsLeftOut) {
  CaptureZones zones = two_devices();
  zones.stats.zones[0].count = 0;
  EXPECT_EQ(merged_zones(zones).list.size(), 1u);
}

}  // namespace
}  // namespace ttscope::perf
