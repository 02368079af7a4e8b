// The page of a run that lasts.
#include "app/trace/live_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/timeline_sample.h"
#include "timeline/load.h"

namespace ttscope::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(LivePageText, APageThatIsTooLargeLeftTheOneBefore) {
  const timeline::Profile profile = timeline::profile_of("x", timeline::random_timeline(5, 300));
  const LivePageText lasting = live_page_text(profile, {});
  EXPECT_EQ(lasting.problem, "");
  EXPECT_THAT(lasting.text, HasSubstr("http-equiv=\"refresh\""));
  const LivePageText last = live_page_text(profile, {.is_last = true, .most_bytes = 1000});
  EXPECT_THAT(last.problem, HasSubstr("ttscope serve --timeline"));
  EXPECT_THAT(last.text, HasSubstr("<title>"));
  EXPECT_THAT(last.text, HasSubstr("run: the page would have"));
  EXPECT_THAT(last.text, Not(HasSubstr("http-equiv=\"refresh\"")));
  EXPECT_THAT(last.text, Not(HasSubstr("while it lasts")));
}

}  // namespace
}  // namespace ttscope::app
