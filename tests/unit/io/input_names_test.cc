#include "io/input_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace ttscope::io {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

TEST(InputNames, AreTheFoldersMadeDistinct) {
  TempFolder folder;
  for (const char* path : {"a/run/.logs", "b/run", "c"}) fs::create_directories(folder.path(path));
  EXPECT_EQ(input_names({folder.path("a/run/.logs"), folder.path("b/run/"), folder.path("c")}),
            (std::vector<std::string>{"run", "run-2", "c"}));
}

TEST(InputNames, FilesOfOneFolderHaveTheirOwn) {
  EXPECT_EQ(input_names({"x/one.csv", "x/two.csv"}), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(input_names({"x/one.csv", "y/one.csv"}), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(input_names({"one.csv"}), std::vector<std::string>{"host"});
}

}  // namespace
}  // namespace ttscope::io
