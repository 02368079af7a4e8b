// The tables that csvexport makes of a capture.
#include "timeline/read/host_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ttscope::timeline {
namespace {

TEST(HostCsv, BackticksInMessagesCutThemOrSwallowedTheNext) {
  Timeline timeline;
  add_host_messages(
      "MessageName;total_ns\n`TT_SIGNPOST: use `a`; b\nthen `c``;5\n`step`: 1;6\n`TT_SIGNPOST: Warmup`;7\n"
      "plain; text;8\n",
      timeline);
  std::vector<std::string> texts;
  for (const Message& message : timeline.messages) texts.emplace_back(timeline.text(message.text));
  EXPECT_THAT(texts, ::testing::ElementsAre("`TT_SIGNPOST: use `a`; b\nthen `c``", "`step`: 1",
                                            "`TT_SIGNPOST: Warmup`", "plain; text"));
  EXPECT_EQ(timeline.messages.back().time_ns, 8);
  EXPECT_FALSE(timeline.problems.any());
}

}  // namespace
}  // namespace ttscope::timeline
