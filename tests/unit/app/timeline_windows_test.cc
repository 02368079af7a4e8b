#include "app/timeline/windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/timeline_sample.h"
#include "timeline/load.h"

namespace ttscope::app {
namespace {

using ::testing::HasSubstr;

class Windows : public ::testing::Test {
 protected:
  TimelineWindows windows_{timeline::profile_of("x", timeline::random_timeline(5, 300))};
};

TEST_F(Windows, AnswerWhatIsAsked) {
  const auto window = windows_.answer("window", "from=-5&to=1000000&pixels=100&tracks=0&find=a&keep=0");
  ASSERT_TRUE(window) << window.error().message;
  EXPECT_THAT(*window, HasSubstr("ttscope.timeline_window/1"));
  EXPECT_TRUE(windows_.answer("sums", "from=0&to=0&tracks="));
  for (const char* query :
       {"find=a", "find=a&behind=-1", "find=a&before=0", "find=nothing%20here&behind=3", ""}) {
    const auto hit = windows_.answer("hit", query);
    ASSERT_TRUE(hit) << query;
    EXPECT_THAT(*hit, HasSubstr("\"hits\"")) << query;
  }
}

TEST_F(Windows, RefuseBadParameters) {
  const std::string good = "from=0&to=100&pixels=10&tracks=0";
  ASSERT_TRUE(windows_.answer("window", good));
  for (const char* query :
       {"", "from=0", "to=5", "from=5&to=4&pixels=10", "from=x&to=5&pixels=10", "from=0&to=5",
        "from=0&to=5&pixels=0", "from=0&to=5&pixels=-1", "from=0&to=5&pixels=32769", "from=--1&to=5&pixels=1",
        "from=&to=5&pixels=1", "from=-&to=5&pixels=1", "from=0&to=99999999999999999999&pixels=1",
        "from=0&to=9223372036854775807&pixels=1", "from=1e3&to=5000&pixels=1", "from=0.5&to=5&pixels=1",
        "from=%zz&to=5&pixels=1"}) {
    EXPECT_FALSE(windows_.answer("window", query)) << query;
  }
  for (const char* tracks :
       {"tracks=0-", "tracks=-", "tracks=-1", "tracks=1-0", "tracks=0.0", "tracks=1.0", "tracks=0..1",
        "tracks=0-18446744073709551615", "tracks=4294967296", "tracks=99999", "tracks=a", "tracks=0,1"}) {
    EXPECT_FALSE(windows_.answer("window", std::string("from=0&to=100&pixels=10&") + tracks)) << tracks;
    EXPECT_FALSE(windows_.answer("sums", std::string("from=0&to=100&") + tracks)) << tracks;
  }
  for (const char* keep : {"&keep=-1", "&keep=4294967295", "&keep=x", "&keep="}) {
    EXPECT_FALSE(windows_.answer("window", good + keep)) << keep;
  }
  EXPECT_FALSE(windows_.answer("hit", "find=a&behind=x"));
  EXPECT_FALSE(windows_.answer("hit", "find=a&before=99999999999999999999"));
}

TEST_F(Windows, KnowOnlyTheirThreeQuestions) {
  for (const char* what : {"", "windows", "../window", "timeline"}) {
    const auto found = windows_.answer(what, "from=0&to=100&pixels=10&tracks=0");
    ASSERT_FALSE(found) << what;
    EXPECT_EQ(found.error().code, ErrorCode::kNothingFound);
  }
}

}  // namespace
}  // namespace ttscope::app
