#include "io/open_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "support/compressed.h"
#include "support/temp_folder.h"

namespace ttscope::io {
namespace {

using testing::gzip;
using ::testing::HasSubstr;
using testing::TempFolder;
using testing::zstd;

/// Over the block in which texts are unpacked.
std::string large_text() {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < (std::size_t{5} << 19)) text += std::to_string(random()) + '\n';
  return text;
}

TEST(WholeText, PlainFilesAreMappedAndOthersUnpacked) {
  const TempFolder folder;
  for (const std::string& text : {std::string(), std::string("x"), large_text()}) {
    const auto plain = open_whole_text(folder.file("plain", text));
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->bytes(), text);
    for (const std::string& packed : {gzip(text), zstd(text)}) {
      const auto unpacked = open_whole_text(folder.file("packed", packed));
      ASSERT_TRUE(unpacked);
      EXPECT_TRUE(unpacked->unpacked);
      EXPECT_EQ(unpacked->bytes(), text);
      EXPECT_EQ(unpacked->warning, "");
    }
  }
}

TEST(WholeText, PipesAreReadToTheirEnd) {
  const TempFolder folder;
  const std::string text = large_text();
  const std::string path = folder.path("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << text; });
  const auto read = open_whole_text(path);
  writer.join();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->bytes(), text);
}

TEST(WholeText, CutDataAreReadAsFarAsTheyGoAndTold) {
  const TempFolder folder;
  const std::string text = large_text();
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    const auto cut = open_whole_text(folder.file("cut", packed.substr(0, packed.size() / 2)));
    ASSERT_TRUE(cut);
    EXPECT_THAT(cut->warning, HasSubstr("cut"));
    EXPECT_FALSE(cut->bytes().empty());
    EXPECT_EQ(text.substr(0, cut->bytes().size()), cut->bytes());
  }
}

TEST(WholeText, MissingFilesAndFoldersAreErrors) {
  const TempFolder folder;
  EXPECT_THAT(open_whole_text(folder.path("none")).error().message, HasSubstr("cannot open"));
  EXPECT_THAT(open_whole_text(folder.path()).error().message, HasSubstr("is a folder"));
}

}  // namespace
}  // namespace ttscope::io
