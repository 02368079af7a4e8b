#include "app/report_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

serve::Report report(const std::string& folder, const std::string& id, const std::string& name) {
  serve::Report made;
  made.folder = made.prefix = folder;
  made.id = id;
  made.name = name;
  return made;
}

std::vector<std::string> ids_of(const Result<std::vector<serve::Report>>& reports) {
  std::vector<std::string> ids;
  if (!reports) return {"(" + reports.error().message + ")"};
  for (const serve::Report& found : *reports) ids.push_back(found.id);
  return ids;
}

TEST(LibraryReports, AReportIsKnownByFolderIdNameAndLabel) {
  serve::Report made = report("my run", "my-run", "llama");
  for (const char* name : {"my run", "my-run", "llama"}) EXPECT_TRUE(is_called(made, name)) << name;
  EXPECT_FALSE(is_called(made, "run"));
  made.prefix = "rank1";  // one of several in a folder
  EXPECT_EQ(label_of(made), "my run/rank1");
  EXPECT_TRUE(is_called(made, "my run/rank1"));
  made.folder = "";  // in the library itself
  EXPECT_EQ(label_of(made), "rank1");
}

TEST(LibraryReports, NamesFindEachReportOnceInTheOrderOfTheLibrary) {
  const LibraryReports library{"/lib", {report("b", "b", "x"), report("a", "a", "y"), report("c", "c", "z")}};
  EXPECT_THAT(ids_of(reports_named({"a", "x", "b"}, library)), ElementsAre("b", "a"));
  EXPECT_THAT(ids_of(reports_named({}, library)), ElementsAre());
}

TEST(LibraryReports, ANameOfNoneIsSaidWithTheNearest) {
  const LibraryReports library{"/lib", {report("llama_1", "llama_1", "llama")}};
  EXPECT_THAT(ids_of(reports_named({"llama", "lama_1"}, library)),
              ElementsAre("(lama_1: no report of that name in /lib, did you mean llama_1?; `ttmem list` "
                          "shows them)"));
  EXPECT_THAT(ids_of(reports_named({"resnet"}, library)),
              ElementsAre("(resnet: no report of that name in /lib; `ttmem list` shows them)"));
}

TEST(LibraryReports, TheLibraryIsMadeWhereItIsMissingAndReadWhereItIs) {
  const testing::TempFolder folder;
  const std::vector<std::string> environment = {"TTMEM_HOME=" + folder.path()};
  const Result<LibraryReports> empty = read_library_reports(environment);
  ASSERT_TRUE(empty.has_value());
  EXPECT_EQ(empty->path, folder.path("reports"));
  EXPECT_TRUE(empty->reports.empty());
  std::filesystem::create_directories(folder.path("reports/run"));
  folder.file("reports/run/run_memory.json", "{}");
  folder.file("reports/run/run_report.html", "<html></html>");
  const Result<LibraryReports> one = read_library_reports(environment);
  ASSERT_TRUE(one.has_value());
  ASSERT_EQ(one->reports.size(), 1u);
  EXPECT_EQ(label_of(one->reports.front()), "run");
}

TEST(LibraryReports, AFileInTheWayIsAnError) {
  const testing::TempFolder folder;
  folder.file("reports", "a file");
  const Result<LibraryReports> library = read_library_reports({"TTMEM_HOME=" + folder.path()});
  ASSERT_FALSE(library.has_value());
  EXPECT_THAT(library.error().message, HasSubstr("cannot make the folder"));
}

}  // namespace
}  // namespace ttscope::app
