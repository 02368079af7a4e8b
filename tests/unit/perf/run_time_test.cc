// Wall, busy and idle time of several devices, their order, the path that decides, and what changes would
// bring.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "perf/analyse/advice/movement.h"
#include "perf/analyse/ops/collective_links.h"
#include "perf/analyse/ops/op_category.h"
#include "perf/analyse/ops/op_reading.h"
#include "perf/analyse/path/run_graph.h"
#include "perf/write/words/advice_text.h"
#include "support/ops_csv.h"

namespace ttscope::perf {
namespace {

using testing::Cells;
using ::testing::HasSubstr;
using testing::OpsCsv;

OpReading reading_of(const OpsReport& table, ShownOptions options = {}) {
  options.ignore_signposts = options.start_signpost.empty();
  Result<OpReading> reading = read_ops(table, options);
  EXPECT_TRUE(reading.has_value());
  return std::move(*reading);
}

const OpAdvice* advice_of(const OpReading& reading, AdviceCause cause) {
  for (const OpAdvice& advice : reading.advice) {
    if (advice.cause == cause) return &advice;
  }
  return nullptr;
}

std::string ns(double us) { return std::to_string(std::llround(us * 1000)); }

/// Four devices run `layers` times Matmul, Softmax and AllBroadcast; one is slower at Softmax and all others
/// wait for it. In us: 20, 10 (10 * factor), 5, with gaps of 1; device `d` counts from its own reset.
class SlowDeviceRun {
 public:
  static constexpr int kDevices = 4;

  SlowDeviceRun(int layers, double factor) : layers_(layers), factor_(factor) {}

  /// Row after row of all devices, or one block for each device.
  OpsReport table(bool in_blocks) const {
    OpsCsv csv;
    if (in_blocks) {
      for (int device = 0; device < kDevices; ++device) {
        for (int layer = 0; layer < layers_; ++layer) {
          for (int op = 0; op < 3; ++op) add(csv, device, layer, op);
        }
      }
    } else {
      for (int layer = 0; layer < layers_; ++layer) {
        for (int op = 0; op < 3; ++op) {
          for (int device = 0; device < kDevices; ++device) add(csv, device, layer, op);
        }
      }
    }
    return csv.table();
  }
  double layer_us() const { return 1 + 20 + 1 + 10 * factor_ + 1 + 5; }
  double wall_us() const { return layers_ * layer_us() - 1; }

 private:
  void add(OpsCsv& csv, int device, int layer, int op) const {
    const bool is_slow = device == 2;
    const double softmax = is_slow ? 10 * factor_ : 10;
    const double waits = is_slow ? 0 : 10 * factor_ - 10;
    const double start_of_op[] = {1, 22, 23 + softmax};
    const double time_of_op[] = {20, softmax, 5 + waits};
    const char* names[] = {"Matmul", "Softmax", "AllBroadcast"};
    const double start = (layer * layer_us() + start_of_op[op]) * 1350 + 1e9 * (device + 1);
    csv.op(names[op], {{"DEVICE ID", std::to_string(device)},
                       {"GLOBAL CALL COUNT", std::to_string(1024 * (layer * 3 + op + 1) + device)},
                       {"OP TO OP LATENCY [ns]", layer + op == 0 ? "90000000" : "1000"},
                       {"DEVICE FW START CYCLE", std::to_string(std::llround(start))},
                       {"DEVICE FW END CYCLE", std::to_string(std::llround(start + time_of_op[op] * 1350))},
                       {"DEVICE KERNEL DURATION [ns]", ns(time_of_op[op])}});
  }

