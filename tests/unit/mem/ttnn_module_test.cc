// Compiled modules: from text to the run that it describes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/log_text.h"
#include "unit/mem/module_text.h"

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(TtnnModule, OpsRunInOrderAndDeallocationsFree) {
  const ReadModule read(in_module(
      function("main", "%arg0: " + tiles(12),
               op("%0", "ttnn.add", "%arg0, %arg0", kAddOf12) + op("%1", "ttnn.add", "%0, %0", kAddOf12) +
                   deallocate("%0", tiles(12)) + op("%2", "ttnn.add", "%1, %1", kAddOf12) +
                   "    return %2 : " + tiles(12) + "\n")));
  EXPECT_THAT(read.ops(), ElementsAre("ttnn.add", "ttnn.add", "ttnn.deallocate", "ttnn.add"));
  EXPECT_THAT(read.states(), ElementsAre(kTile, 2 * kTile, 3 * kTile, 2 * kTile));
  EXPECT_EQ(read.peak(), 3 * kTile);
  EXPECT_EQ(read.rank().ops[0].line, 7U);
  EXPECT_EQ(read.log.source, LogSource::kModule);
}

TEST(TtnnModule, TheVerdictSaysThatNothingRan) {
  const ReadModule read(in_module(function(
      "main", "%arg0: " + tiles(12), op("%0", "ttnn.neg", "%arg0", "(" + tiles(12) + ") -> " + tiles(12)))));
  const RunVerdict& verdict = read.profile.verdict;
  EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(verdict.outcome_reason, OutcomeReason::kNotRun);
  EXPECT_EQ(verdict.fit, Fit::kUnknown);
  EXPECT_EQ(verdict.fit_reason, FitReason::kNotRun);
  EXPECT_EQ(verdict.trust, Confidence::kModeled);
  EXPECT_EQ(verdict.trust_reason, TrustReason::kNotRun);
  ASSERT_THAT(read.profile.missing, SizeIs(1));
  EXPECT_EQ(read.profile.missing[0].part, MissingPart::kRun);
}

TEST(TtnnModule, AliasesMayFollowTheirUseAndLocationsAreWrittenOut) {
  const ReadModule read(
      "module {\n" +
      function("main", "%arg0: " + tiles(12),
               "    %0 = \"ttnn.neg\"(%arg0) : (" + tiles(12) + ") -> " + tiles(12) + " loc(#loc2)\n") +
      "}\n#loc1 = loc(\"dot.7\")\n#loc2 = loc(\"neg.1\"(#loc1))\n" + kAliases);
  EXPECT_EQ(read.peak(), 2 * kTile);
  EXPECT_THAT(std::string(read.op_text(0)),
              HasSubstr("memref<12x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>"));
  EXPECT_EQ(read.log.locs[read.rank().ops[0].loc], "\"neg.1\"(\"dot.7\")");
}

TEST(TtnnModule, AliasesThatNameThemselvesEnd) {
  const ReadModule read(
      "#a = #b\n#b = #a\n#c = #c#c\n" +
      in_module(function("main", "%arg0: tensor<1xbf16, #a>",
                         op("%0", "ttnn.neg", "%arg0", "(tensor<1xbf16, #b>) -> tensor<1xbf16, #c>"))));
  EXPECT_THAT(read.ops(), ElementsAre("ttnn.neg"));
}

TEST(TtnnModule, ConstEvalRunsOnceWhereItIsAskedFor) {
  const std::string cast = "(" + tiles(120) + ") -> " + tiles(24);
  const std::string load = "    %0 = ttcore.load_cached(@main_const_eval_0, [%arg0]) : " + cast + "\n";
  const std::string again = "    %1 = ttcore.load_cached(@main_const_eval_0, [%arg0]) : " + cast + "\n";
  const ReadModule read(
      in_module("  func.func private @main_const_eval_0(%arg0: " + tiles(120) + ") -> " + tiles(24) +
                " attributes {tt.function_type = \"const_eval\"} {\n" +
                op("%0", "ttnn.slice", "%arg0", cast) + op("%1", "ttnn.slice", "%arg0", cast) +
                deallocate("%0", tiles(24)) + "    return %1 : " + tiles(24) + "\n  }\n" +
                function("main",
                         "%arg0: " + tiles(120) +
                             " {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = \"w\"}",
                         load + again + deallocate("%arg0", tiles(120)) +
                             op("%2", "ttnn.neg", "%0", "(" + tiles(24) + ") -> " + tiles(24)))));
  EXPECT_THAT(read.programs(), ElementsAre("main", "main_const_eval_0"));
  EXPECT_TRUE(read.rank().ops[0].cache_miss);
  EXPECT_TRUE(read.rank().ops[4].cache_hit);
  // The argument stays, though main deallocates it: who started the program owns it.
  EXPECT_TRUE(read.rank().ops[5].retained);
  EXPECT_THAT(read.states(), ElementsAre(10 * kTile, 10 * kTile, 12 * kTile, 14 * kTile, 12 * kTile,
                                         12 * kTile, 12 * kTile));
  EXPECT_EQ(read.peak(), 14 * kTile);
  ASSERT_THAT(read.profile.arguments, SizeIs(1));
  EXPECT_EQ(read.profile.arguments[0].name, "w");
  EXPECT_EQ(read.profile.weight_count, 1U);
}

