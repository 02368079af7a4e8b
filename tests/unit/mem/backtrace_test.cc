#include "mem/read/failures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "mem/load.h"
#include "mem/write/failure_text.h"
#include "mem/write/verdict_text.h"
#include "support/log_text.h"
#include "support/read_text.h"
#include "support/temp_folder.h"
#include "unit/mem/module_text.h"

namespace ttscope::mem {
namespace {

using testing::LogText;

Backtrace told_by(const std::vector<std::string>& frames) {
  Backtrace backtrace;
  std::uint32_t line = 0;
  for (const std::string& frame : frames) {
    ++line;
    if (may_be_frame(frame)) add_frame(frame, line, backtrace);
  }
  return backtrace;
}

const std::string kConv =
    " --- tt::runtime::ttnn::operations::conv::run(tt::target::ttnn::Conv3dOp const*, X&)";
const std::string kToDevice =
    " --- tt::runtime::ttnn::operations::layout::run(tt::target::ttnn::ToDeviceOp const*, X&)";
const std::string kCache =
    " --- tt::runtime::ttnn::operations::cache::run(tt::target::ttnn::LoadCachedOp const*, X&)";
const std::string kRunOperation =
    " --- tt::runtime::ttnn::ProgramExecutor::runOperation(tt::target::ttnn::Operation const*)";

TEST(Backtrace, TheInnermostOpOfTheRuntimeIsTheOne) {
  const Backtrace backtrace = told_by({" --- tt::tt_metal::X()", kToDevice, kRunOperation, kCache, kConv});
  EXPECT_EQ(backtrace.op, "ToDeviceOp");
  EXPECT_EQ(backtrace.op_line, 2U);
  EXPECT_EQ(backtrace.const_eval_line, 4U);
}

TEST(Backtrace, AnOpThatRunsConstEvalIsNamedWhereNothingElseIs) {
  EXPECT_EQ(told_by({kCache}).op, "LoadCachedOp");
}

TEST(Backtrace, MangledFramesNameTheSame) {
  EXPECT_EQ(told_by({" --- /l/_r.so(_ZN2tt7runtime4ttnn10operations4conv3runEPKNS_6target4ttnn8Conv3dOpERNS1_"
                     "14ProgramContextE+0x1) [0x7]"})
                .op,
            "Conv3dOp");
}

TEST(Backtrace, DeviceOperationsOfTtMetalCountUntilTheRuntimeNamesTheOp) {
  const std::string mangled =
      " --- /l/_ttnncpp.so(_ZN4ttnn16device_operation6detail6launchITkNS0_22DeviceOperationConceptENS_"
      "12experimental4prim21Conv3dDeviceOperationEEENT_21tensor_return_value_tE) [0x7]";
  EXPECT_EQ(told_by({mangled}).op, "Conv3dDeviceOperation");
  EXPECT_EQ(told_by({" --- ttnn::prim::AccumulationDeviceOperation::create_output_tensors(...)"}).op,
            "AccumulationDeviceOperation");
  EXPECT_EQ(told_by({mangled, kConv}).op, "Conv3dOp");
  EXPECT_EQ(told_by({" --- ttnn::DeviceOperation()", "x DeviceOperationWithMeshDeviceAdapter y"}).op, "");
}

TEST(Backtrace, AChainIsWrittenFromTheOutermostOn) {
  const Backtrace backtrace =
      told_by({"Runtime call site: tt::runtime::ttnn::operations::cache::run(LoadCachedOp) -> "
               "tt::runtime::ttnn::operations::layout::run(ToDeviceOp)"});
  EXPECT_EQ(backtrace.op, "ToDeviceOp");
  EXPECT_EQ(backtrace.const_eval_line, 1U);
}

TEST(Backtrace, FramesThatMoveInputsRunNoOp) {
  const Backtrace backtrace = told_by({" --- tt::runtime::ttnn::toLayout(tt::runtime::Tensor)",
                                       " --- tt::pjrt::BufferInstance::copyToHost()"});
  EXPECT_EQ(backtrace.op, "");
  EXPECT_EQ(backtrace.transfer_line, 1U);
}

std::string failure_of(std::int64_t tiles_per_bank) {
  const std::string each = std::to_string(tiles_per_bank * kTile);
  return "TT_FATAL: Out of Memory: Not enough space to allocate " +
         std::to_string(12 * tiles_per_bank * kTile) +
         " B DRAM buffer across 12 banks, where each bank needs to store " + each +
         " B, but bank size is 1000000000 B (allocated: 999999999 B, free: 1 B, largest free block: 1 B)";
}

TEST(Backtrace, FramesBelowAnotherFatalErrorAreNotOfTheMessage) {
  LogText log;
  log.line(failure_of(1)).line("TT_FATAL @ /a/host_buffer/functions.cpp:25: x").line(kConv);
  EXPECT_EQ(testing::read_text(log.text()).ranks.at(0).failures.at(0).backtrace.op, "");
  LogText own;
  own.line(failure_of(1)).line("TT_FATAL @ /a/allocator/bank_manager.cpp:439: false").line(kConv);
  EXPECT_EQ(testing::read_text(own.text()).ranks.at(0).failures.at(0).backtrace.op, "Conv3dOp");
}

TEST(Backtrace, AnyPrintOfAFailureMayHaveTheFrames) {
  LogText log;
  log.line("2026-05-14 01:00:31.755 | critical |          Always | " + failure_of(1));
  log.line("{TT_FATAL @ /a/bank_manager.cpp:1: false").line(failure_of(1)).line("backtrace:").line(kConv);
  const RankLog rank = std::move(testing::read_text(log.text()).ranks.at(0));
  ASSERT_EQ(rank.failures.size(), 1U);
  EXPECT_EQ(rank.failures[0].backtrace.op_line, 5U);
}

/// A log with a compiled module and a failure below it, without a line of an op or a state.
struct FailedModule {
  explicit FailedModule(const std::vector<std::string>& frames, std::int64_t size = 2) {
    const std::string same = "(" + tiles(24) + ") -> " + tiles(24);
    log.module(
        "ttnn",
        in_module(
            function("main_const_eval_0", "%arg0: " + tiles(24), op("%0", "ttnn.to_device", "%arg0", same)) +
            function("main", "%arg0: " + tiles(12),
                     op("%0", "ttnn.ones", "", "() -> " + tiles(24)) +
                         op("%1", "ttnn.conv3d", "%0", "(" + tiles(24) + ") -> " + tiles(120)) +
                         op("%2", "ttnn.to_device", "%1", "(" + tiles(120) + ") -> " + tiles(120)))));
    log.line(failure_of(size));
    for (const std::string& frame : frames) log.line(frame);
    const testing::TempFolder folder;
    Result<OomLog> loaded = load_oom(folder.file("run.log", log.text()), {});
    if (loaded) oom = std::move(*loaded);
  }
  const FailureReport& report() const { return oom.reports().at(0); }
  std::uint32_t line_of(const std::string& text) const {
    const auto place = static_cast<std::ptrdiff_t>(log.text().find(text));
    return static_cast<std::uint32_t>(1 + std::count(log.text().begin(), log.text().begin() + place, '\n'));
  }
  LogText log;
  OomLog oom;
};

TEST(FailureWithModules, TheTensorIsTheModulesNotAnyOfThatSize) {
  const FailedModule run({});
  ASSERT_FALSE(run.report().candidates.empty());
  const TensorCandidate& first = run.report().candidates[0];
  EXPECT_EQ(first.shape, (std::vector<std::int64_t>{768, 32}));
  EXPECT_EQ(first.reason, CandidateReason::kSeen);
  EXPECT_EQ(first.source_line, run.line_of("\"ttnn.to_device\"(%arg0)"));
}

TEST(FailureWithModules, TheBacktraceNamesTheOpOfTheModule) {
  const FailedModule run({kToDevice, kCache});
  EXPECT_EQ(run.report().moment, FailureMoment::kDuringOp);
  EXPECT_EQ(run.report().failing_op.name, "ttnn.to_device");
  EXPECT_EQ(run.report().failing_op.program, "main_const_eval_0");
  EXPECT_EQ(run.report().failing_op.line, run.line_of("\"ttnn.to_device\"(%arg0)"));
  ASSERT_EQ(run.report().candidates.size(), 1U);
  EXPECT_EQ(run.report().candidates[0].reason, CandidateReason::kResult);
  const ProfileView view{run.oom.profile.log, run.oom.profile.memory};
  const std::string where = describe_failure(view, 0, run.report().message(view.log)).where;
  EXPECT_NE(where.find("ttnn.to_device in main_const_eval_0"), std::string::npos) << where;
  EXPECT_NE(where.find("says the backtrace"), std::string::npos) << where;
}

TEST(FailureWithModules, MemoryLinesAloneTellTheOpOfTheModuleToo) {
  const std::string same = "(" + tiles(24) + ") -> " + tiles(24);
  LogText log;
  log.module("ttnn", in_module(function(
                         "main", "%arg0: " + tiles(24),
                         op("%0", "ttnn.neg", "%arg0", same) + op("%1", "ttnn.to_device", "%0", same))));
  log.start("main").block("ToDeviceOp", 0).line(failure_of(2));
  const testing::TempFolder folder;
  const Result<OomLog> loaded = load_oom(folder.file("run.log", log.text()), {});
  ASSERT_TRUE(loaded.has_value());
  const std::vector<TensorCandidate>& found = loaded->reports().at(0).candidates;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "%1");
  EXPECT_EQ(found[0].reason, CandidateReason::kResult);
}

TEST(FailureWithModules, AnOpThatTheModuleLacksIsCalledAsTheFrameSays) {
  const FailedModule run({" --- tt::runtime::ttnn::operations::x::run(tt::target::ttnn::MatmulOp const*)"});
  EXPECT_EQ(run.report().failing_op.name, "MatmulOp");
  EXPECT_EQ(run.report().failing_op.loc, "");
}

TEST(FailureWithModules, TheMessagesSizeOfABankIsMeasuredTheModulesIsNot) {
  LogText log;
  log.module("ttnn",
             "#system_desc = #ttcore.system_desc<[{role = host, target_triple = \"x86_64\"}], [{arch = "
             "<wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, "
             "num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, "
             "pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 103712, "
             "dram_unreserved_base = 32, dram_unreserved_end = 1073158336}], [0], [1 : i32], [ 0x0x0x0]>\n" +
                 in_module(function("main", "", op("%0", "ttnn.ones", "", "() -> " + tiles(12)))));
  log.line(failure_of(2));
  const RuntimeLog parsed = testing::read_text(log.text());
  ASSERT_EQ(parsed.systems.size(), 1U);
  const MemoryProfile profile = profile_memory(parsed, {});
  EXPECT_EQ(profile.ranks.at(0).device.capacity_bytes_per_bank[0], 1000000000);
  EXPECT_NE(device_text(profile.ranks[0].device).find("as the message of a failure says"), std::string::npos);
}

}  // namespace
}  // namespace ttscope::mem
