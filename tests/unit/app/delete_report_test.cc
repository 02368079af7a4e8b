#include "app/report_library.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

class DeleteReportTest : public ::testing::Test {
 protected:
  DeleteReportTest() {
    fs::create_directories(folder_.path("library/run"));
    for (const char* name : {"run_memory.json", "run_report.html", "source.json"}) put(name);
    report_.name = report_.folder = report_.prefix = "run";
    report_.files = {{"run_memory.json", 1}, {"run_report.html", 1}};
  }
  void put(const std::string& name) { folder_.file("library/run/" + name, "x"); }
  std::string library() const { return folder_.path("library"); }

  TempFolder folder_;
  serve::Report report_;
};

TEST_F(DeleteReportTest, FilesAndFolder) {
  const auto deleted = delete_report(library(), report_);
  ASSERT_TRUE(deleted);
  EXPECT_EQ(deleted->files, 3U);
  EXPECT_FALSE(deleted->folder_is_left);
  EXPECT_FALSE(fs::exists(library() + "/run"));
  EXPECT_TRUE(fs::exists(library()));
}

TEST_F(DeleteReportTest, OtherFilesStay) {
  put("notes.txt");
  const auto deleted = delete_report(library(), report_);
  ASSERT_TRUE(deleted);
  EXPECT_TRUE(deleted->folder_is_left);
  EXPECT_TRUE(fs::exists(library() + "/run/notes.txt"));
  EXPECT_TRUE(fs::exists(library() + "/run/source.json")) << "whose the folder is stays known";
  EXPECT_FALSE(fs::exists(library() + "/run/run_memory.json"));
}

TEST_F(DeleteReportTest, LinksAreNotFollowed) {
  fs::create_directory(folder_.path("elsewhere"));
  folder_.file("elsewhere/run_memory.json", "precious");
  fs::remove_all(library() + "/run");
  fs::create_directory_symlink(folder_.path("elsewhere"), library() + "/run");
  EXPECT_FALSE(delete_report(library(), report_));
  EXPECT_TRUE(fs::exists(folder_.path("elsewhere/run_memory.json")));
}

TEST_F(DeleteReportTest, AFileThatIsALinkGoesWithoutItsTarget) {
  folder_.file("target", "precious");
  fs::remove(library() + "/run/run_memory.json");
  fs::create_symlink(folder_.path("target"), library() + "/run/run_memory.json");
  ASSERT_TRUE(delete_report(library(), report_));
  EXPECT_TRUE(fs::exists(folder_.path("target")));
}

TEST_F(DeleteReportTest, OnlyInFoldersOfTheLibrary) {
  folder_.file("run_memory.json", "precious");
  for (const char* name : {"", ".", "..", "run/../..", "/"}) {
    report_.folder = name;
    EXPECT_FALSE(delete_report(library(), report_)) << name;
  }
  report_.folder = "run";
  report_.files = {{"../../run_memory.json", 1}};
  EXPECT_TRUE(delete_report(library(), report_));
  EXPECT_TRUE(fs::exists(folder_.path("run_memory.json")));
}

}  // namespace
}  // namespace ttscope::app
