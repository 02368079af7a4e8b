#include "mem/analyze/growth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

constexpr std::int64_t kMb = 1048576;

/// Two executions of one op, one of another, and an op of which memory lines alone tell.
class OpKindsTest : public testing::Test {
 protected:
  void SetUp() override {
    made.add_program("main");
    made.add_op({.name = "ttnn.add"});
    made.add_op({.name = "ttnn.matmul"});
    made.add_op({.name = "ttnn.matmul"});
    made.add_op({.name = "ttnn.deallocate", .role = OpRole::kDeallocate});
    made.add_op({});
    made.rank().ops.back().text = kNone;
    made.set_growth(1, 300 * kMb);
    made.set_growth(2, -100 * kMb);
  }
  std::string_view name_of(const OpKind& kind) {
    return made.log.name_of(made.log.ranks[kind.rank].ops[kind.op]);
  }

  HandMadeLog made;
};

TEST_F(OpKindsTest, KindsHaveTheirOpsAndWhatTheyAllocated) {
  made.rank_profile().is_weight_op = {true, false, true, false, false};
  const std::vector<OpKind> kinds = op_kinds(made.log, made.profile);
  ASSERT_EQ(kinds.size(), 4u);
  EXPECT_EQ(name_of(kinds[0]), "ttnn.matmul");
  EXPECT_EQ(kinds[0].op, 1u) << "the first one";
  EXPECT_EQ(kinds[0].count, 2u);
  EXPECT_EQ(kinds[0].weight_ops, 1u);
  EXPECT_EQ(kinds[0].growth[index_of(Memory::kDram)], 300 * kMb) << "what was freed is not taken off";
  EXPECT_EQ(name_of(kinds[1]), "ttnn.add") << "ties in the order of the log";
  EXPECT_EQ(name_of(kinds[2]), "ttnn.deallocate");
  EXPECT_EQ(name_of(kinds[3]), "TestOp");
}

TEST_F(OpKindsTest, NamesAreCountedByTheirLastPart) {
  made.log.op_texts[0].name = made.log.names.intern("other.matmul");
  const std::vector<OpNameCount> counts = counted_names(made.log);
  ASSERT_EQ(counts.size(), 2u) << "deallocate does not count";
  EXPECT_EQ(counts[0].name, "matmul");
  EXPECT_EQ(counts[0].times, 3u);
  EXPECT_EQ(counts[1].name, "TestOp");
  EXPECT_EQ(counts[1].times, 1u);
}

TEST_F(OpKindsTest, AnOpLineWithoutANameIsUnreadableInTheReportAndOfItsTypeInTheDocument) {
  made.log.op_texts[0].name = kNone;
  EXPECT_EQ(op_kinds(made.log, made.profile)[1].count, 2u) << "TestOp, by lines of memory and without";
  const std::vector<OpNameCount> counts = counted_names(made.log);
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_EQ(counts[2].name, "unreadable");
}

}  // namespace
}  // namespace ttscope::mem
