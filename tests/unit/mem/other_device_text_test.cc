#include "mem/write/verdict_text.h"

#include <gtest/gtest.h>

namespace ttscope::mem {
namespace {

TEST(OtherDeviceText, ALogThatTellsOfAnotherChipIsBelieved) {
  Profile profile;
  EXPECT_EQ(other_device_text(profile), "");
  profile.memory.ranks.resize(2);
  EXPECT_EQ(other_device_text(profile), "");
  profile.memory.ranks[1].device.contradicts = "p150";
  profile.memory.ranks[1].device.banks[index_of(Memory::kDram)] = 12;
  EXPECT_EQ(other_device_text(profile),
            "--device p150: the log tells of another chip, whose figures are used (12 DRAM banks)");
}

}  // namespace
}  // namespace ttscope::mem
