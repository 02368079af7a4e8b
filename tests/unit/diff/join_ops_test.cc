#include "diff/align.h"

#include <gtest/gtest.h>

#include "diff/compare_runs.h"

namespace ttscope::diff {
namespace {

/// A run that is the same before and after.
DiffReport report_of(const std::vector<std::string>& ops) {
  ComparedRun run;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    ItemKind kind;
    kind.op = ops[i];
    run.kinds.push_back(kind);
    run.items.push_back({i, i, 1, 0});
  }
  return compare_runs({run}, {run});
}

TEST(OpFamily, CompilersAndProgramsCallTheSameOpByOtherNames) {
  EXPECT_EQ(op_family("ttnn.matmul"), op_family("MatmulDeviceOperation"));
  EXPECT_EQ(op_family("ttnn.linear"), op_family("Matmul"));
  EXPECT_EQ(op_family("ttnn.add"), op_family("BinaryNgDeviceOperation"));
  EXPECT_EQ(op_family("ttnn.rms_norm"), op_family("LayerNormDeviceOperation"));
  EXPECT_EQ(op_family("ttnn.reduce_scatter"), op_family("ReduceScatterDeviceOperation"));
  EXPECT_EQ(op_family("ttnn.to_layout"), op_family("TilizeWithValPaddingDeviceOperation"));
  EXPECT_NE(op_family("ttnn.add"), op_family("UnaryDeviceOperation"));
  EXPECT_NE(op_family("weight"), op_family("MatmulDeviceOperation"));
}

/// Reports of the profiler have no locations as a rule: nothing had been put together.
TEST(JoinOps, WithoutLocationsTheOrderOfNamesDecides) {
  DiffReport times = report_of({"MatmulDeviceOperation", "UnaryDeviceOperation", "BinaryNgDeviceOperation"});
  DiffReport memory =
      report_of({"weight", "ttnn.matmul", "ttnn.gelu", "ttnn.add", "ttnn.matmul", "ttnn.gelu", "ttnn.add"});
  const JoinedOps joined = join_ops(times, memory);
  EXPECT_EQ(joined.basis, JoinBasis::kNames);
  EXPECT_EQ(joined.count, 3u);
  EXPECT_EQ(times.ops[0].beside, 4u) << "of the last pass";
  EXPECT_EQ(times.ops[2].beside, 6u);
  EXPECT_EQ(memory.ops[5].beside, 1u) << "and the other way round";
  EXPECT_FALSE(memory.ops[2].beside);
}

TEST(JoinOps, LocationsComeFirst) {
  DiffReport times = report_of({"MatmulDeviceOperation", "MatmulDeviceOperation"});
  DiffReport memory = report_of({"ttnn.matmul", "ttnn.matmul", "ttnn.matmul"});
  times.ops[1].location = "loc(\"dot.7\")";
  memory.ops[0].location = "loc(\"dot.7\"(#loc3))";
  const JoinedOps joined = join_ops(times, memory);
  EXPECT_EQ(joined.basis, JoinBasis::kLocations);
  EXPECT_EQ(times.ops[1].beside, 0u);
  EXPECT_FALSE(times.ops[0].beside);
}

TEST(JoinOps, OtherThingsArePutTogetherByNothing) {
  DiffReport times = report_of({"MatmulDeviceOperation", "UnaryDeviceOperation", "Conv2dDeviceOperation"});
  DiffReport memory = report_of({"ttnn.matmul", "ttnn.slice"});
  const JoinedOps joined = join_ops(times, memory);
  EXPECT_EQ(joined.basis, JoinBasis::kNone);
  EXPECT_FALSE(times.ops[0].beside) << "one of three is chance";
}

}  // namespace
}  // namespace ttscope::diff