  int layers_;
  double factor_;
};

TEST(RunClock, WaitingIsCountedOnceAndPartsAddUpToTheWall) {
  const SlowDeviceRun run(6, 9);
  for (const bool in_blocks : {false, true}) {
    const OpsReport table = run.table(in_blocks);
    const OpReading reading = reading_of(table);
    const ShownOps& ops = reading.ops;
    ASSERT_EQ(ops.clock.lanes.size(), 4u);
    for (const DeviceLane& lane : ops.clock.lanes) {
      EXPECT_NEAR(lane.wall_ns / 1000, run.wall_us(), 0.01);
      EXPECT_NEAR(lane.idle_ns() / 1000, 6 * 3 - 1, 0.01);
      EXPECT_DOUBLE_EQ(lane.busy_ns + lane.idle_ns(), lane.wall_ns);
    }
    EXPECT_NEAR(ops.device_us, 6 * (20 + 90 + 5), 0.01) << "the sum of the table";
    double percent = 0;
    for (const ShownOp& row : ops.rows) percent += row.total_percent;
    EXPECT_NEAR(percent, 100, 1e-6);
    double path_us = 0;
    for (const PathPart& part : ops.path.parts) path_us += part.us;
    EXPECT_NEAR(path_us, ops.path.wall_us, 1e-6);
    EXPECT_NEAR(RunGraph(ops.clock).replay_ns({}), ops.path.wall_us * 1000, 1e-3);
  }
}

TEST(RunClock, OpsAreInTheOrderInWhichTheyRanAndGapsBeforeTheWindowAreNone) {
  const OpsReport table = SlowDeviceRun(3, 2).table(true);
  const OpReading reading = reading_of(table);
  ASSERT_EQ(reading.ops.rows.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    const char* names[] = {"Matmul", "Softmax", "AllBroadcast"};
    EXPECT_EQ(table.text(table.kind_of(table.rows[reading.ops.rows[i].row]).op_code), names[i % 3]);
    EXPECT_EQ(has_number(reading.ops.rows[i].gap_us), i > 0);
  }
  EXPECT_NEAR(reading.ops.gap_us, 8, 1e-9) << "90 ms before the first op of each device are no gap";
}

TEST(RunClock, CyclesThatNoTimerHasAreNoTimes) {
  OpsCsv csv;
  csv.op("Unary").op("Unary", {{"DEVICE FW START CYCLE", "1e300"}, {"DEVICE FW END CYCLE", "1e301"}});
  csv.op("Unary", {{"METAL TRACE ID", "1e30"}, {"METAL TRACE REPLAY SESSION ID", "3e38"}});
  csv.op("Unary", {{"DEVICE FW START CYCLE", "-5"}, {"DEVICE FW END CYCLE", "7"}});
  const OpReading reading = reading_of(csv.table());
  ASSERT_EQ(reading.ops.clock.lanes.size(), 1u);
  EXPECT_EQ(reading.ops.clock.lanes[0].ops.size(), 2u);
  EXPECT_EQ(reading.ops.clock.without_times, 2u);
}

TEST(CriticalPath, GoesThroughTheDeviceThatAllWaitFor) {
  const OpsReport table = SlowDeviceRun(4, 9).table(false);
  const OpReading reading = reading_of(table);
  double slow_us = 0;
  double collective_us = 0;
  for (const PathPart& part : reading.ops.path.parts) {
    const std::string_view name = table.text(table.kind_of(table.rows[part.row]).op_code);
    if (name == "Softmax" && part.kind == PathPartKind::kOp) {
      EXPECT_EQ(part.device, 2);
      slow_us += part.us;
    }
    if (part.kind == PathPartKind::kCollective) collective_us += part.us;
  }
  EXPECT_NEAR(slow_us, 4 * 90, 0.01);
  EXPECT_NEAR(collective_us, 4 * 5, 0.01) << "without what devices wait in it";
}

TEST(Advice, BlamesTheSlowOpOnItsDeviceAndNotTheCollectiveThatWaits) {
  const OpsReport table = SlowDeviceRun(4, 9).table(false);
  const OpReading reading = reading_of(table);
  ASSERT_FALSE(reading.advice.empty());
  const OpAdvice& first = reading.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kSlowDevice);
  EXPECT_EQ(first.device, 2);
  EXPECT_NEAR(first.gain_us, 4 * 80, 0.05);
  EXPECT_EQ(first.severity, Severity::kCritical);
  EXPECT_EQ(advice_title(table, reading, first),
            "Softmax takes 9.0 times as long on device 2 as on the others");
  EXPECT_NEAR(reading.skew.collective_late_us, 4 * 80, 0.05);
  EXPECT_NEAR(reading.skew.collective_wait_us, 4 * 60, 0.05) << "three of four devices wait";
  double gains = 0;
  for (const OpAdvice& advice : reading.advice) gains += advice.gain_us;
  EXPECT_LE(gains, reading.ops.path.wall_us);
}

TEST(Advice, AnOpOffThePathGainsNothing) {
  // Device 1 waits for device 0, so its slow Unary costs nothing.
  OpsCsv csv;
  const auto add = [&](const char* name, const char* device, double us) {
    csv.op(name, {{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", ns(us)}});
  };
  for (int i = 0; i < 3; ++i) {
    add("Softmax", "0", 100);
    add("Unary", "0", 10);
    add("AllGather", "0", 10);
    add("Softmax", "1", 20);
    add("Unary", "1", 40);
    add("AllGather", "1", 60);
  }
  const OpReading reading = reading_of(csv.table());
  for (const OpAdvice& advice : reading.advice) {
    if (advice.cause == AdviceCause::kSlowDevice) {
      EXPECT_EQ(advice.device, 0);
    }
  }
  const OpAdvice* slow = advice_of(reading, AdviceCause::kSlowDevice);
  ASSERT_NE(slow, nullptr);
  EXPECT_NEAR(slow->gain_us, 3 * 50, 0.05) << "then device 1 is the last to come";
}

TEST(WarmUp, IsLeftOutByCacheMissesElseByCompileGapsAndNeverInsideSignposts) {
  for (const bool has_column : {true, false}) {
    OpsCsv csv;
    csv.signpost("start");
    for (int pass = 0; pass < 3; ++pass) {
      for (const char* name : {"Matmul", "Softmax", "Tilize"}) {
        Cells cells = {{"OP TO OP LATENCY [ns]", pass == 0 ? "30000000" : "1000"}};
        if (has_column) cells["PROGRAM CACHE HIT"] = pass == 0 ? "False" : "True";
        csv.op(name, cells);
      }
    }
    const OpsReport table = csv.table();
    const OpReading reading = reading_of(table);
    EXPECT_EQ(reading.ops.rows.size(), 6u);
    EXPECT_EQ(reading.ops.warm_up.passes, 1u);
    EXPECT_EQ(reading.ops.warm_up.is_by_cache_misses, has_column);
    EXPECT_NEAR(reading.ops.clock.lanes[0].wall_ns / 1000, 6 * 10 + 5, 0.01);
    EXPECT_TRUE(std::any_of(reading.ops.notes.begin(), reading.ops.notes.end(),
                            [](const OpNote& note) { return note.kind == NoteKind::kWarmUpLeftOut; }));
    ShownOptions named;
    named.start_signpost = "start";
    EXPECT_EQ(reading_of(table, named).ops.rows.size(), 9u);
    ShownOptions all;
    all.keep_warm_up = true;
    EXPECT_EQ(reading_of(table, all).ops.device_ops, 9u);
  }
}

TEST(WarmUp, LayersOfAModelThatRunsOnceAreNoPasses) {
  OpsCsv csv;
  csv.op("Embeddings").op("Matmul", {{"OP TO OP LATENCY [ns]", "30000000"}}).op("Softmax");
  for (int layer = 0; layer < 4; ++layer) csv.op("Matmul").op("Softmax");
  EXPECT_EQ(reading_of(csv.table()).ops.rows.size(), 11u);
}

TEST(Iterations, ReplaysHaveMeanAndSpread) {
  OpsCsv csv;
  for (int replay = 0; replay < 3; ++replay) {
    for (int op = 0; op < 2; ++op) {
      csv.op("Unary", {{"METAL TRACE ID", "7"},
                       {"METAL TRACE REPLAY SESSION ID", std::to_string(replay + 1)},
                       {"DEVICE KERNEL DURATION [ns]", ns(10 + replay)},
                       {"OP TO OP LATENCY [ns]", op == 0 ? "50000" : "1000"}});
    }
  }
  const OpReading reading = reading_of(csv.table());
  ASSERT_EQ(reading.iterations.series.size(), 1u);
  const IterationSeries& series = reading.iterations.series[0];
  EXPECT_EQ(series.count, 3u);
  EXPECT_EQ(series.name, "7");
  EXPECT_NEAR(series.mean_ns / 1000, 23, 0.01);  // 21, 23 and 25
  EXPECT_NEAR(series.spread_ns / 1000, 2, 0.01);
  ASSERT_EQ(reading.iterations.times.size(), 3u);
  for (const IterationTime& time : reading.iterations.times) EXPECT_NEAR(time.idle_ns() / 1000, 1, 0.01);
}

TEST(CollectiveLinks, AreThoseOfAHandComputation) {
  // Four devices with 1200 bytes each.
  const CollectiveLinks ring{1200, 4, true};
  const CollectiveLinks line{1200, 4, false};
  EXPECT_EQ(busiest_link_bytes("AllGatherAsync", ring), 1800);  // three parts, half from each side
  EXPECT_EQ(busiest_link_bytes("AllGatherAsync", line),
            3600);  // the last device takes three over its one link
  EXPECT_EQ(busiest_link_bytes("AllBroadcast", ring), 1800);
  EXPECT_EQ(busiest_link_bytes("ReduceScatter", ring), 450);  // three parts of 300 go out, half to each side
  EXPECT_EQ(busiest_link_bytes("ReduceScatter", line), 900);
  EXPECT_EQ(busiest_link_bytes("AllReduce", ring), 900);  // reduce-scatter and all-gather of the parts
  EXPECT_EQ(busiest_link_bytes("AllReduce", line), 1800);
  EXPECT_EQ(busiest_link_bytes("AllToAll", line), 1200);  // 2 x 2 parts of 300 cross the middle
  EXPECT_EQ(busiest_link_bytes("AllToAll", ring), 600);
  EXPECT_EQ(busiest_link_bytes("PointToPoint", line), 1200);
  EXPECT_FALSE(has_number(busiest_link_bytes("Matmul", ring)));
  EXPECT_EQ(busiest_link_bytes("RingJointSDPADeviceOperation", ring), 1800);  // keys and values of the others
  EXPECT_EQ(most_hops("AllGatherAsync", ring), 2);                            // half way round
  EXPECT_EQ(most_hops("AllGatherAsync", line), 3);
  EXPECT_EQ(most_hops("ReduceScatter", ring), 3);  // a sum passes every device
  EXPECT_EQ(most_hops("AllReduce", ring), 6);
}

/// A tensor of one row of tiles, this wide.
Cells tensor(const std::string& prefix, const std::string& width) {
  return {{prefix + "W_PAD[LOGICAL]", "1[1]"},   {prefix + "Z_PAD[LOGICAL]", "1[1]"},
          {prefix + "Y_PAD[LOGICAL]", "32[32]"}, {prefix + "X_PAD[LOGICAL]", width},
          {prefix + "DATATYPE", "BFLOAT16"},     {prefix + "MEMORY", "DEV_0_DRAM_INTERLEAVED"}};
}

Cells joined_cells(std::initializer_list<Cells> parts) {
  Cells all;
  for (const Cells& part : parts) all.insert(part.begin(), part.end());
  return all;
}

TEST(CollectiveLinks, CollectivesAreKnownByAttributesToo) {
  EXPECT_TRUE(meets_other_devices("RingJointSDPADeviceOperation", "{'ring_size': '4'; 'num_links': '2'}"));
  EXPECT_TRUE(meets_other_devices("Mystery", "{'topology': 'Topology::Ring'}"));
  EXPECT_TRUE(meets_other_devices("Mystery", "{'cluster_axis': '1'}"));
  EXPECT_TRUE(meets_other_devices("AllGatherMatmulAsync", ""));
  EXPECT_FALSE(meets_other_devices("MeshPartitionDeviceOperation", "{'cluster_axis': '1'}"));
  EXPECT_FALSE(meets_other_devices("Matmul", "{'cluster_axis': 'std::nullopt'; 'ring_size': '1'}"));
  OpsCsv csv;
  for (const char* device : {"0", "1", "2", "3"}) {
    const Cells on = {{"DEVICE ID", device}};
    csv.op("Mystery", joined_cells({on,
                                    {{"ATTRIBUTES", "{'topology': 'Topology::Linear'}"}},
                                    tensor("INPUT_0_", "64[64]"),
                                    tensor("OUTPUT_0_", "64[64]")}));
    csv.op("AllGatherAsync", joined_cells({on,
                                           {{"ATTRIBUTES", "{'cluster_axis': '0'; 'num_links': '2'}"}},
                                           tensor("INPUT_0_", "64[64]"),
                                           tensor("OUTPUT_0_", "128[128]")}));
    csv.op("RingJointSDPADeviceOperation", joined_cells({on,
                                                         {{"ATTRIBUTES", "{'ring_size': '4'}"}},
                                                         tensor("INPUT_0_", "512[512]"),
                                                         tensor("INPUT_1_", "64[64]"),
                                                         tensor("INPUT_2_", "96[96]")}));
  }
  const OpReading reading = reading_of(csv.table());
  const OpsReport table = csv.table();
  const auto facts = [&](std::string_view name) -> const KindFacts& {
    for (std::size_t i = 0; i < table.kinds.size(); ++i) {
      if (table.text(table.kinds[i].op_code) == name) return reading.ops.facts[i];
    }
    throw std::out_of_range("no such op");
  };
  EXPECT_EQ(facts("Mystery").category, OpCategory::kCcl);
  EXPECT_TRUE(facts("Mystery").is_category_inferred);
  // By its shapes two of the four devices take part: each has the part of the other over one link.
  EXPECT_EQ(facts("AllGatherAsync").link_bytes, 32 * 64 * 2.0 / 2);
  EXPECT_EQ(facts("AllGatherAsync").links, 2);
  EXPECT_EQ(facts("RingJointSDPADeviceOperation").category, OpCategory::kCompute);
  EXPECT_TRUE(facts("RingJointSDPADeviceOperation").meets_devices);
  EXPECT_EQ(facts("RingJointSDPADeviceOperation").link_bytes, 32 * (64 + 96) * 2.0 * 3 / 2);
}

TEST(Advice, ACollectiveIsNotPromisedLessThanItsStartAndHopsTake) {
  // Three small all-gathers of 20, 24 and 30 us on two devices; their links need some hundred ns.
  const auto advice_of = [](const std::vector<const char*>& times_ns) {
    OpsCsv csv;
    for (const char* ns : times_ns) {
      for (const char* device : {"0", "1"}) {
        csv.op("AllGatherAsync", joined_cells({{{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", ns}},
                                               tensor("INPUT_0_", "1024[1024]"),
                                               tensor("OUTPUT_0_", "2048[2048]")}));
      }
    }
    return reading_of(csv.table()).advice;
  };
  const std::vector<OpAdvice> several = advice_of({"20000", "24000", "30000"});
  ASSERT_EQ(several.size(), 1u);
  EXPECT_EQ(several[0].cause, AdviceCause::kCollectiveBelowPeak);
  EXPECT_EQ(several[0].latency_basis, LatencyBasis::kShortestOfRun);
  EXPECT_NEAR(several[0].gain_us, 4 + 10, 1);  // over the shortest
  // A single one has nothing to be compared with: a hop's latency is assumed.
  const std::vector<OpAdvice> single = advice_of({"20000"});
  ASSERT_EQ(single.size(), 1u);
  EXPECT_EQ(single[0].latency_basis, LatencyBasis::kPerHop);
  EXPECT_NEAR(single[0].latency_us, kHopLatencyUs, 1e-9);
}

TEST(OpBounds, AnOpBehindALongGapKeepsItsBoundAndSaysWhatDispatchCosts) {
  OpsCsv csv;
  csv.matmul("DEV_0_DRAM_INTERLEAVED").matmul("DEV_0_DRAM_INTERLEAVED", {{"OP TO OP LATENCY [ns]", "86000"}});
  const OpReading reading = reading_of(csv.table());
  EXPECT_EQ(reading.bounds.rows[1].limit, reading.bounds.rows[0].limit);
  EXPECT_EQ(reading.bounds.rows[1].percent, reading.bounds.rows[0].percent);
  EXPECT_NEAR(static_cast<double>(reading.bounds.rows[1].dispatch_us), 80, 1e-3);
}

TEST(OpBounds, CountersOfTheRunGoBeforeTheModelOfItsShapes) {
  OpsCsv csv;
  csv.matmul("DEV_0_L1_WIDTH_SHARDED", {{"MATH Util Median (%)", "42"}});
  csv.matmul("DEV_0_L1_WIDTH_SHARDED");
  const OpReading reading = reading_of(csv.table());
  EXPECT_EQ(reading.bounds.rows[0].limit, OpLimit::kCompute);
  EXPECT_EQ(reading.bounds.rows[0].model, LimitModel::kCounters);
  EXPECT_NEAR(static_cast<double>(reading.bounds.rows[0].percent), 42, 1e-3);
  EXPECT_EQ(reading.bounds.rows[1].model, LimitModel::kShapes);
}

TEST(OpBounds, WaitsForBuffersDecideBeforeTheModel) {
  // By its shapes the matmul in DRAM is limited by DRAM; by its waits it is not.
  const auto bound = [](const Cells& cells, bool are_means) {
    OpsCsv csv;
    csv.matmul("DEV_0_DRAM_INTERLEAVED", cells);
    OpsReport table = csv.table();
    table.cb_waits_are_means = are_means;
    return reading_of(table).bounds.rows[0];
  };
  const std::string waits = "DEVICE COMPUTE CB WAIT FRONT [ns]";
  const OpBound modelled = bound({}, true);
  EXPECT_EQ(modelled.model, LimitModel::kShapes);
  EXPECT_EQ(modelled.limit, OpLimit::kDram);
  const OpBound computes = bound({{waits, "500"}}, true);
  EXPECT_EQ(computes.limit, OpLimit::kCompute);
  EXPECT_EQ(computes.model, LimitModel::kWaits);
  EXPECT_EQ(computes.figure, LimitModel::kShapes);
  const OpBound moves = bound({{waits, "8000"}, {"MATH Util Median (%)", "90"}}, true);
  EXPECT_EQ(moves.limit, OpLimit::kDram);
  EXPECT_EQ(moves.model, LimitModel::kWaits);
  // The reference writes the sum over all cores: 64 cores of 10 us that wait 8 us each.
  EXPECT_EQ(bound({{waits, "512000"}, {"CORE COUNT", "64"}}, false).model, LimitModel::kWaits);
  EXPECT_EQ(bound({{waits, "512000"}, {"CORE COUNT", "64"}}, false).limit, OpLimit::kDram);
  // 8 us may be the wait of each core or of all together: that decides nothing.
  EXPECT_EQ(bound({{waits, "8000"}, {"CORE COUNT", "64"}}, false).model, LimitModel::kShapes);
}

TEST(OpBounds, ZonesOfKernelsTellWhichSideWasDoneEarly) {
  const auto bound = [](const char* movers_ns, const char* compute_ns) {
    OpsCsv csv;
    csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"DEVICE BRISC KERNEL DURATION [ns]", movers_ns},
                                          {"DEVICE NCRISC KERNEL DURATION [ns]", movers_ns},
                                          {"DEVICE TRISC1 KERNEL DURATION [ns]", compute_ns}});
    return reading_of(csv.table()).bounds.rows[0];
  };
  EXPECT_EQ(bound("9000", "10000").model, LimitModel::kShapes);
  EXPECT_EQ(bound("1000", "10000").limit, OpLimit::kCompute);
  EXPECT_EQ(bound("1000", "10000").model, LimitModel::kZones);
  EXPECT_EQ(bound("10000", "1000").limit, OpLimit::kDram);
  EXPECT_EQ(bound("10000", "1000").model, LimitModel::kZones);
  EXPECT_TRUE(is_measured(LimitModel::kZones));
  EXPECT_FALSE(is_measured(LimitModel::kShapes));
}

TEST(OpBounds, CountersOfPortsAndNocTracesReplaceTheModelOfTheNoc) {
  OpsCsv csv;
  csv.op("Copy",
         {{"NOC Ring 0 Outgoing Util Median (%)", "30"}, {"NOC Ring 1 Incoming Util Median (%)", "70"}});
  csv.op("Copy");
  OpsReport table = csv.table();
  table.noc_core_bytes = {std::numeric_limits<float>::quiet_NaN(), 345600};
  const OpReading reading = reading_of(table);
  EXPECT_EQ(reading.bounds.rows[0].limit, OpLimit::kNoc);
  EXPECT_EQ(reading.bounds.rows[0].model, LimitModel::kCounters);
  EXPECT_NEAR(static_cast<double>(reading.bounds.rows[0].percent), 70, 1e-3);
  // 345,600 bytes over one port of 64 bytes a cycle at 1350 MHz take 4 us.
  EXPECT_EQ(reading.bounds.rows[1].limit, OpLimit::kNoc);
  EXPECT_EQ(reading.bounds.rows[1].model, LimitModel::kNocTrace);
  EXPECT_NEAR(static_cast<double>(reading.bounds.rows[1].ideal_us), 4, 1e-3);
}

TEST(OpPeaks, WormholeLoFiIs4096FlopsACycleAndNothingIsAbovePeak) {
  // 2 * 1024 * 1024 * 1024 operations on 64 cores at 1 GHz take at least 8.192 us.
  const Cells shape = {{"DEVICE ARCH", "wormhole_b0"},          {"MATH FIDELITY", "LoFi"},
                       {"INPUT_0_Y_PAD[LOGICAL]", "1024"},      {"OUTPUT_0_Y_PAD[LOGICAL]", "1024"},
                       {"DEVICE FW START CYCLE", "1000"},       {"DEVICE FW END CYCLE", "9623"},
                       {"DEVICE KERNEL DURATION [ns]", "8623"}, {"AVAILABLE WORKER CORE COUNT", "64"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_L1_BLOCK_SHARDED", shape).table();
  EXPECT_NEAR(reading_of(table).ops.rows[0].flops_percent, 95, 0.01);
  Cells faster = shape;
  faster["DEVICE FW END CYCLE"] = "8600";
  faster["DEVICE KERNEL DURATION [ns]"] = "7600";
  const OpReading above = reading_of(OpsCsv().matmul("DEV_0_L1_BLOCK_SHARDED", faster).table());
  EXPECT_FALSE(has_number(above.ops.rows[0].flops_percent));
  EXPECT_EQ(above.bounds.rows[0].percent, 0);
}

TEST(Advice, AMatmulOnTwoCoresIsToldSoWithBothBounds) {
  const OpsReport table =
      OpsCsv()
          .matmul("DEV_0_L1_WIDTH_SHARDED", {{"CORE COUNT", "2"}, {"DEVICE KERNEL DURATION [ns]", "30000"}})
          .table();
  const OpReading reading = reading_of(table);
  const OpAdvice* few = advice_of(reading, AdviceCause::kFewCores);
  ASSERT_NE(few, nullptr);
  EXPECT_GT(few->ideal_us, few->all_cores_us);
  EXPECT_THAT(advice_title(table, reading, *few), HasSubstr("runs on 2 of 110 cores"));
  EXPECT_THAT(advice_detail(table, reading, *few), HasSubstr("with all cores"));
}

TEST(Advice, AnyProgramConfigIsOneAndAccuracyIsNoSpeed) {
  const Cells minimal = {{"ATTRIBUTES", "{'config': 'MinimalMatmulConfig(M_block_size=8;K_block_size=8)'}"},
                         {"MATH FIDELITY", "LoFi"},
                         {"DEVICE KERNEL DURATION [ns]", "400000"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED", minimal).table();
  const OpReading reading = reading_of(table);
  const OpAdvice* matmul = advice_of(reading, AdviceCause::kMatmulBelowPeak);
  ASSERT_NE(matmul, nullptr);
  const std::string detail = advice_detail(table, reading, *matmul);
  EXPECT_EQ(detail.find("chose its program config"), std::string::npos) << detail;
  EXPECT_EQ(detail.find("accuracy"), std::string::npos) << detail;
}

TEST(Movement, SplitsConversionsByWhoCanRemoveThemAndAddsUp) {
  OpsCsv csv;
  csv.matmul("DEV_0_L1_WIDTH_SHARDED");
  csv.matmul("DEV_0_DRAM_INTERLEAVED",
             {{"OP CODE", "TilizeWithValPadding"}, {"DEVICE KERNEL DURATION [ns]", "819000"}});
  csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"OP CODE", "ReshapeViewDeviceOperation"}});
  csv.op("PagedUpdateCacheDeviceOperation").op("AllGather").op("NLPConcatHeads");
  const OpsReport table = csv.table();
  const OpReading reading = reading_of(table);
  const MovementBudget& budget = reading.movement;
  EXPECT_NEAR(std::accumulate(budget.device_us.begin(), budget.device_us.end(), 0.0), reading.ops.device_us,
              1e-9);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kLayout), 819);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kStructural), 20);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kComputes), 10);
  ASSERT_FALSE(budget.conversions.empty());
  EXPECT_DOUBLE_EQ(budget.conversions[0].device_us, 819);
  EXPECT_NE(advice_of(reading, AdviceCause::kSlowConversion), nullptr) << "slow whatever else is advised";
  EXPECT_NE(advice_of(reading, AdviceCause::kViewCostsTime), nullptr);
}

