#include "base/files.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace ttscope {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, GoesWithAllItHolds) {
  const testing::TempFolder place;
  {
    const auto folder = TemporaryFolder::create(place.path(), "report");
    ASSERT_TRUE(folder.has_value());
    std::ofstream(folder->path() + "/file") << "x";
    EXPECT_EQ(place.names().size(), 1U);
  }
  EXPECT_TRUE(place.names().empty());
}

TEST(TemporaryFolder, StaysWhenReleased) {
  const testing::TempFolder place;
  {
    auto folder = TemporaryFolder::make(place.path("kept"));
    ASSERT_TRUE(folder.has_value());
    EXPECT_FALSE(TemporaryFolder::make(place.path("kept")).has_value());
    folder->release();
  }
  EXPECT_TRUE(fs::is_directory(place.path("kept")));
}

TEST(TemporaryFolder, NeedsAPlace) {
  const testing::TempFolder place;
  EXPECT_FALSE(TemporaryFolder::create(place.path("missing"), "report").has_value());
}

TEST(CreatedFolders, GoAgainWhenEmpty) {
  const testing::TempFolder place;
  fs::create_directory(place.path("old"));
  { EXPECT_TRUE(CreatedFolders::make(place.path("old/new/newer")).has_value()); }
  EXPECT_TRUE(fs::is_directory(place.path("old")));
  EXPECT_FALSE(fs::exists(place.path("old/new")));
}

TEST(CreatedFolders, StayWhenUsed) {
  const testing::TempFolder place;
  {
    EXPECT_TRUE(CreatedFolders::make(place.path("a/b")).has_value());
    const auto made = CreatedFolders::make(place.path("a/b/c"));
    ASSERT_TRUE(made.has_value());
    std::ofstream(place.path("a/b/c/file")) << "x";
  }
  EXPECT_TRUE(fs::exists(place.path("a/b/c/file")));
}

TEST(CreatedFolders, AFileIsNoFolder) {
  const testing::TempFolder place;
  place.file("file", "x");
  EXPECT_FALSE(CreatedFolders::make(place.path("file")).has_value());
  EXPECT_FALSE(CreatedFolders::make(place.path("file/below")).has_value());
}

}  // namespace
}  // namespace ttscope
