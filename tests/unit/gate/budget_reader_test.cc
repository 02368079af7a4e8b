#include "gate/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::gate {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Budget read(std::string_view text) {
  Result<Budget> budget = read_budget("b.toml", text);
  EXPECT_TRUE(budget) << budget.error().message;
  return budget ? *budget : Budget{};
}

std::string refusal(std::string_view text) {
  const Result<Budget> budget = read_budget("b.toml", text);
  EXPECT_FALSE(budget);
  return budget ? std::string() : budget.error().message;
}

TEST(BudgetReader, ReadsTheExampleOfTheDocuments) {
  const Budget budget = read(
      "baseline = \"main.csv\"\n"
      "[memory]\n"
      "dram_peak = \"90%\"\n"
      "fits = true\n"
      "[time]\n"
      "wall = \"+3%\"\n"
      "[time.ops.Matmul]\n"
      "device_us = 120\n"
      "[time.layers.\"model.layers.*.mlp\"]\n"
      "device = \"1.5 ms\"\n");
  EXPECT_THAT(budget.baseline, ::testing::ElementsAre("main.csv"));
  ASSERT_THAT(budget.bounds, SizeIs(5));
  EXPECT_EQ(budget.bounds[0].path(), "memory.dram_peak");
  EXPECT_EQ(budget.bounds[0].kind, BoundKind::kShare);
  EXPECT_DOUBLE_EQ(budget.bounds[0].value, 0.9);
  EXPECT_EQ(budget.bounds[0].line, 3u);
  EXPECT_EQ(budget.bounds[1].kind, BoundKind::kMustBe);
  EXPECT_EQ(budget.bounds[2].kind, BoundKind::kRelative);
  EXPECT_TRUE(budget.bounds[2].needs_baseline());
  EXPECT_EQ(budget.bounds[3].path(), "time.ops.Matmul.device");
  EXPECT_DOUBLE_EQ(budget.bounds[3].value, 120);
  EXPECT_EQ(budget.bounds[4].path(), "time.layers.model.layers.*.mlp.device");
  EXPECT_DOUBLE_EQ(budget.bounds[4].value, 1500);
}

TEST(BudgetReader, UnitsMayStandInTheKeyOrInTheValue) {
  const Budget budget = read(
      "[memory]\ndram_peak_gb = 10\nl1_peak = \"1.5 MB\"\npadding = \"+100 KB\"\n[time]\nwall = \"2 "
      "s\"\ngaps_ms = "
      "0.5\n");
  ASSERT_THAT(budget.bounds, SizeIs(5));
  EXPECT_DOUBLE_EQ(budget.bounds[0].value, 10.0 * 1024 * 1024 * 1024);
  EXPECT_DOUBLE_EQ(budget.bounds[1].value, 1.5 * 1024 * 1024);
  EXPECT_EQ(budget.bounds[2].kind, BoundKind::kDifference);
  EXPECT_DOUBLE_EQ(budget.bounds[3].value, 2e6);
  EXPECT_DOUBLE_EQ(budget.bounds[4].value, 500);
}

TEST(BudgetReader, UnknownKeysAreNamedWithTheirLineAndWhatWasMeant) {
  EXPECT_THAT(refusal("[memory]\n\ndram_peek = \"90%\"\n"), HasSubstr("b.toml:3: unknown key `dram_peek`"));
  EXPECT_THAT(refusal("[memory]\ndram_peek = \"90%\"\n"), HasSubstr("did you mean `dram_peak`?"));
  EXPECT_THAT(refusal("[tme]\nwall_us = 3\n"), HasSubstr("did you mean `time`?"));
  EXPECT_THAT(refusal("[time.ops.Matmul]\ndevise_us = 3\n"), HasSubstr("did you mean `device_us`?"));
}

TEST(BudgetReader, WrongUnitsAreNamedWithTheirLineAndWhatIsRight) {
  EXPECT_THAT(refusal("[time]\nwall = \"3 MB\"\n"), HasSubstr("b.toml:2: [time] wall: `wall` is a time"));
  EXPECT_THAT(refusal("[time]\nwall_mb = 3\n"), HasSubstr("`mb` is no unit of one"));
  EXPECT_THAT(refusal("[time]\nwall = 3\n"), HasSubstr("3 has no unit; expected \"120 us\""));
  EXPECT_THAT(refusal("[time]\nwall = \"90%\"\n"), HasSubstr("\"+90%\""));
  EXPECT_THAT(refusal("[memory]\ndram_peak = \"3 ms\"\n"), HasSubstr("is a size, and \"3 ms\" is a time"));
  EXPECT_THAT(refusal("[memory]\nfits = 1\n"), HasSubstr("true or false"));
  EXPECT_THAT(refusal("[time]\nwall_us = -3\n"), HasSubstr("not below 0"));
  EXPECT_THAT(refusal("[time]\nwall_us = nan\n"), HasSubstr("not below 0"));
}

TEST(BudgetReader, AllErrorsAreToldInTheOrderOfTheFile) {
  const std::string text = refusal("x = 1\n[memory]\ny = 1\n[time]\nwall = 1\n");
  EXPECT_LT(text.find("b.toml:1:"), text.find("b.toml:3:"));
  EXPECT_LT(text.find("b.toml:3:"), text.find("b.toml:5:"));
}

TEST(BudgetReader, ABudgetWithoutABoundAndNoTomlAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("no bound in it"));
  EXPECT_THAT(refusal("wall: 3\n"), HasSubstr("b.toml:1:"));
  EXPECT_THAT(refusal("time = 3\n"), HasSubstr("`time` is a table: [time]"));
  EXPECT_THAT(refusal("baseline = 3\n"), HasSubstr("path of a run"));
}

// toml++ 3.3 asks of these whether they are blanks, and then runs into code that it says cannot be reached.
TEST(BudgetReader, CharactersOutsideOfQuotesAreRefusedWithTheirLineBeforeTheyAreParsed) {
  for (const std::string c :
       {"\u00A1", "\u00E9", "\u0499", "\u2E5E", "\u3257", "\uFEF6", "\uFEFB", "\uFEFE"}) {
    for (const std::string& text :
         {"baseline = [\"main\"" + c + "_peak\", \"b\"]\n", "[memory]\n" + c + " = 3\n", c + "\n",
          "[memory]\ndram_peak = 3" + c, "[memory] " + c + "\n", "baseline = \"\"\"a\\" + c + "\"\"\"\n",
          "baseline = \"\"\"\\\n  " + c + "\"\"\"\n"}) {
      EXPECT_THAT(refusal(text), HasSubstr("a character that is not ASCII")) << text;
    }
  }
  EXPECT_THAT(refusal("# \u00E9\nbaseline = '''\n\u00E9\n'''\n\uFEFB = 3\n"), HasSubstr("b.toml:5: "));
}

TEST(BudgetReader, CharactersInsideOfQuotesAndCommentsAreRead) {
  const Budget budget = read(
      "\uFEFF# \uFEFB \u00E9\n"
      "baseline = [\"\u00E9.csv\", '\uFEFB', \"\"\"a\n\u00E9\"\"\"\"\", '''\u00E9''']  # \u00E9\n"
      "[time.ops.\"\uFEFB \\\" \u00E9\"]\ndevice_us = 120\n");
  EXPECT_THAT(budget.baseline, SizeIs(4));
  ASSERT_THAT(budget.bounds, SizeIs(1));
  EXPECT_EQ(budget.bounds[0].name, "\uFEFB \" \u00E9");
}

}  // namespace
}  // namespace ttscope::gate
