#include "base/text.h"

#include <gtest/gtest.h>

namespace ttscope {
namespace {

TEST(ShellText, QuotedIsOneWordWhateverIsInIt) {
  EXPECT_EQ(shell_quoted("plain"), "'plain'");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("it's $HOME `x`"), R"('it'\''s $HOME `x`')");
}

TEST(ShellText, AWordIsQuotedOnlyWhereItMustBe) {
  EXPECT_EQ(shell_word("path/to/model.py::test_one"), "path/to/model.py::test_one");
  EXPECT_EQ(shell_word("--batch=8,16"), "--batch=8,16");
  EXPECT_EQ(shell_word("~"), "'~'");
  EXPECT_EQ(shell_word("test[a]"), "'test[a]'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(ShellText, ACommandIsFitForATerminal) {
  EXPECT_EQ(shell_command({"python", "my model.py", "--name", ""}), "python 'my model.py' --name ''");
  EXPECT_EQ(shell_command({"a\x1b[31m"}), R"('a\x1b[31m')");
  EXPECT_EQ(shell_command({}), "");
}

}  // namespace
}  // namespace ttscope
