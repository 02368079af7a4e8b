#include "serve/handed_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "serve/library_service.h"
#include "support/temp_folder.h"

namespace ttscope::serve {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

TEST(HandedFiles, AChildReadsTheFileThatWasFoundWhateverItsNameLeadsToLater) {
  ttscope::testing::TempFolder folder;
  const std::string log = std::string(folder.path()) + "/run.log";
  const std::string secret = std::string(folder.path()) + "/secret";
  const std::string copy = std::string(folder.path()) + "/copy";
  std::ofstream(log) << "the log";
  std::ofstream(secret) << "a secret";
  std::string link_folder;
  {
    Result<HandedFiles> handed = HandedFiles::make();
    ASSERT_TRUE(handed);
    link_folder = handed->folder();
    ASSERT_TRUE(handed->add(FileDescriptor(::open(log.c_str(), O_RDONLY | O_CLOEXEC)), "in/run.log"));
    struct stat facts {};
    ASSERT_EQ(stat(link_folder.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777U, 0700U);
    fs::remove(log);
    fs::create_symlink(secret, log);
    ASSERT_TRUE(run_child({"/bin/cp", "cp", "in/run.log", copy}, *handed, [] { return false; }));
    EXPECT_EQ(content_of(copy), "the log");
    const Result<HandedFiles> none = HandedFiles::make();
    ASSERT_TRUE(none);
    EXPECT_FALSE(run_child({"/bin/cp", "cp", link_folder + "/in/run.log", copy}, *none, [] { return false; }))
        << "only what is handed on is open there";
  }
  EXPECT_FALSE(fs::exists(link_folder));
}

}  // namespace
}  // namespace ttscope::serve
