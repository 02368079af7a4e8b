#include "mem/analyze/modules.h"

#include <gtest/gtest.h>

namespace ttscope::mem {
namespace {

std::uint32_t line_of(const LocIndex& index, std::string_view name) {
  for (const LocIndex::Entry& entry : index.entries) {
    if (entry.name == name) return entry.line;
  }
  return 0;
}

const std::vector<std::string_view> kModule = {
    R"(#loc4 = loc("p3.12"))",
    R"(module @M {)",
    R"(  func.func private @main_const_eval_0(%arg0: tensor<2xf32> loc("p3.12")) -> tensor<2xf32> {)",
    R"(    %0 = "ttnn.get_device"() : () -> !ttnn.device loc(#loc4))",
    R"(    %1 = "ttnn.permute"(%arg0) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc20))",
    R"(    return %1 : tensor<2xf32> loc(#loc))",
    R"(  } loc(#loc4))",
    R"(  func.func @main(%arg0: tensor<2xf32> loc("p0.1")) -> tensor<2xf32> {)",
    R"(    %0 = ttcore.load_cached(@main_const_eval_0, [%arg0]) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc))",
    R"(    %2 = "ttnn.add"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc(#loc20))",
    R"(    %3 = "ttnn.add"(%2, %2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc(#loc20))",
    R"(    %4 = "ttnn.neg"(%3) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc21))",
    R"(    %5 = "ttnn.exp"(%4) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc22))",
    R"(  } loc(#loc))",
    R"(#loc = loc(unknown))",
    R"(#loc20 = loc("transpose.21"))",
    R"(#loc21 = loc("/x/m.py":25:10))",
    R"(#loc22 = loc(fused[#loc23, #loc21]))",
    R"(#loc23 = loc("exp.5"("outer")))",
};

TEST(LocIndex, TheFirstOpOfMainWinsOverConstEval) {
  const LocIndex index = index_locations(kModule);
  EXPECT_EQ(line_of(index, "transpose.21"), 10u);
}

TEST(LocIndex, AnOpWinsOverAHeader) {
  const LocIndex index = index_locations(kModule);
  EXPECT_EQ(line_of(index, "p3.12"), 4u);
  EXPECT_EQ(line_of(index, "p0.1"), 8u);
}

TEST(LocIndex, FilesKeepLineAndColumnAndFusedLocationsTheirFirstName) {
  const LocIndex index = index_locations(kModule);
  EXPECT_EQ(line_of(index, "/x/m.py:25:10"), 12u);
  EXPECT_EQ(line_of(index, "exp.5"), 13u);
}

TEST(LocIndex, ACallIsFoundByItsCallee) {
  EXPECT_EQ(line_of(index_locations(kModule), "@main_const_eval_0"), 9u);
}

TEST(LocIndex, AllOpsOfALocationAreListed) {
  const LocIndex index = index_locations(kModule);
  for (const LocIndex::Entry& entry : index.entries) {
    if (entry.name != "transpose.21") continue;
    EXPECT_EQ(entry.lines, (std::vector<std::uint32_t>{5, 10, 11}));
  }
}

TEST(LocIndex, FunctionsHaveTheirLines) {
  const LocIndex index = index_locations(kModule);
  ASSERT_EQ(index.functions.size(), 2u);
  EXPECT_EQ(index.functions[0].name, "main_const_eval_0");
  EXPECT_EQ(index.functions[0].first_line, 3u);
  EXPECT_EQ(index.functions[0].last_line, 7u);
  EXPECT_EQ(index.functions[1].name, "main");
}

TEST(LocIndex, AliasesInACircleEnd) {
  const LocIndex index = index_locations({"#loc1 = loc(#loc2)", "#loc2 = loc(#loc1)", "  %0 = x loc(#loc1)"});
  EXPECT_TRUE(index.entries.empty());
}

TEST(LocIndex, AnEmptyModuleHasNone) { EXPECT_TRUE(index_locations({}).entries.empty()); }

}  // namespace
}  // namespace ttscope::mem
