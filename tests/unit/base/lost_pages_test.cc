#include "base/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/temp_folder.h"

namespace ttscope {
namespace {

// A file that shrank ended a Python that had loaded it.
TEST(LostPages, AFileThatShrankReadsAsZeros) {
  survive_lost_pages();
  const testing::TempFolder folder;
  constexpr std::size_t kBytes = 100'000;
  const std::string path = folder.file("run.log", std::string(kBytes, 'x'));
  const auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped);
  const std::string_view bytes = (*mapped)->bytes();
  const std::uint64_t before = lost_pages();
  ASSERT_EQ(::truncate(path.c_str(), 1), 0);
  EXPECT_EQ(bytes.front(), 'x');
  EXPECT_EQ(lost_pages(), before);
  EXPECT_EQ(bytes[kBytes / 2], '\0');
  EXPECT_EQ(bytes[kBytes - 1], '\0');
  EXPECT_GT(lost_pages(), before);
}

TEST(LostPagesDeathTest, WhatIsNotWatchedEndsTheProcessAsBefore) {
  const testing::TempFolder folder;
  const std::string path = folder.file("run.log", std::string(100'000, 'x'));
  const auto mapped = MappedFile::open(path);  // before the first call in this process, or not at all below
  ASSERT_TRUE(mapped);
  EXPECT_EXIT(
      {
        forget_mapping((*mapped)->bytes().data());
        survive_lost_pages();
        if (::truncate(path.c_str(), 1) != 0) _exit(0);
        _exit((*mapped)->bytes()[50'000] == 'x' ? 0 : 1);
      },
      ::testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace ttscope
