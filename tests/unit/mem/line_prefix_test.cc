#include "mem/model/log_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ttscope::mem {
namespace {

/// `tag|rest of the line`
std::string taken(std::string_view line) {
  const std::string tag(take_rank_tag(line));
  return tag + "|" + std::string(line);
}

TEST(LinePrefix, TimesAreTakenOff) {
  for (const std::string before :
       {"2025-10-14T04:33:23.9048735Z ", "2025-10-14T04:33:23Z 00O ", "2025-10-14T04:33:23.1Z 01E+",
        "2025-10-14T04:33:23.904+02:00 stderr F ", "[2025-10-14T04:33:23.904Z] ", "[2026-11-18 00:06:49] ",
        "12:43:46 ", "Nov 18 00:06:49 ", "1700000000.123456 ", "job name\tstep\t2025-10-14T04:33:23.904Z "}) {
    EXPECT_EQ(taken(before + "x"), "|x") << before;
    EXPECT_EQ(taken(before), "|") << before;
  }
}

TEST(LinePrefix, ATimeOfALoggerIsPartOfTheLine) {
  for (const std::string line : {"2026-04-23 17:58:35.093 (  13.930s) [ D17FA6C0] utils.h:62 ERR| Exception:",
                                 "2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: x",
                                 "2026-05-14 01:00:31,755 - INFO - x", "2026-05-14 01:00:31 text"}) {
    EXPECT_EQ(taken(line), "|" + line);
  }
  EXPECT_EQ(taken("2026-05-14 01:00:31 2026-05-14 01:00:31.755 | info"), "|2026-05-14 01:00:31.755 | info");
  EXPECT_EQ(taken("2026-05-14 01:00:31   func.func @main"), "|  func.func @main");
  EXPECT_EQ(taken("2026-05-14 01:00:31 module @x {"), "|module @x {");
  EXPECT_EQ(taken("2026-05-14 01:00:31 [rank3]: x"), "rank3|x");
}

TEST(LinePrefix, ProcessesAreToldApart) {
  EXPECT_EQ(taken("[1,12]<stdout>: x"), "1,12|x");
  EXPECT_EQ(taken("[1,0]<stderr>:x"), "1,0|x");
  EXPECT_EQ(taken("[rank0]: x"), "rank0|x");
  EXPECT_EQ(taken("[rank12]:x"), "rank12|x");
  EXPECT_EQ(taken("[3] x"), "3|x");
  EXPECT_EQ(taken("[gw1] x"), "gw1|x");
  EXPECT_EQ(taken("[2026-05-29 17:55:46.647] [host=a] x"), "a|x");
  EXPECT_EQ(taken("[pod/trainer-0-x7f/main] x"), "pod/trainer-0-x7f/main|x");
  EXPECT_EQ(taken("(RayTrainWorker pid=12, ip=10.0.0.1) x"), "pid=12, ip=10.0.0.1|x");
  EXPECT_EQ(taken("\x1b[36m(pid=12)\x1b[0m x"), "pid=12|x");
  EXPECT_EQ(taken("trainer-1  | x"), "trainer-1|x");
  EXPECT_EQ(taken("\x1b[33mtrainer-1  |\x1b[0m x"), "trainer-1|x");
  EXPECT_EQ(taken("0:  --- tt::runtime::x()"), "0| --- tt::runtime::x()");
  EXPECT_EQ(taken("459: --- tt::runtime::x()"), "|459: --- tt::runtime::x()");
  EXPECT_EQ(taken("(EngineCore_0 pid=7) ERROR 10-23 04:15:50 [core.py:9] x"), "EngineCore_0 pid=7|x");
}

TEST(LinePrefix, WhatATerminalDoesNotShowIsTakenOff) {
  for (const std::string before :
       {"\x1b[0K", "\x1b[0;m", "\x1b[36m", "2025-10-14T04:33:23.904873Z 00O \x1b[0K",
        "\x1b[0Ksection_end:1700000000:get_sources\r\x1b[0Ksection_start:1700000001:step[collapsed=true]"
        "\r\x1b[0K",
        "\x1b_bk;t=1700000000000\x07"}) {
    EXPECT_EQ(taken(before + "  %0 = x"), "|  %0 = x") << before;
    EXPECT_EQ(taken(before + "[rank0]: x"), "rank0|x") << before;
  }
  EXPECT_EQ(taken("\x1b[1;36m(EngineCore_DP0 pid=7)\x1b[0;0m   %0 = x"), "EngineCore_DP0 pid=7|  %0 = x");
}

TEST(LinePrefix, QuotationsAreTakenOff) {
  for (const std::string before :
       {"> ", ">", ">> ", "> > ", "> [2026-11-18 00:06:49,123] {subprocess.py:93} INFO - "}) {
    for (const std::string line : {"", "module {", "  func.func @main() {", "#loc = loc(unknown)"})
      EXPECT_EQ(taken(before + line), "|" + line) << before;
    EXPECT_EQ(taken(before + "[rank0]: x"), "rank0|x") << before;
  }
}

/// Where a labeled line was broken inside of `->`, the rest of the arrow was taken for a quotation.
TEST(LinePrefix, WhatLooksLikeAQuotationBehindALabelIsText) {
  EXPECT_EQ(taken("[rank0]: > (d0 * 64 + d1, d2), <1x1>"), "rank0|> (d0 * 64 + d1, d2), <1x1>");
  EXPECT_EQ(taken("> [rank0]: > x"), "rank0|> x");
}

TEST(LinePrefix, PlacesInAirflowAreTakenOffBehindItsTimes) {
  for (const std::string time : {"[2026-11-18, 00:06:49 UTC] ", "[2026-11-18T00:06:49.123+0000] "})
    EXPECT_EQ(taken(time + "{subprocess.py:93} INFO -   %0 = x"), "|  %0 = x") << time;
  EXPECT_EQ(taken("[2026-11-18, 00:06:49 UTC] {x"), "|{x");
}

TEST(LinePrefix, TwoTagsSideBySideAreOne) {
  EXPECT_EQ(taken("[pod/a/b] [rank0]: x"), "pod/a/b] [rank0|x");
  EXPECT_EQ(taken("[pod/a/b] 12:43:46 [rank0]: x"), "rank0|x");
}

TEST(LinePrefix, LabelsThatTellNothingApartAreTakenOff) {
  for (const std::string before : {"[SERVER] ", "[Pipeline] ", "[core.py:9] ", "[1,0] ", "E       ",
                                   "INFO 10-23 04:15:50 [engine.py:187] ", "\x1b[8mha:////4Bf8x=\x1b[0m"}) {
    EXPECT_EQ(taken(before + "x"), "|x") << before;
  }
}

TEST(LinePrefix, NumbersOfLinesAreTakenOffBeforeLinesOfALog) {
  for (const std::string before : {"12:", "12-", "logs/a-1.log:12:", "run.log-12-", "     12\t"}) {
    for (const std::string line : {"", "module {", "  func.func @main() {", "}", "#loc = loc(unknown)",
                                   "2026-05-14 01:00:31.755 | info", "\x1b[32m   Always"}) {
      EXPECT_EQ(taken(before + line), "|" + line) << before;
    }
  }
  EXPECT_EQ(taken("12:[rank1]: x"), "rank1|x");
  for (const std::string line : {"model.py:12: DeprecationWarning: x", "/a/b.cpp:12:4: error: x", "12-x"}) {
    EXPECT_EQ(taken(line), "|" + line);
  }
}

TEST(LinePrefix, TasksOfSrunAreToldFromNumbersOfLinesByTheBlank) {
  for (const std::string line : {"", "x", "module {", "  func.func @main() {", "\x1b[32m   Always",
                                 "                 Always |     INFO | Device memory state before submit"}) {
    EXPECT_EQ(taken("3: " + line), "3|" + line);
    EXPECT_EQ(taken("03: " + line), "03|" + line);
  }
  const std::string plain = "                 Always |     INFO | Device memory state before submit";
  EXPECT_EQ(taken("3:" + plain), "|" + plain);
  EXPECT_EQ(taken("3:  func.func @main() {"), "|  func.func @main() {");
}

TEST(LinePrefix, TheJournalNamesHostAndProcess) {
  EXPECT_EQ(taken("Nov 18 03:00:01 bh-1.lab python3[4711]:   %0 = x"), "bh-1.lab python3[4711]|  %0 = x");
  EXPECT_EQ(taken("2026-11-18T03:00:01+0000 bh-1 tt@0.service[7]: x"), "bh-1 tt@0.service[7]|x");
  for (const std::string line : {"a b[]: x", "a b[1] x", "a b[1x]: x", "a  b[1]: x", "a b[1"}) {
    EXPECT_EQ(taken(line), "|" + line);
  }
}

TEST(LinePrefix, TextIsLeftAlone) {
  for (const std::string line : {"[,]<stdout>: x",
                                 "[host=a",
                                 "2025 x",
                                 "",
                                 "[",
                                 "[1,0]<std",
                                 "(x",
                                 "(pid=)",
                                 "()",
                                 "  %0 = \"ttnn.add\"(%1)",
                                 "#loc1 = loc(\"a\":1:2)",
                                 "module @x {",
                                 "Always |     INFO | x",
                                 "INFO     | module:run:12 - x",
                                 "[1, 2, 'a'] x",
                                 "Nov 18 x",
                                 "Nob 18 00:06:49 x",
                                 "2025-10-14T04:33 x",
                                 "\x1b[",
                                 "\x1b[32m   Always",
                                 "\x1b_bk;t=1",
                                 "section_start:1700000000:step_script",
                                 "E  x",
                                 "12:43 x",
                                 "a | x",
                                 "\x1b[8mha:"}) {
    EXPECT_EQ(taken(line), "|" + line);
  }
}

TEST(LinePrefix, TheRuntimesOwnPrefixStays) {
  const std::string plain = "                 Always |     INFO | Device";
  const std::string colored =
      "\x1b[32m                 Always\x1b[0m | \x1b[1m\x1b[38;5;69m    INFO\x1b[0m | Device";
  EXPECT_EQ(plain.substr(runtime_message_start(plain)), "Device");
  EXPECT_EQ(colored.substr(runtime_message_start(colored)), "Device");
  for (const std::string before :
       {"", "[rank0]: ", "[rank0]:", "12:", "12:43:46 ", "12:43:46  ", "[1,0]<stdout>:", "E       ",
        "\x1b[36m(a pid=1)\x1b[0m ", "> ", ">", "\x1b[0K", "\x1b_bk;t=1\x07",
        "[2026-11-18, 00:06:49 UTC] {a.py:9} INFO - "}) {
    for (const std::string& line : {plain, colored}) {
      std::string_view rest;
      const std::string text = before + line;
      rest = text;
      take_rank_tag(rest);
      EXPECT_EQ(rest, line) << before;
    }
  }
}

TEST(LinePrefix, EndsOfColorsAreTakenOffTheEnd) {
  for (const std::string end : {"", "\x1b[0m", "\x1b[0;m", "\x1b[m", "\x1b[0K", "\x1b[K\x1b[0m"}) {
    EXPECT_EQ(without_trailing_color("loc(a)" + end), "loc(a)");
  }
  for (const std::string line : {"km", "m", "", "\x1b[32m", "x\x1b[1;31m", "\x1b]m"}) {
    EXPECT_EQ(without_trailing_color(line), line);
  }
}

}  // namespace
}  // namespace ttscope::mem
