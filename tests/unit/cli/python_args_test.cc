// Texts and values of argparse's command lines; tests/integration/analyze_memory_test.py compares with
// argparse itself.
#include "cli/python_args.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ttscope::cli {
namespace {

PythonProgram program() {
  PythonProgram made;
  made.name = "prog.py";
  made.description = "Does it";
  made.options = {{"--logs", "LOGS", "Path of the log", true, false},
                  {"--size", "SIZE", "A size", false, true},
                  {"--sizes", "", "A flag", false, false}};
  return made;
}

TEST(PythonArgs, ValuesFlagsAndAbbreviations) {
  const PythonArgs args = parse_python_args(program(), {"--lo", "a b", "--size=-2.5e3", "--sizes"});
  EXPECT_EQ(args.error, "");
  EXPECT_EQ(args.value("--logs"), "a b");
  EXPECT_EQ(args.value("--size"), "-2.5e3");
  EXPECT_TRUE(args.has("--sizes"));
}

TEST(PythonArgs, Errors) {
  const auto error = [](const std::vector<std::string>& args) {
    return parse_python_args(program(), args).error;
  };
  EXPECT_EQ(error({}), "the following arguments are required: --logs");
  EXPECT_EQ(error({"--s", "1"}), "ambiguous option: --s could match --size, --sizes");
  EXPECT_EQ(error({"--logs"}), "argument --logs: expected one argument");
  EXPECT_EQ(error({"--size", "x"}), "argument --size: invalid float value: 'x'");
  EXPECT_EQ(error({"--logs", "a", "b"}), "unrecognized arguments: b");
}

TEST(PythonArgs, FloatsAsPythonReadsThem) {
  EXPECT_EQ(python_float(" 1_000.5 "), 1000.5);
  EXPECT_EQ(python_float("-.5"), -0.5);
  EXPECT_EQ(python_float("1e400"), HUGE_VAL);
  EXPECT_TRUE(std::isnan(python_float("NaN").value()));
  for (const std::string_view text : {"", "1__0", "_1", "1_", "0x10", "1 2", "12GB", "++1", "e5"}) {
    EXPECT_EQ(python_float(text), std::nullopt) << text;
  }
}

TEST(PythonArgs, ReprOfTexts) {
  EXPECT_EQ(python_repr("a"), "'a'");
  EXPECT_EQ(python_repr("it's"), "\"it's\"");
  EXPECT_EQ(python_repr("\n\x1b\\"), "'\\n\\x1b\\\\'");
  EXPECT_EQ(python_repr("\xff"), "'\\udcff'");
}

}  // namespace
}  // namespace ttscope::cli
