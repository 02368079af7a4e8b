// The times in front of the lines of a log.
#include "mem/read/line_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ttscope::mem {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kDayNs = 86400 * kSecondNs;

std::vector<std::int64_t> seconds_of(const LineTimes& times) {
  std::vector<std::int64_t> seconds;
  for (const LineTimes::Moment& moment : times.moments()) seconds.push_back(moment.ns / kSecondNs);
  return seconds;
}

TEST(LineTimes, FormsOfOneMoment) {
  constexpr std::int64_t kMoment = 1'760'416'403'500'000'000;
  for (const char* line :
       {"2025-10-14T04:33:23.500Z x", "[2025-10-14 04:33:23,5]", "2025-10-14T05:33:23.5+01:00 x",
        "2025-10-13 21:33:23.5-0700 x", "1760416403.5 x", "[rank3]: 2025-10-14 04:33:23.5 x",
        R"({"log":"x\n","stream":"stdout","time":"2025-10-14T04:33:23.5Z"})"}) {
    const auto stamp = stamp_of_line(line);
    ASSERT_TRUE(stamp) << line;
    EXPECT_EQ(stamp->ns, kMoment) << line;
    EXPECT_TRUE(stamp->has_date) << line;
  }
  EXPECT_FALSE(stamp_of_line("2025-10-14 04:33:23x"));
  EXPECT_FALSE(stamp_of_line("text 04:33:23"));
}

TEST(LineTimes, TheResolutionIsThatOfTheLastDigit) {
  EXPECT_EQ(stamp_of_line("04:33:23 x")->resolution_ns, kSecondNs);
  EXPECT_EQ(stamp_of_line("04:33:23.12 x")->resolution_ns, kSecondNs / 100);
  EXPECT_EQ(stamp_of_line("04:33:23.1234567891 x")->resolution_ns, 1);
  EXPECT_FALSE(stamp_of_line("04:33:23 x")->has_date);
}

TEST(LineTimes, LinesWithoutAreBetweenThoseAround) {
  const LineTimes times("00:00:10 a\nb\nc\nd\n00:00:14 e\nf\n");
  EXPECT_EQ(times.at(2), 11 * kSecondNs);
  EXPECT_EQ(times.doubt_ns(2), 4 * kSecondNs);
  EXPECT_EQ(times.doubt_ns(5), kSecondNs);
  EXPECT_EQ(times.at(6), 14 * kSecondNs);
  EXPECT_EQ(times.doubt_ns(6), INT64_MAX);
}

TEST(LineTimes, ADayThatIsNotToldGoesOnBehindMidnight) {
  const LineTimes times("23:59:59 a\n00:00:01 b\n23:59:58 c\n00:00:00 d\n");
  EXPECT_THAT(seconds_of(times), ::testing::ElementsAre(86399, 86401, 2 * 86400 - 2, 2 * 86400));
  EXPECT_FALSE(times.has_date());
}

TEST(LineTimes, TimesNeverGoBack) {
  EXPECT_THAT(seconds_of(LineTimes("00:00:05 a\n00:00:04 b\n00:00:06 c\n")), ::testing::ElementsAre(5, 5, 6));
}

TEST(LineTimes, DatesBeyondNanosecondsOf64BitsOverflowed) {
  for (const char* line : {"9999-12-31T23:59:59Z x", "0000-00-00 00:00:00 x", "2200-01-01 00:00:00 x",
                           "1969-12-31 23:59:59 x", "9999999999.9 x", "7258118400.0 x"}) {
    EXPECT_FALSE(stamp_of_line(line)) << line;
  }
  EXPECT_EQ(stamp_of_line("2199-12-31T23:59:59Z x")->ns, 7'258'118'399 * kSecondNs);
  EXPECT_EQ(stamp_of_line("7258118399.0 x")->ns, 7'258'118'399 * kSecondNs);
  EXPECT_EQ(stamp_of_line("1970-01-01T00:00:00Z x")->ns, 0);
}

TEST(LineTimes, DaysThatAreNotToldOverflowedWhenTimesWentToAndFro) {
  std::string text;
  for (int i = 0; i < 110'000; ++i) text += "23:00:00 a\n01:00:00 b\n";
  const LineTimes times(text);
  EXPECT_GT(times.moments().back().ns, 9'000 * kDayNs);
  EXPECT_LE(times.moments().back().ns, 10'001 * kDayNs);
}

}  // namespace
}  // namespace ttscope::mem
