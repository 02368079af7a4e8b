#include "terminal/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace ttscope::terminal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PathCompletionTest : public ::testing::Test {
 protected:
  PathCompletionTest() {
    for (const char* name :
         {"model_a.log", "model_b.log", "queue q.log", ".hidden", "größe.log", "grün.log"}) {
      folder_.file(name, "x");
    }
    std::filesystem::create_directory(folder_.path("runs"));
    folder_.file("runs/deep.log", "x");
    std::filesystem::create_directory_symlink(folder_.path("runs"), folder_.path("link"));
  }

  PathCompletion complete(const std::string& typed) {
    return complete_path(folder_.path() + "/" + typed, "");
  }
  std::string text(const std::string& typed) {
    return complete(typed).text.substr(folder_.path().size() + 1);
  }

  testing::TempFolder folder_;
};

TEST_F(PathCompletionTest, AsFarAsAllNamesAgree) {
  EXPECT_EQ(text("mo"), "model_");
  EXPECT_THAT(complete("model_").candidates, ElementsAre("model_a.log", "model_b.log"));
  EXPECT_EQ(text("model_a"), "model_a.log");
  EXPECT_THAT(complete("model_a").candidates, IsEmpty()) << "only one way";
}

TEST_F(PathCompletionTest, NamesWithBlanksAndQ) { EXPECT_EQ(text("q"), "queue q.log"); }

TEST_F(PathCompletionTest, FoldersGoOn) {
  EXPECT_EQ(text("ru"), "runs/");
  EXPECT_EQ(text("runs/"), "runs/deep.log");
  EXPECT_EQ(text("li"), "link/") << "a link to a folder is one";
}

TEST_F(PathCompletionTest, HiddenNamesWhenADotIsTyped) {
  EXPECT_THAT(complete("").candidates, ElementsAre("größe.log", "grün.log", "link/", "model_a.log",
                                                   "model_b.log", "queue q.log", "runs/"));
  EXPECT_EQ(text("."), ".hidden");
}

TEST_F(PathCompletionTest, NotInTheMiddleOfACharacter) {
  // ö and ü begin with the same byte.
  EXPECT_EQ(text("g"), "gr");
}

TEST_F(PathCompletionTest, NothingFits) {
  EXPECT_EQ(text("zzz"), "zzz");
  EXPECT_THAT(complete("zzz").candidates, IsEmpty());
  EXPECT_EQ(text("no/such/folder"), "no/such/folder");
  EXPECT_EQ(text("model_a.log/x"), "model_a.log/x");
}

TEST_F(PathCompletionTest, Home) {
  EXPECT_EQ(expand_home("~", "/h"), "/h");
  EXPECT_EQ(expand_home("~/a", "/h"), "/h/a");
  EXPECT_EQ(expand_home("~user/a", "/h"), "~user/a");
  EXPECT_EQ(expand_home("a~", "/h"), "a~");
  EXPECT_EQ(expand_home("~/a", ""), "~/a");
  EXPECT_EQ(expand_home("", "/h"), "");
  EXPECT_EQ(complete_path("~", folder_.path()).text, "~/");
  EXPECT_EQ(complete_path("~/ru", folder_.path()).text, "~/runs/") << "as it was typed";
}

}  // namespace
}  // namespace ttscope::terminal
