// The live set: which tensors there are, of which kind, how large, and until when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mem/analyze/memory_profile.h"
#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

using testing::deallocate_text;
using testing::dram_rows;
using testing::dram_tensor;
using testing::free_of;
using testing::host_tensor;
using testing::kUnit;
using testing::l1_sharded_tensor;
using testing::l1_tensor;
using testing::load_cached_text;
using testing::LogText;
using testing::neg;
using testing::ones;
using testing::op_text;
using testing::Profiled;
using ::testing::SizeIs;
using testing::unit_op;
using testing::units;

TEST(LiveSet, ATensorLivesFromItsOpToItsDeallocate) {
  LogText log;
  log.start("main")
      .op(ones("%0", 2))
      .op(neg("%1", "%0", 2))
      .op(free_of("%0", 2))
      .op(neg("%2", "%1", 2))
      .finish("main");
  const Profiled result(log);
  ASSERT_THAT(result.rank().buffers, SizeIs(3));
  const Buffer& first = result.rank().buffers[0];
  EXPECT_EQ(result.log.names[first.name], "%0");
  EXPECT_EQ(first.producer_op, 0u);
  EXPECT_EQ(first.born, after_op(0));
  EXPECT_EQ(first.died, after_op(2));
  EXPECT_EQ(first.bytes_per_bank, 2 * kUnit);
  EXPECT_EQ(first.kind, TensorKind::kActivation);
  const LiveSet before_last = live_set_at(result.log, result.rank(), {Memory::kDram, before_op(3), -1});
  EXPECT_EQ(before_last.accounted_bytes_per_bank, 2 * kUnit);
}

TEST(LiveSet, NamesOfTwoProgramsAreDifferentTensors) {
  LogText log;
  log.start("main").op(ones("%0", 1)).op(load_cached_text("%1", "main_const_eval_0", "", "", units(2)));
  log.start("main_const_eval_0").op(ones("%0", 2)).finish("main_const_eval_0");
  log.op(free_of("%0", 1)).finish("main");
  const Profiled result(log);
  ASSERT_THAT(result.rank().buffers, SizeIs(2));
  EXPECT_EQ(result.rank().buffers[0].bytes_per_bank, kUnit);
  EXPECT_EQ(result.rank().buffers[0].died, after_op(3));
  EXPECT_EQ(result.rank().buffers[1].died, kForever);
  EXPECT_EQ(result.rank().buffers[1].kind, TensorKind::kConstEval);
  EXPECT_EQ(result.peak().bytes_per_bank, 3 * kUnit) << "the cached result is counted once";
}

TEST(LiveSet, ARetainedTensorStays) {
  LogText log;
  log.start("main")
      .op(neg("%0", "%arg0", 2))
      .op(free_of("%arg0", 2))
      .retained()
      .op(neg("%1", "%0", 2))
      .finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.dram(1), 0);
  EXPECT_EQ(result.peak().bytes_per_bank, 6 * kUnit);
}

TEST(LiveSet, TheMeasurementOverrulesADeallocate) {
  LogText kept;
  kept.start("main")
      .op(ones("%0", 2))
      .block("NamedFullOp", 0)
      .op(free_of("%0", 2))
      .block("DeallocateOp", 2 * kUnit);
  kept.op(ones("%1", 1)).block("NamedFullOp", 2 * kUnit).finish("main");
  const Profiled stays(kept);
  EXPECT_EQ(stays.dram(1), 0);
  EXPECT_EQ(stays.rank().buffers.at(0).died, kForever);
  LogText gone;
  gone.start("main")
      .op(ones("%0", 2))
      .block("NamedFullOp", 0)
      .op(free_of("%0", 2))
      .block("DeallocateOp", 2 * kUnit)
      .retained();
  gone.op(ones("%1", 1)).block("NamedFullOp", 0).finish("main");
  EXPECT_EQ(Profiled(gone).dram(1), -2 * kUnit) << "the line may be about another buffer";
}

