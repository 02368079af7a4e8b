#include "sim/device/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::sim {
namespace {

using testing::ElementsAre;

const CoreRange kLeft{0, 0, 3, 7};
const CoreRange kRight{4, 0, 7, 7};
const CoreRange kAll{0, 0, 7, 7};

TEST(CircularBuffers, GrowUpFromTheBaseAsInTheCapture) {
  Program program;
  for (const std::uint64_t size : {131072, 131072, 524288})
    program.circular_buffers.push_back({size, {{0, 0, 1, 1}}});
  EXPECT_THAT(place_circular_buffers(program, DeviceSpec::p150()).addresses,
              ElementsAre(111616, 242688, 373760));
}

TEST(CircularBuffers, DisjointCoresDoNotStandInEachOthersWay) {
  Program program;
  program.circular_buffers = {{1000, {kLeft}}, {2000, {kRight}}, {64, {kAll}}, {64, {kLeft}}};
  const std::uint64_t base = DeviceSpec::n150().l1_base_address;
  // A range that another one's buffer reached first is not raised by a third that starts below: the buffer on
  // all cores begins behind the left one only, as on the device.
  const CircularBufferPlaces places = place_circular_buffers(program, DeviceSpec::n150());
  EXPECT_THAT(places.addresses, ElementsAre(base, base, base + 1024, base + 1088));
}

TEST(CircularBuffers, OnesThatLieInATensorTakeNoSpace) {
  Program program;
  program.circular_buffers = {{4096, {kAll}, true}, {64, {kAll}, false}};
  const std::uint64_t base = DeviceSpec::n150().l1_base_address;
  EXPECT_THAT(place_circular_buffers(program, DeviceSpec::n150()).addresses, ElementsAre(base, base));
}

TEST(CircularBuffers, ClashesAreToldInTheRuntimesWords) {
  Program program;
  program.circular_buffers = {{1000000, {kAll}}};
  CircularBufferPlaces places = place_circular_buffers(program, DeviceSpec::n150());
  places.program_id = 7;
  EXPECT_TRUE(check_circular_buffers(places, DeviceSpec::n150(), std::nullopt));
  EXPECT_TRUE(check_circular_buffers(places, DeviceSpec::n150(), 1103712));
  const auto clash = check_circular_buffers(places, DeviceSpec::n150(), 1103711);
  ASSERT_FALSE(clash);
  EXPECT_EQ(clash.error().message,
            "Statically allocated circular buffers in program 7 clash with L1 buffers on core range [0-0 - "
            "7-7]. L1 "
            "buffer allocated at 1103711 and static circular buffer region ends at 1103712");
  program.circular_buffers.push_back({500000, {kAll}});
  const auto beyond = check_circular_buffers(place_circular_buffers(program, DeviceSpec::n150()),
                                             DeviceSpec::n150(), std::nullopt);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().message,
            "Statically allocated circular buffers on core range [0-0 - 7-7] grow to 1603712 B which is "
            "beyond max L1 "
            "size of 1499136 B");
}

TEST(CoreRanges, AreWrittenAsInCaptures) {
  EXPECT_EQ(core_ranges_text({{0, 0, 7, 7}, {0, 8, 3, 8}}), "{[0-0 - 7-7], [0-8 - 3-8]}");
  EXPECT_EQ(core_ranges_text(first_cores(11, DeviceSpec::n150())), "{[0-0 - 7-0], [0-1 - 2-1]}");
  EXPECT_EQ(core_ranges_text(first_cores(1000, DeviceSpec::n150())), "{[0-0 - 7-7]}");
}

}  // namespace
}  // namespace ttscope::sim