TEST(TtnnModule, ALoadCachedThatNamesNoFunctionIsKept) {
  const ReadModule read(in_module(function("main", "",
                                           op("%0", "ttcore.load_cached", "", "() -> " + tiles(12)) +
                                               op("%1", "ttnn.ones", "", "() -> " + tiles(12)))));
  EXPECT_THAT(read.ops(), ElementsAre("ttcore.load_cached", "ttnn.ones"));
  EXPECT_EQ(read.peak(), 2 * kTile);
}

TEST(TtnnModule, InOldModulesDeallocatingAnArgumentFreesIt) {
  const std::string type = testing::dram_tensor(384, 32);
  const ReadModule read("module {\n" +
                        function("main", "%arg0: " + type,
                                 op("%0", "ttnn.neg", "%arg0", "(" + type + ") -> " + type) +
                                     deallocate("%arg0", type) +
                                     op("%1", "ttnn.neg", "%0", "(" + type + ") -> " + type)) +
                        "}\n");
  EXPECT_THAT(read.states(), ElementsAre(kTile, 2 * kTile, kTile));
}

TEST(TtnnModule, ResultsOfConstEvalAreThoseThatItReturns) {
  // Both values have the type of the result; the first is returned.
  const std::string make = "() -> " + tiles(12);
  const ReadModule read(in_module(
      "  func.func private @main_const_eval_0() -> " + tiles(12) + " {\n" + op("%0", "ttnn.ones", "", make) +
      op("%1", "ttnn.zeros", "", make) + "    return %0 : " + tiles(12) + "\n  }\n" +
      function("main", "", "    %0 = ttcore.load_cached(@main_const_eval_0, []) : " + make + "\n")));
  const RankProfile& rank = read.profile.ranks[0];
  const auto kept = std::find_if(rank.buffers.begin(), rank.buffers.end(),
                                 [](const Buffer& b) { return b.died == kForever; });
  ASSERT_NE(kept, rank.buffers.end());
  EXPECT_EQ(read.log.names[kept->name], "%0");
}

TEST(TtnnModule, ArgumentsThatNoOpUsesAreOnTheDeviceToo) {
  const ReadModule read(
      in_module(function("main", "%arg0: " + tiles(12) + ", %arg1: " + tiles(120),
                         op("%0", "ttnn.neg", "%arg0", "(" + tiles(12) + ") -> " + tiles(12)))));
  EXPECT_EQ(read.peak(), 12 * kTile);
}

TEST(TtnnModule, HostTensorsTakeNothing) {
  const std::string host =
      "tensor<384x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<384x32xbf16, "
      "#ttnn.buffer_type<system_memory>>>>";
  const ReadModule read(in_module(function(
      "main", "%arg0: " + host, op("%0", "ttnn.to_device", "%arg0", "(" + host + ") -> " + tiles(12)))));
  EXPECT_EQ(read.states().front(), 0);
  EXPECT_EQ(read.peak(), kTile);
}

TEST(TtnnModule, TheGenericFormSaysTheSame) {
  const std::string generic = kAliases + R"("builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xbf16>) -> tensor<1xbf16>, sym_name = "main_const_eval_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: )" + tiles(120) +
                              R"():
    %0 = "ttnn.slice"(%arg0) : ()" +
                              tiles(120) + ") -> " + tiles(24) + R"(
    "func.return"(%0) : ()" + tiles(24) +
                              R"() -> ()
  }) {tt.function_type = "const_eval"} : () -> ()
  "func.func"() <{arg_attrs = [{ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w"}], function_type = () -> (), sym_name = "main"}> ({
  ^bb0(%arg0: )" + tiles(120) +
                              R"( loc("p0.1")):
    %0 = "ttcore.load_cached"(%arg0) <{callee = @main_const_eval_0}> : ()" +
                              tiles(120) + ") -> " + tiles(24) + R"(
    %1 = "ttnn.neg"(%0) : ()" +
                              tiles(24) + ") -> " + tiles(24) + R"(
    "func.return"(%1) : ()" + tiles(24) +
                              R"() -> ()
  }) {tt.function_type = "forward_device"} : () -> ()
}) : () -> ()
)";
  const ReadModule read(generic);
  EXPECT_THAT(read.programs(), ElementsAre("main", "main_const_eval_0"));
  EXPECT_THAT(std::string(read.op_text(0)),
              StartsWith("%0 = ttcore.load_cached(@main_const_eval_0, [%arg0]) : (tensor<"));
  EXPECT_EQ(read.peak(), (10 + 2 + 2) * kTile);
  ASSERT_THAT(read.profile.arguments, SizeIs(1));
  EXPECT_EQ(read.profile.arguments[0].name, "w");
  EXPECT_TRUE(read.profile.arguments[0].is_weight());
}

