#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/menu/argument_line.h"
#include "cli/menu/delete_report.h"
#include "support/temp_folder.h"

namespace ttscope::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TempFolder;

TEST(ArgumentLine, Words) {
  EXPECT_THAT(*split_arguments("--batch 8"), ElementsAre("--batch", "8"));
  EXPECT_THAT(*split_arguments("  \t "), IsEmpty());
  EXPECT_THAT(*split_arguments("'a b' \"c d\" e\\ f"), ElementsAre("a b", "c d", "e f"));
  EXPECT_THAT(*split_arguments("--x='a'\"b\"c"), ElementsAre("--x=abc"));
  EXPECT_THAT(*split_arguments("'' \"\""), ElementsAre("", ""));
  EXPECT_THAT(*split_arguments(R"("a\"b\\c\n" 'd\e')"), ElementsAre("a\"b\\c\\n", "d\\e"));
}

TEST(ArgumentLine, NothingElseOfAShell) {
  EXPECT_THAT(*split_arguments("$HOME *.py ; rm `x` ~ | >"),
              ElementsAre("$HOME", "*.py", ";", "rm", "`x`", "~", "|", ">"));
}

TEST(ArgumentLine, Unfinished) {
  for (const char* line : {"'a", "\"a", "a\\", "a 'b\" c"}) EXPECT_FALSE(split_arguments(line)) << line;
}

TEST(ArgumentLine, MeantPath) {
  const TempFolder folder;
  const std::string plain = folder.file("run.log", "x");
  const std::string blank = folder.file("my run.log", "x");
  const std::string quoted = folder.file("'odd'", "x");
  EXPECT_EQ(meant_path(plain), plain);
  EXPECT_EQ(meant_path(" " + plain + " \n"), plain);
  EXPECT_EQ(meant_path("'" + blank + "'"), blank) << "dropped onto the terminal";
  EXPECT_EQ(meant_path(folder.path("my\\ run.log")), blank);
  EXPECT_EQ(meant_path(blank), blank);
  EXPECT_EQ(meant_path(quoted), quoted) << "a name that exists is taken as it is";
  EXPECT_EQ(meant_path("no such file"), "no such file");
  EXPECT_EQ(meant_path(""), "");
}

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
}  // namespace ttscope::cli
