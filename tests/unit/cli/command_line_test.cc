// The parts of the command line that need no process of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/report_library.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/option_values.h"

namespace ttscope::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CommandSpec example() {
  CommandSpec spec;
  spec.program = "tool work";
  spec.description = "Works.";
  spec.positional = {"FILE", "what to work on", 1, 2, ValueKind::kFile, {}};
  spec.options = {{"-o,--output", "PATH", "where it goes", ValueKind::kFile, {}},
                  {"--mode", "MODE", "how", ValueKind::kChoice, {"fast", "slow"}},
                  {"-q,--quiet", "", "say nothing", ValueKind::kText, {}}};
  return spec;
}

std::string problem_of(const std::vector<std::string>& args) {
  const auto parsed = parse_args(example(), args);
  return parsed ? "" : parsed.error();
}

TEST(ArgParser, TakesOptionsAndArgumentsInAnyOrder) {
  const auto parsed = parse_args(example(), {"-q", "a", "--output", "x", "b", "--mode=slow"});
  ASSERT_TRUE(parsed.has_value()) << parsed.error();
  EXPECT_THAT(parsed->positionals, ElementsAre("a", "b"));
  EXPECT_EQ(parsed->value("--output"), "x");
  EXPECT_EQ(parsed->value("--mode"), "slow");
  EXPECT_TRUE(parsed->has("--quiet"));
}

TEST(ArgParser, ADashIsAnArgumentAndAValue) {
  const auto parsed = parse_args(example(), {"--mode=fast", "-", "-o", "-"});
  ASSERT_TRUE(parsed.has_value()) << parsed.error();
  EXPECT_THAT(parsed->positionals, ElementsAre("-"));
  EXPECT_EQ(parsed->value("--output"), "-");
}

TEST(ArgParser, TwoDashesEndTheOptions) {
  const auto parsed = parse_args(example(), {"--", "-q"});
  ASSERT_TRUE(parsed.has_value()) << parsed.error();
  EXPECT_THAT(parsed->positionals, ElementsAre("-q"));
  EXPECT_FALSE(parsed->has("--quiet"));
}

TEST(ArgParser, TheLastOfSeveralCounts) {
  EXPECT_EQ(parse_args(example(), {"a", "-o", "x", "-o", "y"})->value("--output"), "y");
}

TEST(ArgParser, SaysWhatIsWrong) {
  EXPECT_EQ(problem_of({}), "missing FILE");
  EXPECT_EQ(problem_of({"a", "b", "c"}), "unexpected argument c");
  EXPECT_EQ(problem_of({"a", "--outputt", "x"}), "unknown option --outputt; did you mean --output?");
  EXPECT_EQ(problem_of({"a", "--xyzzy"}), "unknown option --xyzzy");
  EXPECT_EQ(problem_of({"a", "--mode", "fats"}), "--mode: fats is not one of fast, slow; did you mean fast?");
  EXPECT_THAT(problem_of({"a", "-o"}), HasSubstr("--output needs a value"));
  EXPECT_THAT(problem_of({"--output=", "a"}), HasSubstr("--output needs a value"));
}

TEST(ArgParser, AShortSwitchThatWasGivenAValueWasAnUnknownOptionWithoutAName) {
  CommandSpec spec = example();
  spec.options.push_back({"-p", "", "part of it", ValueKind::kText, {}});
  const auto problem = [&](const std::vector<std::string>& args) { return parse_args(spec, args).error(); };
  const std::string rest = " takes no value; leave it out where it is not wanted";
  EXPECT_EQ(problem({"a", "-p=1"}), "-p" + rest);
  EXPECT_EQ(problem({"a", "-q=false"}), "-q" + rest);
  EXPECT_EQ(problem({"a", "-pq=1"}), "-q" + rest);
  EXPECT_THAT(problem({"a", "-x=1"}), HasSubstr("unknown option -x"));
  EXPECT_EQ(parse_args(spec, {"a", "-op=1"})->value("--output"), "p=1");
}

TEST(ArgParser, HelpWinsOverWhatIsMissing) {
  EXPECT_TRUE(parse_args(example(), {"--help"})->help_wanted);
  EXPECT_TRUE(parse_args(example(), {"-h"})->help_wanted);
}

TEST(HelpText, ListsEverything) {
  const std::string text = help_text(example());
  EXPECT_EQ(text.find("Usage: tool work FILE... [options]\n\nWorks.\n"), 0U);
  EXPECT_THAT(text, HasSubstr("  -o, --output PATH     where it goes\n"));
  EXPECT_THAT(text, HasSubstr("      --mode MODE       how\n"));
}

TEST(HelpText, EveryOptionOfEveryCommandIsDescribed) {
  for (const auto* list : {&all_commands(), &other_programs()}) {
    for (const Command& command : *list) {
      const CommandSpec spec = command.spec();
      EXPECT_FALSE(spec.summary.empty()) << command.name;
      EXPECT_FALSE(spec.description.empty()) << command.name;
      for (const OptionSpec& option : spec.options) {
        EXPECT_FALSE(option.help.empty()) << command.name << " " << option.names;
        EXPECT_EQ(option.key().substr(0, 2), "--") << command.name << " " << option.names;
      }
    }
  }
}

TEST(Suggest, OnlyWhatIsNear) {
  const std::vector<std::string_view> names = {"mem", "last-run", "demo", "completion"};
  EXPECT_EQ(nearest_name("mme", names), "mem");
  EXPECT_EQ(nearest_name("lastrun", names), "last-run");
  EXPECT_EQ(nearest_name("comp", names), "completion");
  EXPECT_EQ(nearest_name("serve", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'm'), names), "");
}

TEST(ReportName, FollowsTheFileNameAndIsNeverAPath) {
  EXPECT_EQ(app::report_name("my_model_profile.log"), "my-model");
  EXPECT_EQ(app::report_name("/a/b/vit.v1_profile.log"), "vit.v1");
  EXPECT_EQ(app::report_name("run.log.zst"), "run");
  EXPECT_EQ(app::report_name("run.log.xz"), "run");
  EXPECT_EQ(app::report_name("run.log.bz2"), "run");
  EXPECT_EQ(app::report_name("run"), "run");
  EXPECT_EQ(app::report_name("-"), "stdin");
  for (const std::string path : {"_profile.log", "..", "...log", "/", "a/..", ".log", ""}) {
    const std::string name = app::report_name(path);
    EXPECT_TRUE(app::is_plain_name(name)) << path << " gives " << name;
  }
}

TEST(ReportName, PlainNames) {
  EXPECT_TRUE(app::is_plain_name("my model-2.v1"));
  for (const std::string name : {"", ".", "..", "a/b", "/a", "a\nb", ".hidden"})
    EXPECT_FALSE(app::is_plain_name(name)) << name;
}

TEST(Limits, SharesAndBytes) {
  EXPECT_DOUBLE_EQ(parse_limit("90%")->fraction, 0.9);
  EXPECT_DOUBLE_EQ(parse_limit("0.5 %")->fraction, 0.005);
  EXPECT_EQ(parse_limit("1048576")->bytes, 1048576);
  EXPECT_EQ(parse_limit("900MB")->bytes, 900 << 20);
  EXPECT_EQ(parse_limit("1.5 GiB")->bytes, std::int64_t{1536} << 20);
  EXPECT_EQ(parse_limit("2k")->bytes, 2048);
  for (const std::string_view text : {"", "%", "MB", "-1", "nan", "inf", "1e300", "90 percent", "12XB"}) {
    EXPECT_FALSE(parse_limit(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace ttscope::cli
