// Values that are none end a command as wrong usage before it opens anything: the input is not there.
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/commands.h"

namespace ttscope::cli {
namespace {

int run(const std::string& name, std::vector<std::string> words) {
  const Command* command = find_command(name);
  EXPECT_NE(command, nullptr) << name;
  words.insert(words.begin(), "/nowhere/at/all");
  return command == nullptr ? -1 : command->run(words);
}

/// Each value alone is wrong; with the last one the command goes on and finds no input.
void expect_usage(const std::string& command, const std::string& option,
                  const std::vector<std::string>& wrong, const std::string& right) {
  for (const std::string& value : wrong) {
    EXPECT_EQ(run(command, {option + "=" + value}), kUsage) << command << " " << option << "=" << value;
  }
  EXPECT_EQ(run(command, {option + "=" + right}), kFailed) << command << " " << option << "=" << right;
}

TEST(UsageErrors, OfMem) {
  expect_usage("mem", "--at", {"0", "x", "op:", "op:x", "-1", "4294967295", "7 "}, "op:0");
  expect_usage("mem", "--max-dram", {"x", "90%%", "-1", "5QB"}, "90%");
  expect_usage("mem", "--max-l1", {"", "MB"}, "900MB");
  expect_usage("mem", "--device", {"n151"}, "p150");
  expect_usage("mem", "--name", {"a/b", "..", "."}, "run");
  expect_usage("mem", "--top", {"-1", "x"}, "0");
  expect_usage("mem", "--threads", {"0"}, "1");
}

TEST(UsageErrors, ASwitchWithAValueWasOnWhateverTheValue) {
  EXPECT_EQ(run("mem", {"--verbose=false"}), kUsage);
  EXPECT_EQ(run("perf", {"--strict=0"}), kUsage);
  EXPECT_EQ(run("mem", {"--verbose"}), kFailed);
  EXPECT_EQ(run("mem", {"--verbose", "--verbose"}), kFailed);
}

TEST(UsageErrors, OfTimeline) {
  expect_usage("timeline", "--from", {"x", "1h", "1e30s", "ms"}, "1.5ms");
  expect_usage("timeline", "--to", {"1.5.5ms"}, "2s");
  expect_usage("timeline", "--op", {"x", "-1"}, "1024");
  expect_usage("timeline", "--core", {"1", "1,", ",1", "1,x", "1,2,3", "70000,1"}, "1,2");
  expect_usage("timeline", "--output", {"x.txt", "x"}, "/nowhere/x.html");
  EXPECT_EQ(run("timeline", {"--from", "2s", "--to", "1s"}), kUsage) << "nothing would be left";
  EXPECT_EQ(run("timeline", {"--from", "1s", "--to", "1s"}), kFailed);
  EXPECT_EQ(run("timeline", {"--csv-form", "messages"}), kUsage) << "of no CSV";
  EXPECT_EQ(run("timeline", {"--tracy-version", "0.10"}), kUsage) << "of no file";
  EXPECT_EQ(run("timeline", {"--tracy-version", "0.10", "-o", "x.html"}), kUsage) << "of no .tracy";
}

TEST(UsageErrors, OfPerf) {
  expect_usage("perf", "--name-append", {"a/b", ".."}, "run");
  expect_usage("perf", "--threads", {"0", "257", "x"}, "256");
  expect_usage("perf", "--arch", {"grayskull"}, "p150");
  expect_usage("perf", "--min-percentage", {"-1", "x"}, "0");
  expect_usage("perf", "--output-folder", {""}, "out");
  EXPECT_EQ(run("perf", {"--tolerance", "1%"}), kUsage) << "an option of `perf compare`";
  EXPECT_EQ(run("perf", {"--counter-tables", "--csv", "-"}), kUsage) << "both print";
  EXPECT_EQ(run("perf", {"--csv", ""}), kUsage);
}

TEST(UsageErrors, OfPerfCompareAndRaw) {
  const Command& perf = *find_command("perf");
  EXPECT_EQ(perf.run({"compare", "/nowhere/a.csv"}), kUsage) << "one report is none";
  const std::vector<std::string> both = {"compare", "/nowhere/a.csv", "/nowhere/b.csv"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.begin(), both.begin(), both.end());
    return perf.run(words);
  };
  EXPECT_EQ(with({}), kFailed);
  EXPECT_EQ(with({"--tolerance", "1%"}), kFailed);
  for (const char* wrong : {"x", "-1", "%", "1%%"}) {
    EXPECT_EQ(with({std::string("--tolerance=") + wrong}), kUsage) << wrong;
  }
  EXPECT_EQ(with({"--max-differences", "x"}), kUsage);
  EXPECT_EQ(with({"--csv", "x.csv"}), kUsage) << "not an option of compare";
  EXPECT_EQ(run("perf", {"--raw", "--csv", "x.csv"}), kUsage) << "not an option of --raw";
}

TEST(UsageErrors, OfFit) {
  expect_usage("fit", "--tp", {"0", "1025", "x"}, "1");
  expect_usage("fit", "--device", {"n151"}, "n150,p150");
  expect_usage("fit", "--batch", {"0", "4:"}, "4:8");
  expect_usage("fit", "--top", {"-1"}, "0");
}

TEST(UsageErrors, UnknownOptionsAndMissingInputs) {
  for (const Command& command : all_commands()) {
    if (command.spec().positional.takes_rest) continue;  // they are of the program that it runs
    EXPECT_EQ(command.run({"--no-such-option"}), kUsage) << command.name;
    if (command.spec().positional.min == 0) continue;
    EXPECT_EQ(command.run({}), kUsage) << command.name;
  }
}

}  // namespace
}  // namespace ttscope::cli