TEST(LiveSet, EveryResultOfAnOpIsATensor) {
  LogText log;
  const std::string two = "(" + units(1) + ", " + units(3) + ")";
  log.start("main").op(op_text("%0:2", "ttnn.sort", "%arg0", units(1), two));
  log.op(op_text("%values, %indices", "ttnn.topk", "%0#0", units(1), two))
      .op(free_of("%0#1", 3))
      .op(free_of("%values", 1));
  const Profiled result(log.finish("main"));
  EXPECT_EQ(result.dram(0), 4 * kUnit);
  EXPECT_EQ(result.dram(1), 4 * kUnit);
  EXPECT_EQ(result.dram(2), -3 * kUnit);
  EXPECT_EQ(result.dram(3), -kUnit);
  EXPECT_NE(result.live_at_peak("%indices"), nullptr);
}

TEST(LiveSet, AReshapeThatKeepsTheTilesIsAView) {
  LogText log;
  const std::string flat = dram_tensor(1024, 384);
  std::string deep = flat;
  deep.replace(deep.find("1024x384x"), 9, "32x32x384x");
  log.start("main")
      .op(ones("%0", 1))
      .op(op_text("%1", "ttnn.reshape", "%0", flat, deep))
      .op(deallocate_text("%0", flat));
  log.op(deallocate_text("%1", deep)).finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.dram(1), 0);
  EXPECT_EQ(result.dram(2), 0) << "the view has the buffer";
  EXPECT_EQ(result.dram(3), -kUnit);
  EXPECT_THAT(result.rank().buffers, SizeIs(1));
}

TEST(LiveSet, AReshapeThatMovesTilesIsACopy) {
  LogText log;
  const std::string to = dram_tensor(384, 1024);
  log.start("main").op(ones("%0", 1)).op(op_text("%1", "ttnn.reshape", "%0", units(1), to)).finish("main");
  EXPECT_EQ(Profiled(log).dram(1), kUnit);
}

TEST(LiveSet, TheMeasurementTellsViewsFromCopies) {
  LogText copy;
  copy.start("main").op(ones("%0", 2)).block("NamedFullOp", 0);
  copy.op(unit_op("%1", "ttnn.to_layout", "%0", 2, 2)).block("ToLayoutOp", 2 * kUnit);
  copy.op(free_of("%0", 2)).block("DeallocateOp", 4 * kUnit).finish("main");
  EXPECT_EQ(Profiled(copy).dram(1), 2 * kUnit);
  LogText view;
  view.start("main")
      .op(ones("%0", 2))
      .block("NamedFullOp", 0)
      .op(neg("%1", "%0", 2))
      .block("EltwiseUnaryOp", 2 * kUnit);
  view.op(free_of("%0", 2)).block("DeallocateOp", 2 * kUnit).finish("main");
  EXPECT_EQ(Profiled(view).dram(1), 0) << "an op that works in place";
}

TEST(LiveSet, InPlaceOpsAddNothing) {
  LogText log;
  log.start("main")
      .op(op_text("", "ttnn.update_cache", "%arg0, %arg1", units(4) + ", " + units(1), "()"))
      .finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.dram(0), 0);
  EXPECT_EQ(result.peak().bytes_per_bank, 5 * kUnit);
  EXPECT_TRUE(result.peak().at_program_start);
}

TEST(LiveSet, AConvolutionMayFreeItsInput) {
  LogText log;
  log.start("main")
      .op(ones("%0", 3))
      .op("%1 = \"ttnn.conv2d\"(%0) <{c = #ttnn.conv2d_config<deallocate_activation = true>}> : (" +
          units(3) + ") -> " + units(1));
  const Profiled result(log.finish("main"));
  EXPECT_EQ(result.dram(1), -2 * kUnit);
}

