// Values of options that are read, and complaints about those that are none.
#include "cli/option_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace ttscope::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ParsedArgs with(const std::string& key, const std::string& value) {
  ParsedArgs args;
  args.values[key] = value;
  return args;
}

TEST(OptionValues, AWholeNumberIsTakenAsAWholeAndFromTheLeastOn) {
  int number = 7;
  EXPECT_TRUE(read_number({}, "--top", 1, number));
  EXPECT_EQ(number, 7) << "an option that is absent changes nothing";
  EXPECT_TRUE(read_number(with("--top", "3"), "--top", 1, number));
  EXPECT_EQ(number, 3);
  for (const char* wrong : {"0", "-1", "", "3x", "x", "1.5", "99999999999", " 3"}) {
    EXPECT_FALSE(read_number(with("--top", wrong), "--top", 1, number)) << wrong;
  }
}

TEST(OptionValues, PartsBetweenCommas) {
  EXPECT_THAT(comma_parts("a,b"), ElementsAre("a", "b"));
  EXPECT_THAT(comma_parts(",a,,"), ElementsAre("", "a", "", ""));
  EXPECT_THAT(comma_parts(""), ElementsAre(""));
  EXPECT_THAT(comma_separated("a, b ,,c,"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(comma_separated(" , "), IsEmpty());
  EXPECT_THAT(comma_separated(""), IsEmpty());
}

TEST(OptionValues, AnAgeHasAUnitOrIsOfDays) {
  EXPECT_EQ(age_seconds("2d"), 2 * 86400);
  EXPECT_EQ(age_seconds("2"), 2 * 86400);
  EXPECT_EQ(age_seconds("12h"), 12 * 3600);
  EXPECT_EQ(age_seconds("90m"), 90 * 60);
  EXPECT_EQ(age_seconds("0"), 0);
  for (const char* wrong : {"", "d", "-1d", "1w", "1dd", "1 d", "1000001", "99999999999999999999"}) {
    EXPECT_EQ(age_seconds(wrong), std::nullopt) << wrong;
  }
}

TEST(OptionValues, OutputsNeitherReplaceInputsNorShareStandardOutput) {
  const testing::TempFolder folder;
  const std::string input = folder.file("in.log", "x");
  ParsedArgs args;
  args.positionals = {input};
  EXPECT_TRUE(are_usable_outputs(args, {"--json", "--llm"}));
  args.values = {{"--json", "-"}, {"--llm", folder.path("out.md")}};
  EXPECT_TRUE(are_usable_outputs(args, {"--json", "--llm"}));
  args.values["--llm"] = "-";
  EXPECT_FALSE(are_usable_outputs(args, {"--json", "--llm"}));
  args.values["--llm"] = folder.path("./in.log");
  EXPECT_FALSE(are_usable_outputs(args, {"--json", "--llm"})) << "the same file by another name";
  args.values["--llm"] = "";
  EXPECT_FALSE(are_usable_outputs(args, {"--json", "--llm"}));
}

TEST(SizeValue, UnitsAreOf1024InAnySpelling) {
  EXPECT_EQ(parse_size("93"), 93);
  EXPECT_EQ(parse_size("93B"), 93);
  EXPECT_EQ(parse_size("1.5k"), 1536);
  EXPECT_EQ(parse_size("2 MiB"), 2 * 1024 * 1024);
  EXPECT_EQ(parse_size("1gb"), std::int64_t{1} << 30);
  for (const char* wrong : {"", "MB", "-1", "1x", "1kbb", "1e30", "nan", "inf"}) {
    EXPECT_EQ(parse_size(wrong), std::nullopt) << wrong;
  }
}

TEST(SizeValue, ASharePutsThePercentSignBehindItsNumber) {
  EXPECT_EQ(parse_share("90%"), 0.9);
  EXPECT_EQ(parse_share("150 %"), 1.5);
  for (const char* wrong : {"90", "%", "-1%", "90%%"}) EXPECT_EQ(parse_share(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace ttscope::cli
