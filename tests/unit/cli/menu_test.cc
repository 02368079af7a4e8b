#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/menu/ui.h"
#include "support/temp_folder.h"

namespace ttscope::cli {
namespace {

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
  EXPECT_EQ(path_of_answer(plain), plain);
  EXPECT_EQ(path_of_answer(" " + plain + " \n"), plain);
  EXPECT_EQ(path_of_answer("'" + blank + "'"), blank) << "dropped onto the terminal";
  EXPECT_EQ(path_of_answer(folder.path("my\\ run.log")), blank);
  EXPECT_EQ(path_of_answer(blank), blank);
  EXPECT_EQ(path_of_answer(quoted), quoted) << "a name that exists is taken as it is";
  EXPECT_EQ(path_of_answer("no such file"), "no such file");
  EXPECT_EQ(path_of_answer(""), "");
}

}  // namespace
}  // namespace ttscope::cli