TEST(LiveSet, HostTensorsTakeNoDeviceMemory) {
  LogText log;
  log.start("main").op(op_text("%0", "ttnn.from_device", "%arg0", units(1), host_tensor(1024, 384)));
  log.op(op_text("%1", "ttnn.to_device", "%0", host_tensor(1024, 384), dram_rows(1024, 384))).finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.dram(0), 0);
  EXPECT_EQ(result.dram(1), 86 * 768) << "1024 rows of 768 bytes over 12 banks";
}

TEST(LiveSet, ShardsTakeTheirBytesInEveryBankOfL1) {
  LogText log;
  const std::string shards = l1_sharded_tensor(256, 64, 8);
  const std::string spread = l1_tensor(2048, 32, 64);
  log.start("main")
      .op(op_text("%0", "ttnn.to_memory_config", "%arg0", units(1), shards))
      .block("ToMemoryConfigOp", kUnit);
  log.op(op_text("%1", "ttnn.add", "%0, %0", shards + ", " + shards, spread))
      .block("EltwiseBinaryOp", kUnit, 4096);
  log.op(deallocate_text("%0", shards)).block("DeallocateOp", kUnit, 6144).finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.l1(0), 2 * 2048);
  EXPECT_EQ(result.dram(0), 0);
  EXPECT_EQ(result.l1(1), 2048);
  EXPECT_EQ(result.l1(2), -4096);
  EXPECT_EQ(result.peak(Memory::kL1).op, 1u);
  EXPECT_THAT(result.live_at_peak(Memory::kL1).buffers, SizeIs(2));
  EXPECT_EQ(result.live_at_peak(Memory::kL1).accounted_bytes_per_bank, 6144);
  EXPECT_EQ(result.live_at_peak(Memory::kL1).padded_bytes, 16 * 2048 + 64 * 2048);
}

TEST(LiveSet, BlockFloatTensorsHaveTheirSize) {
  LogText log;
  log.start("main")
      .op(op_text("%0", "ttnn.typecast", "%arg0", units(1), dram_tensor(1024, 384, "bfp_bf8")))
      .finish("main");
  EXPECT_EQ(Profiled(log).dram(0), 32 * 1088);
}

TEST(LiveSet, WhatNoLineNamesIsUnaccounted) {
  LogText log;
  log.start("main")
      .op(ones("%0", 4))
      .block("NamedFullOp", 6 * kUnit)
      .op(free_of("%0", 4))
      .block("DeallocateOp", 10 * kUnit);
  const Profiled result(log.finish("main"));
  EXPECT_EQ(result.live_at_peak().accounted_bytes_per_bank, 4 * kUnit);
  EXPECT_NEAR(static_cast<double>(result.live_at_peak().unaccounted_bytes_per_bank),
              static_cast<double>(6 * kUnit), static_cast<double>(kLogResolutionBytes));
}

TEST(LiveSet, TotalsAreKeptForEveryOpWhenAsked) {
  LogText log;
  const std::string type = dram_tensor(10, 10);
  log.start("main")
      .op(op_text("%0", "ttnn.ones", "", "", type))
      .op(deallocate_text("%0", type))
      .finish("main");
  EXPECT_THAT(Profiled(log.text()).rank().live_totals, SizeIs(0));
  const Profiled result(log.text(), true);
  ASSERT_THAT(result.rank().live_totals, SizeIs(2));
  EXPECT_EQ(result.rank().live_totals[0][0].tensors, 0u);
  EXPECT_EQ(result.rank().live_totals[1][0].tensors, 1u);
  EXPECT_EQ(result.rank().live_totals[1][0].logical_bytes, 200);
  EXPECT_EQ(result.rank().live_totals[1][0].padded_bytes, 2048);
  ASSERT_THAT(result.profile.worst_padding, SizeIs(1));
  EXPECT_EQ(result.profile.worst_padding[0].waste_bytes, 1848);
}

