// Values of options that are read, and complaints about those that are none.
#include "cli/option_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace ttscope::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What the options of a command make of words: the complaint, or nothing.
std::string read(std::vector<OptionSpec> options, const std::vector<std::string>& words) {
  CommandSpec spec;
  spec.options = std::move(options);
  auto parsed = parse_args(spec, words);
  return parsed ? take_values(spec, std::move(*parsed)) : parsed.error();
}

TEST(OptionValues, FieldsKeepWhatTheyHaveWhereNothingIsGiven) {
  bool is_on = false;
  bool is_off = true;
  std::string text = "usual";
  std::optional<std::string> maybe;
  int number = 7;
  const auto all = [&] {
    return std::vector<OptionSpec>{flag_option("--on", is_on, "h"), flag_option("--off", is_off, "h", false),
                                   text_option("--text", "T", text, "h"),
                                   text_option("--maybe", "T", maybe, "h"),
                                   number_option("-n,--number", "N", 1, number, "h")};
  };
  EXPECT_EQ(read(all(), {}), "");
  EXPECT_FALSE(is_on);
  EXPECT_TRUE(is_off);
  EXPECT_EQ(text, "usual");
  EXPECT_EQ(maybe, std::nullopt);
  EXPECT_EQ(number, 7);
  EXPECT_EQ(read(all(), {"--on", "--off", "--text", "a", "--maybe", "", "-n3"}), "");
  EXPECT_TRUE(is_on);
  EXPECT_FALSE(is_off);
  EXPECT_EQ(text, "a");
  EXPECT_EQ(maybe, "");
  EXPECT_EQ(number, 3);
}

TEST(OptionValues, AWholeNumberIsTakenAsAWholeAndFromTheLeastOn) {
  int number = 7;
  for (const char* wrong : {"0", "-1", "", "3x", "x", "1.5", "99999999999", " 3"}) {
    EXPECT_EQ(take_number("--top", wrong, 1, number),
              "--top " + std::string(wrong) + ": expected a whole number of at least 1");
  }
  EXPECT_EQ(take_number("--top", "3", 1, number), "");
  EXPECT_EQ(number, 3);
}

TEST(OptionValues, AChoiceMayMeanSomething) {
  enum class Speed { kSlow, kFast } speed = Speed::kSlow;
  std::optional<Speed> maybe;
  const auto all = [&] {
    return std::vector<OptionSpec>{
        choice_option("--speed", "S", {{"slow", Speed::kSlow}, {"fast", Speed::kFast}}, speed, "h"),
        choice_option("--maybe", "S", {{"slow", Speed::kSlow}}, maybe, "h")};
  };
  EXPECT_EQ(read(all(), {"--speed", "fast"}), "");
  EXPECT_EQ(speed, Speed::kFast);
  EXPECT_EQ(maybe, std::nullopt);
  EXPECT_THAT(read(all(), {"--maybe", "fast"}), ::testing::HasSubstr("fast is not one of slow"));
}

TEST(OptionValues, OfAnOptionThatRepeatsEachValueIsTaken) {
  std::vector<std::string> seen;
  OptionSpec option = value_option(
      "--part", "P",
      [&](std::string_view, const std::string& value) {
        seen.push_back(value);
        return std::string();
      },
      "h");
  EXPECT_EQ(read({option}, {"--part=a", "--part=b"}), "");
  EXPECT_THAT(seen, ElementsAre("b")) << "the last counts";
  seen.clear();
  option.repeats = true;
  EXPECT_EQ(read({option}, {"--part=a,b", "--part=c"}), "");
  EXPECT_THAT(seen, ElementsAre("a,b", "c"));
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