TEST(OpCategory, NamesThatNoListKnowsGoByWhatTheyDoAndAreNamed) {
  OpsCsv csv;
  const Cells compute = {{"DEVICE TRISC1 KERNEL DURATION [ns]", "9000"},
                         {"DEVICE BRISC KERNEL DURATION [ns]", "9000"}};
  const Cells mover = {{"DEVICE BRISC KERNEL DURATION [ns]", "9000"}, {"OUTPUT_0_Y_PAD[LOGICAL]", "64"}};
  csv.matmul("DEV_0_L1_INTERLEAVED", compute);
  Cells fancy = compute;
  fancy["OP CODE"] = "FancyThing";
  csv.matmul("DEV_0_L1_INTERLEAVED", fancy);
  Cells strange = mover;
  strange["OP CODE"] = "StrangeThing";
  csv.matmul("DEV_0_L1_INTERLEAVED", strange);
  const OpsReport table = csv.table();
  const OpReading reading = reading_of(table);
  EXPECT_EQ(reading.ops.facts_of(table, reading.ops.rows[1]).category, OpCategory::kCompute);
  EXPECT_EQ(reading.ops.facts_of(table, reading.ops.rows[2]).category, OpCategory::kDm);
  EXPECT_EQ(reading.ops.unclassified, (std::vector<std::string>{"FancyThing", "StrangeThing"}));
}

}  // namespace
}  // namespace ttscope::perf