std::string module_text(const std::string& arguments) { return "func.func @main(" + arguments + ") {\n}"; }
std::string argument_text(int number, std::int64_t size, const std::string& role, const std::string& name) {
  return "%arg" + std::to_string(number) + ": " + units(size) +
         " {ttcore.argument_type = #ttcore.argument_type<" + role + ">, ttir.name = \"" + name + "\"}";
}

TEST(LiveSet, KindsComeFromTheModuleDump) {
  LogText log;
  log.module("ttnn",
             module_text(argument_text(0, 1, "input", "ids") + ", " + argument_text(1, 2, "parameter", "wq") +
                         ", " + argument_text(2, 3, "constant", "scale")));
  log.start("main").op(op_text("%0", "ttnn.concat", "%arg0, %arg1, %arg2",
                               units(1) + ", " + units(2) + ", " + units(3), units(6)));
  const Profiled result(log.finish("main"));
  ASSERT_NE(result.live_at_peak("%arg0"), nullptr);
  EXPECT_EQ(result.live_at_peak("%arg0")->kind, TensorKind::kInput);
  EXPECT_EQ(result.live_at_peak("%arg1")->kind, TensorKind::kWeight);
  EXPECT_EQ(result.live_at_peak("%arg2")->kind, TensorKind::kWeight);
  EXPECT_EQ(result.live_at_peak("%0")->kind, TensorKind::kActivation);
  const auto& kinds = result.live_at_peak().kind_bytes_per_bank;
  EXPECT_EQ(kinds[static_cast<std::size_t>(TensorKind::kWeight)], 5 * kUnit);
  EXPECT_EQ(result.profile.weight_count, 2u);
  EXPECT_EQ(result.profile.weight_bytes, (2 + 3) * 1024 * 384 * 2);
  EXPECT_EQ(result.profile.arguments.at(1).name, "wq");
}

TEST(LiveSet, WithoutADumpAnArgumentIsUnknownUnlessConstEvalTakesIt) {
  LogText log;
  log.start("main")
      .op(load_cached_text("%0", "main_const_eval_0", "%arg1", units(1), units(1)))
      .cache_hit("main_const_eval_0");
  log.op(op_text("%1", "ttnn.add", "%arg0, %0", units(1) + ", " + units(1), units(1))).finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.live_at_peak("%arg0")->kind, TensorKind::kUnknown);
  EXPECT_EQ(result.live_at_peak("%arg1")->kind, TensorKind::kWeight);
  EXPECT_EQ(result.live_at_peak("%0")->kind, TensorKind::kConstEval);
}

LogText& const_eval_run(LogText& log, bool miss) {
  log.start("main").op(load_cached_text("%0", "main_const_eval_0", "%arg0", units(4), units(3)));
  if (miss) {
    log.cache_miss("main_const_eval_0")
        .start("main_const_eval_0")
        .op(unit_op("%0", "ttnn.permute", "%arg0", 4, 3));
    log.finish("main_const_eval_0");
  } else {
    log.cache_hit("main_const_eval_0");
  }
  return log.op(neg("%1", "%0", 3)).op(free_of("%0", 3)).retained().op(free_of("%1", 3)).finish("main");
}

TEST(LiveSet, AWeightAndItsConstEvalCopyAreFoundTogether) {
  LogText log;
  log.module("ttnn", module_text(argument_text(0, 4, "parameter", "w")));
  const Profiled result(const_eval_run(log, true));
  ASSERT_THAT(result.rank().duplicated_weights, SizeIs(1));
  EXPECT_EQ(result.rank().duplicated_weight_bytes, 3 * 1024 * 384 * 2);
  EXPECT_EQ(result.rank().duplicated_weight_bytes_highest, 3 * 1024 * 384 * 2);
  EXPECT_EQ(result.profile.arguments.at(0).const_eval_graphs.at(0), "main_const_eval_0");
}

