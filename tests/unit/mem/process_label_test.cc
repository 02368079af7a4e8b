#include "mem/model/log_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/write/labels.h"
#include "support/log_text.h"
#include "support/read_text.h"

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LogText;

TEST(ProcessLabel, RanksAreToldByTheirDimensions) {
  EXPECT_THAT(ranks_in_label("Worker_TP3 pid=12"), ElementsAre(3));
  EXPECT_THAT(ranks_in_label("EngineCore_DP0 pid=12"), ElementsAre(0));
  EXPECT_THAT(ranks_in_label("EngineCore_2 pid=12"), ElementsAre(2));
  EXPECT_THAT(ranks_in_label("VllmWorker rank=1 pid=12"), ElementsAre(1));
  EXPECT_THAT(ranks_in_label("Worker_DP1_TP0_EP4 pid=12"), ElementsAre(1, 0));
  EXPECT_THAT(ranks_in_label("step_3 pid=12"), IsEmpty());
  EXPECT_THAT(ranks_in_label("RayTrainWorker pid=12, ip=10.0.0.1"), IsEmpty());
}

TEST(ProcessLabel, AProcessIsOneByAnyOfItsNames) {
  EXPECT_EQ(process_of("Worker_TP3 pid=12"), "pid=12");
  EXPECT_EQ(process_of("pid=12"), "pid=12");
  EXPECT_EQ(process_of("rank0"), "rank0");
  EXPECT_EQ(process_of("pod/a/b] (Worker_TP3 pid=12"), "pod/a/b] (Worker_TP3 pid=12");
  EXPECT_EQ(name_of_tag("Worker_TP3 pid=12"), "Worker_TP3");
  EXPECT_EQ(name_of_tag("pid=12"), "pid=12");
}

std::string labeled(const std::string& label) {
  LogText log({.before = "(" + label + ") "});
  const std::string type = testing::dram_tensor(64, 64);
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", type)).finish("main");
  return log.text();
}

TEST(ProcessLabel, RanksOfVllmWereCalledByTheirProcess) {
  const RuntimeLog log =
      testing::read_text(labeled("Worker_TP1 pid=7") + labeled("Worker_TP0 pid=9") + labeled("pid=7"));
  ASSERT_EQ(log.ranks.size(), 2U);
  EXPECT_EQ(rank_label(log.ranks[0]), "rank 0 (Worker_TP0)");
  EXPECT_EQ(rank_label(log.ranks[1]), "rank 1 (Worker_TP1)");
  EXPECT_EQ(log.ranks[1].ops.size(), 2U);
}

TEST(ProcessLabel, ANameThatComesLaterTellsTheRankToo) {
  const RuntimeLog log = testing::read_text(labeled("pid=7") + labeled("Worker_TP1 pid=7"));
  ASSERT_EQ(log.ranks.size(), 1U);
  EXPECT_EQ(rank_label(log.ranks[0]), "rank 1 (Worker_TP1)");
}

TEST(ProcessLabel, RanksOfTwoDimensionsAreNumberedInTheirOrder) {
  const RuntimeLog log = testing::read_text(
      labeled("Worker_DP1_TP0 pid=3") + labeled("Worker_DP0_TP1 pid=4") + labeled("Worker_DP0_TP0 pid=5"));
  ASSERT_EQ(log.ranks.size(), 3U);
  EXPECT_EQ(rank_label(log.ranks[0]), "rank 0 (Worker_DP0_TP0)");
  EXPECT_EQ(rank_label(log.ranks[1]), "rank 1 (Worker_DP0_TP1)");
  EXPECT_EQ(rank_label(log.ranks[2]), "rank 2 (Worker_DP1_TP0)");
}

}  // namespace
}  // namespace ttscope::mem
