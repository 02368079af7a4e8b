#include "base/number_text.h"

#include <gtest/gtest.h>

namespace ttscope {
namespace {

std::string repr(std::string_view text) {
  std::string out;
  append_python_repr(out, text);
  return out;
}

TEST(PythonText, QuotesAsRepr) {
  EXPECT_EQ(repr("a"), "'a'");
  EXPECT_EQ(repr("it's"), "\"it's\"");
  EXPECT_EQ(repr("it's \"x\""), "'it\\'s \"x\"'");
  EXPECT_EQ(repr("a\n\t\\\x01"), "'a\\n\\t\\\\\\x01'");
}

TEST(PythonText, RoundsTheDecimalTextOfTheNumber) {
  EXPECT_DOUBLE_EQ(python_round(0.0195, 3), 0.019);  // the number is a little less than it looks
  EXPECT_DOUBLE_EQ(python_round(2.5, 0), 2.0);
  EXPECT_DOUBLE_EQ(python_round(12.3456, 1), 12.3);
  std::string text;
  append_python_float(text, 0.02);
  append_python_float(text, 1e16);
  EXPECT_EQ(text, "0.021e+16");
}

TEST(NumberText, TakesWholeTextsOnly) {
  EXPECT_EQ(parse_whole(" 12 "), 12);
  EXPECT_EQ(parse_whole("+5"), 5);
  EXPECT_FALSE(parse_whole("12x"));
  EXPECT_FALSE(parse_whole(""));
  EXPECT_FALSE(parse_number("nan"));
  EXPECT_FALSE(parse_number("inf"));
  EXPECT_FALSE(parse_number("1e999"));
  EXPECT_EQ(parse_whole_or_cut("12.9"), 12);
  EXPECT_FALSE(parse_whole_or_cut("1e300"));
  EXPECT_FALSE(parse_ticks("9007199254740993"));
  EXPECT_EQ(parse_ticks("-7"), -7);
}

}  // namespace
}  // namespace ttscope
