#include "base/resources.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace ttscope {
namespace {

TEST(UsableMemory, LimitsOfGroupsAreRead) {
  EXPECT_EQ(group_limit_bytes("4294967296\n"), 4294967296u);
  EXPECT_EQ(group_limit_bytes("max\n"), std::nullopt);
  EXPECT_EQ(group_limit_bytes(""), std::nullopt);
  EXPECT_EQ(group_limit_bytes("99999999999999999999999"), std::nullopt) << "more than any machine has";
}

TEST(UsableMemory, IsNoMoreThanTheMachineHas) {
  const auto physical =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(usable_memory_bytes(), 0u);
  EXPECT_LE(usable_memory_bytes(), physical);
}

}  // namespace
}  // namespace ttscope
