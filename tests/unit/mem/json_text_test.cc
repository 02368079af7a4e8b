#include "ui/json_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "mem/write/json_document.h"
#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

std::string milli(MilliMib value) {
  std::string text;
  ui::append_thousandths(text, value);
  return text;
}

TEST(MilliMib, HasTheShortestDecimalsButAtLeastOne) {
  EXPECT_EQ(milli(0), "0.0");
  EXPECT_EQ(milli(1), "0.001");
  EXPECT_EQ(milli(10), "0.01");
  EXPECT_EQ(milli(31), "0.031");
  EXPECT_EQ(milli(320), "0.32");
  EXPECT_EQ(milli(1000), "1.0");
  EXPECT_EQ(milli(1270), "1.27");
  EXPECT_EQ(milli(1021169), "1021.169");
  EXPECT_EQ(milli(4294967295), "4294967.295");
}

TEST(MilliMib, ReadsBackToTheSameFigure) {
  for (MilliMib value = 0; value < 20000; value += 7) {
    EXPECT_EQ(static_cast<MilliMib>(std::stod(milli(value)) * 1000 + 0.5), value);
  }
}

TEST(AppendInteger, CoversTheWholeRange) {
  std::string text;
  ui::append_integer(text, std::numeric_limits<std::int64_t>::min());
  ui::append_integer(text, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(text, "-92233720368547758089223372036854775807");
}

TEST(JsonQuoter, EscapesInItsStyle) {
  ui::JsonQuoter ascii({.indented = true, .ascii = true});
  EXPECT_EQ(ascii.quoted("a<b\n\xC3\xA9\xFF"), "\"a<b\\n\\u00e9\\ufffd\"");
  ui::JsonQuoter html_safe(JsonStyle{});
  EXPECT_EQ(html_safe.quoted("</script>"), "\"\\u003c/script>\"");
  EXPECT_EQ(ascii.quoted_or_null(""), "null");
  EXPECT_EQ(ascii.number(3.375), "3.375");
  EXPECT_EQ(ascii.number(4.0 / 1048576), "3.814697265625e-06");
}

TEST(JsonQuoter, KeepsNothingOfEarlierTexts) {
  ui::JsonQuoter quoter(JsonStyle{});
  const std::string large(600000, 'x');
  EXPECT_EQ(quoter.quoted(large).size(), large.size() + 2);
  EXPECT_EQ(quoter.quoted("y"), "\"y\"");
}

TEST(OpJson, FallsBackFromTextToTypeAndFromLocationToCallee) {
  HandMadeLog made;
  const auto plain = made.add_op({.name = "ttnn.add", .loc = "\"dot.7\"(\"outer\")"});
  const auto file = made.add_op({.loc = "\"/x/m.py\":25:10"});
  const auto cached = made.add_op({.name = "ttcore.load_cached",
                                   .callee = "main_const_eval_0",
                                   .role = OpRole::kLoadCached,
                                   .loc = "unknown"});
  OpJson ops(made.log, {});
  const auto& records = made.rank().ops;
  EXPECT_EQ(ops.name(records[plain]), "\"ttnn.add\"");
  EXPECT_EQ(ops.loc(records[plain]), "\"dot.7\"");
  EXPECT_EQ(ops.loc(records[file]), "\"/x/m.py:25:10\"");
  EXPECT_EQ(ops.loc(records[cached]), "\"@main_const_eval_0\"");
  ExecutedOp without_line = records[plain];
  without_line.text = without_line.loc = kNone;
  EXPECT_EQ(ops.name(without_line), "\"TestOp\"");
  EXPECT_EQ(ops.loc(without_line), "null");
}

}  // namespace
}  // namespace ttscope::mem