TEST(LiveSet, ConstEvalResultsStayForLaterRuns) {
  LogText log;
  const_eval_run(log, true);
  const_eval_run(log, false);
  const_eval_run(log, false);
  const Profiled result(log);
  EXPECT_EQ(result.peak().bytes_per_bank, (4 + 3 + 3) * kUnit);
  EXPECT_EQ(result.rank().after_last_op[0], (4 + 3) * kUnit);
  EXPECT_EQ(result.profile.graphs.size(), 2u) << "misses and hits are the same graph";
  EXPECT_EQ(result.rank().programs.back().run, 2u);
}

/// A program whose weight of 4 units const-eval copied to 3 units, then one of another model;
/// `left` is what the first one left when the second one starts.
LogText two_models(std::int64_t left, std::int64_t units_of_second = 5) {
  LogText log;
  log.start("main").op(load_cached_text("%0", "main_const_eval_0", "%arg0", units(4), units(3)));
  log.block("LoadCachedOp", 4 * kUnit).cache_miss("main_const_eval_0").start("main_const_eval_0");
  log.op(unit_op("%0", "ttnn.permute", "%arg0", 4, 3)).block("PermuteOp", 4 * kUnit);
  log.finish("main_const_eval_0").op(neg("%1", "%0", 3)).block("NegOp", 7 * kUnit);
  log.op(free_of("%1", 3)).block("DeallocateOp", 10 * kUnit).finish("main");
  log.start("other").op(neg("%0", "%arg0", units_of_second));
  log.block("NegOp", left + units_of_second * kUnit).op(neg("%1", "%0", units_of_second));
  log.block("NegOp", left + 2 * units_of_second * kUnit).finish("other");
  return log;
}

TEST(LiveSet, WhatAnEarlierProcessHeldIsNotHeldByTheNext) {
  const Profiled one_process(two_models(7 * kUnit));
  EXPECT_EQ(one_process.rank().accounted.back()[0], (7 + 10) * kUnit);
  const Profiled two_processes(two_models(0));
  EXPECT_EQ(two_processes.rank().accounted.back()[0], 10 * kUnit) << "weights and cache went with the first";
  const Profiled own_of_device(two_models(8192));
  EXPECT_EQ(own_of_device.rank().accounted.back()[0], 10 * kUnit) << "a device may hold something of its own";
  const Profiled larger(two_models(0, 100));
  EXPECT_EQ(larger.rank().accounted.back()[0], 200 * kUnit)
      << "the second one needs more than the first held";
}

TEST(LiveSet, WeightOpsAreToldByDataFlow) {
  LogText log;
  log.module("ttnn",
             module_text(argument_text(0, 1, "input", "x") + ", " + argument_text(1, 1, "parameter", "w")));
  log.start("main").op(neg("%0", "%arg1", 1)).op(neg("%1", "%arg0", 1));
  log.op(op_text("%2", "ttnn.add", "%0, %1", units(1) + ", " + units(1), units(1))).finish("main");
  const Profiled result(log);
  EXPECT_TRUE(result.rank().is_weight_op[0]);
  EXPECT_FALSE(result.rank().is_weight_op[1]) << "the same shape is not the same flow";
  EXPECT_FALSE(result.rank().is_weight_op[2]);
  EXPECT_EQ(result.rank().weight_ops, 1u);
}

TEST(LiveSet, APreshardedArgumentHasTheSizeOfOneDevice) {
  LogText log;
  log.module(
      "ttnn",
      module_text(
          "%arg0: " + units(4) +
          " {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = "
          "#ttcore<local_shape "
          "local_shape = tensor<1024x384xbf16>>, ttcore.shard_status = #ttcore.shard_status<presharded>}"));
  log.start("main").op(unit_op("%0", "ttnn.mean", "%arg0", 4, 1)).finish("main");
  const Profiled result(log);
  ASSERT_NE(result.live_at_peak("%arg0"), nullptr);
  EXPECT_EQ(result.live_at_peak("%arg0")->bytes_per_bank, kUnit);
  EXPECT_EQ(result.profile.weight_bytes, 1024 * 384 * 2);
}

}  // namespace
}  // namespace ttscope::mem
