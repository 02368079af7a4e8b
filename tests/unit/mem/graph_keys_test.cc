#include "mem/analyze/graphs.h"

#include <gtest/gtest.h>

#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

using testing::LogText;
using testing::neg;
using testing::ones;
using testing::Profiled;

LogText& whole(LogText& log, std::int64_t size) {
  return log.start("main").op(ones("%0", size)).op(neg("%1", "%0", size)).finish("main");
}

TEST(GraphKeys, ARunThatWasCutOffBelongsToItsGraph) {
  LogText log;
  for (const std::int64_t size : {1, 2, 3}) whole(log, size);
  whole(log, 3);
  log.start("main").op(ones("%0", 3));
  const Profiled cut(log);
  ASSERT_EQ(cut.profile.graphs.size(), 3u);
  EXPECT_EQ(cut.rank().programs.at(4).graph, 2u);
  EXPECT_EQ(cut.rank().programs.at(4).run, 2u);
  EXPECT_EQ(cut.profile.graphs[2].instances, 3u);
}

TEST(GraphKeys, ALogThatWasCutInsideItsLastOpLineToo) {
  LogText log;
  for (const std::int64_t size : {1, 2}) whole(whole(log, size), size);
  log.start("main").op(ones("%0", 2)).op(neg("%1", "%0", 2));
  const std::string text = log.text();
  const std::size_t last = text.rfind("Executing operation:");
  for (std::size_t length = text.size() - 1; length > last; --length) {
    const Profiled cut(std::string_view(text).substr(0, length));
    ASSERT_EQ(cut.profile.graphs.size(), 2u) << text.substr(last, length - last);
    EXPECT_EQ(cut.rank().programs.at(4).graph, 1u);
  }
}

TEST(GraphKeys, ABeginningOfSeveralIsOfTheOneThatComesNext) {
  LogText log;
  for (int i = 0; i < 2; ++i) whole(whole(log, 1), 2);
  whole(log, 1).start("main");
  const Profiled cut(log);
  ASSERT_EQ(cut.profile.graphs.size(), 2u);
  EXPECT_EQ(cut.rank().programs.at(5).graph, 1u);
}

TEST(GraphKeys, AGraphWhoseFirstRunWasCutOffIsDescribedByAWholeOne) {
  LogText log;
  log.start("main").op(ones("%0", 1));
  whole(log, 1);
  const Profiled cut(log);
  ASSERT_EQ(cut.profile.graphs.size(), 1u);
  EXPECT_EQ(cut.profile.graphs[0].first_instance, 1u);
}

TEST(GraphKeys, ARunThatIsNoBeginningIsAGraphOfItsOwn) {
  LogText log;
  whole(log, 1).start("main").op(ones("%0", 2));
  whole(log, 1).start("other").op(ones("%0", 1));
  EXPECT_EQ(Profiled(log).profile.graphs.size(), 3u);
}

}  // namespace
}  // namespace ttscope::mem