TEST(TtnnModule, StatementsOverSeveralLinesAreOne) {
  const ReadModule read(
      in_module("  func.func @main(\n      %arg0: " + tiles(12) + ")\n      -> " + tiles(12) +
                " {\n    // a comment {\n    %0 = \"ttnn.neg\"(%arg0)\n        : (" + tiles(12) +
                ")\n        -> " + tiles(12) + "  // another\n    return %0 : " + tiles(12) + "\n  }\n"));
  EXPECT_THAT(read.ops(), ElementsAre("ttnn.neg"));
  EXPECT_EQ(read.peak(), 2 * kTile);
  EXPECT_EQ(read.log.problems.count(LogProblem::kOpTextCut), 0U);
}

TEST(TtnnModule, CallsAndTracesAreFollowed) {
  const std::string neg = "(" + tiles(12) + ") -> " + tiles(12);
  const std::string slots = "(" + tiles(12) + ", " + tiles(24) + ")";
  const ReadModule read(
      in_module("  func.func private @trace(%arg0: " + tiles(12) + ", %arg1: " + tiles(24) + ") {\n" +
                op("%0", "ttnn.repeat", "%arg0", "(" + tiles(12) + ") -> " + tiles(24)) +
                "    \"ttnn.copy\"(%0, %arg1) : (" + tiles(24) + ", " + tiles(24) + ") -> ()\n" +
                deallocate("%0", tiles(24)) +
                "    return\n  }\n"
                "  func.func private @slots() -> " +
                slots + " {\n" + op("%0", "ttnn.empty", "", "() -> " + tiles(12)) +
                op("%1", "ttnn.empty", "", "() -> " + tiles(24)) + "    return %0, %1 : " + tiles(12) + ", " +
                tiles(24) +
                "\n  }\n"
                "  func.func private @capture(%arg0: " +
                tiles(12) + ", %arg1: " + tiles(12) + ", %arg2: " + tiles(24) +
                ") {\n"
                "    call @trace(%arg1, %arg2) : (" +
                tiles(12) + ", " + tiles(24) +
                ") -> ()\n    return\n  }\n"
                "  func.func private @execute(%arg0: tensor<ui32, #ttnn.trace_id>) {\n    return\n  }\n" +
                function("main", "%arg0: " + tiles(12),
                         "    %0 = \"ttnn.get_device\"() : () -> !ttnn.device\n"
                         "    %1 = \"ttnn.capture_or_execute_trace\"(%0, %arg0) <{allocate_slots_callee = "
                         "@slots, capture_callee = @capture, "
                         "execute_callee = @execute}> : (!ttnn.device, " +
                             tiles(12) + ") -> " + tiles(24) + "\n" +
                             op("%2", "ttnn.neg", "%1", "(" + tiles(24) + ") -> " + tiles(24)))));
  EXPECT_THAT(read.programs(), ElementsAre("main", "slots", "capture", "trace"));
  EXPECT_THAT(read.log.names[read.log.op_texts[read.rank().ops[4].text].name], "func.call");
  // Argument, slots for input and output, and what the trace makes inside; the slots stay.
  EXPECT_EQ(read.states().back(), (1 + 1 + 2) * kTile);
  EXPECT_EQ(read.peak(), (1 + 1 + 2 + 2) * kTile);
}

TEST(TtnnModule, FunctionsThatCallEachOtherEnd) {
  std::string functions = function("main", "", "    \"ttnn.x\"() : () -> ()\n    call @f0() : () -> ()\n");
  for (int i = 0; i < 40; ++i) {
    const std::string next = "    call @f" + std::to_string((i + 1) % 40) + "() : () -> ()\n";
    functions +=
        "  func.func private @f" + std::to_string(i) + "() {\n" + next + next + next + "    return\n  }\n";
  }
  const ReadModule read(in_module(functions));
  EXPECT_LT(read.rank().ops.size(), 10000U);
  EXPECT_GT(read.log.problems.count(LogProblem::kProgramsTooDeep), 0U);
}

TEST(TtnnModule, ACutModuleIsModeledAsFarAsItGoes) {
  std::string text = in_module(
      function("main", "%arg0: " + tiles(12) + ", %arg1: " + tiles(24),
               op("%0", "ttnn.add", "%arg0, %arg0", kAddOf12) + op("%1", "ttnn.add", "%0, %0", kAddOf12)));
  text.resize(text.find("\"ttnn.add\"(%0") + 20);
  const ReadModule read(text);
  EXPECT_EQ(read.log.problems.count(LogProblem::kModuleCut), 1U);
  EXPECT_EQ(read.log.problems.count(LogProblem::kOpTextCut), 1U);
  EXPECT_EQ(read.states().back(), (1 + 2 + 1) * kTile);
  EXPECT_EQ(read.rank().programs[0].end_line, 0U);
  const auto cut =
      std::find_if(read.profile.findings.begin(), read.profile.findings.end(),
                   [](const Finding& finding) { return finding.cause == FindingCause::kModuleCut; });
  EXPECT_NE(cut, read.profile.findings.end());
  EXPECT_EQ(read.profile.verdict.outcome_reason, OutcomeReason::kNotRun);
}

TEST(TtnnModule, AModuleCutBeforeItsMainFunctionShowsTheOthers) {
  const ReadModule read(kAliases + "module {\n  func.func private @main_const_eval_0() -> " + tiles(12) +
                        " {\n" + op("%0", "ttnn.ones", "", "() -> " + tiles(12)));
  EXPECT_THAT(read.programs(), ElementsAre("main_const_eval_0"));
}

TEST(TtnnModule, TheFirstOpWithoutRoomIsNamed) {
  const std::string system =
      "#system_desc = #ttcore.system_desc<[{role = host}], [{arch = <blackhole>, grid = 10x13, l1_size = "
      "1572864, "
      "num_dram_channels = 8, dram_channel_size = 40000, l1_unreserved_base = 100000}]>\n";
  const std::string make = "() -> " + tiles(120);  // 15 tiles of each of 8 banks
  const ReadModule read(
      system + in_module(function("main", "",
                                  op("%0", "ttnn.ones", "", make) + op("%1", "ttnn.zeros", "", make) +
                                      op("%2", "ttnn.ones", "", make))));
  ASSERT_FALSE(read.profile.findings.empty());
  const Finding& finding = read.profile.findings.front();
  EXPECT_EQ(finding.cause, FindingCause::kWouldRunOut);
  EXPECT_EQ(finding.severity, Severity::kCritical);
  EXPECT_EQ(finding.op, 1U);
  EXPECT_EQ(finding.bytes_per_bank, 30 * kTile);
  EXPECT_EQ(finding.capacity_bytes_per_bank, 40000);
  EXPECT_EQ(read.profile.ranks[0].device.arch, "blackhole");
  EXPECT_EQ(read.profile.verdict.fit, Fit::kUnknown);
}

TEST(TtnnModule, HostFunctionsAreNotRun) {
  const ReadModule read(in_module(
      "  ttcore.cpu_module {\n    builtin.module {\n      func.func @hoisted(%arg0: tensor<1xf32>) {\n"
      "        %0 = \"ttnn.ones\"() : () -> " +
      tiles(12) +
      "\n      }\n    }\n  }\n"
      "  func.func private @hoisted(tensor<1xf32>) -> tensor<1xf32>\n" +
      function("main", "", op("%0", "ttnn.zeros", "", "() -> " + tiles(12)))));
  EXPECT_THAT(read.programs(), ElementsAre("main"));
  EXPECT_THAT(read.ops(), ElementsAre("ttnn.zeros"));
}

TEST(TtnnModule, LineEndsAndPrefixesDoNotMatter) {
  const std::string text =
      in_module(function("main", "%arg0: " + tiles(12), op("%0", "ttnn.add", "%arg0, %arg0", kAddOf12)));
  const ReadModule plain(text);
  std::string dressed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    dressed += "2025-10-14T04:33:23.9048735Z " + text.substr(at, end - at) + "\r\n";
    at = end + 1;
  }
  const ReadModule read(dressed);
  EXPECT_EQ(read.ops(), plain.ops());
  EXPECT_EQ(read.peak(), plain.peak());
  EXPECT_EQ(read.op_text(0), plain.op_text(0));
  EXPECT_EQ(read.rank().ops[0].line, plain.rank().ops[0].line);
}

}  // namespace
}  // namespace ttscope::mem
