// The table of ops. Where it differs from tt-perf-report 1.2.4, a test says why.
#include "perf/analyze/shown_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "perf/analyze/op_groups.h"
#include "perf/analyze/window.h"
#include "perf/compat/shown_ops.h"
#include "perf/compat/write.h"
#include "perf/read/ops_report.h"
#include "perf/write/notes_text.h"
#include "perf/write/table_csv.h"
#include "support/ops_csv.h"

namespace ttscope::perf {
namespace {

using testing::Cells;
using ::testing::HasSubstr;
using testing::OpsCsv;

ShownOptions whole_file() {
  ShownOptions options;
  options.ignore_signposts = true;
  return options;
}

ShownOps table_of(const OpsReport& table, const ShownOptions& options) {
  Result<ShownOps> ops = find_shown_ops(table, options);
  EXPECT_TRUE(ops.has_value()) << (ops ? "" : ops.error().message);
  return std::move(*ops);
}

TEST(ShownOps, MatmulFiguresAreThoseOfAnIndependentCalculation) {
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED").table();
  const ShownOps ops = table_of(table, whole_file());
  const ShownOp& row = ops.rows.at(0);
  EXPECT_EQ(ops.facts_of(table, row).label, "Matmul 32 x 1024 x 1024");
  // 2 * 32 * 1024 * 1024 operations in 10 us; 2 bytes for each element of the three tensors.
  EXPECT_DOUBLE_EQ(row.tflops, 2.0 * 32 * 1024 * 1024 / 10e-6 / 1e12);
  EXPECT_DOUBLE_EQ(row.dram_gb_s, 2.0 * (32 * 1024 + 1024 * 1024 + 32 * 1024) / 10e-6 / 1e9);
  EXPECT_DOUBLE_EQ(row.dram_percent, row.dram_gb_s / 512 * 100);
  EXPECT_NEAR(row.flops_percent, row.tflops / (4096 * 1.35e9 / 4 / 1e12 * 64) * 100, 1e-9);
}

TEST(ShownOps, AMatmulWithoutOperandsInDramIsNotCalledOptimized) {
  // The reference leaves its bound empty and prints "Optimized", here at 7.6 % of the peak.
  const OpsReport table = OpsCsv().matmul("DEV_0_L1_WIDTH_SHARDED").table();
  const ShownOps theirs = compat::find_shown_ops(table, whole_file());
  EXPECT_EQ(theirs.rows[0].bound, ShownBound::kNone);
  EXPECT_TRUE(compat::matmul_sentences(table, theirs, theirs.rows[0]).empty());
  const ShownOps ours = table_of(table, whole_file());
  EXPECT_EQ(ours.rows[0].bound, ShownBound::kSlow);
  EXPECT_EQ(matmul_remarks(table, ours, ours.rows[0]).at(0), MatmulRemark::kNoProgramConfig);
}

TEST(ShownOps, TimeOfCompilationIsNotPartOfTotalPercent) {
  // Each program runs twice; the first run waits half a second for its compilation. The reference gives such
  // rows nearly all of the time.
  OpsCsv csv;
  csv.op("A").op("B", {{"OP TO OP LATENCY [ns]", "500000000"}}).op("A").op("B");
  const OpsReport table = csv.table();
  const ShownOps theirs = compat::find_shown_ops(table, whole_file());
  EXPECT_GT(theirs.rows[1].total_percent, 99);
  ShownOptions options = whole_file();
  options.keep_warm_up = true;
  const ShownOps ours = table_of(table, options);
  EXPECT_DOUBLE_EQ(ours.compile_us, 500000);
  EXPECT_NEAR(ours.rows[1].total_percent, 100.0 * 10 / 42, 1e-2);
  double sum = 0;
  for (const ShownOp& row : ours.rows) sum += row.total_percent;
  EXPECT_NEAR(sum, 100, 1e-9);
  EXPECT_DOUBLE_EQ(ours.gap_us, 500002);  // it is still shown as a gap
}

TEST(ShownOps, BlockFloatsHaveTheirExponents) {
  // A tile of BFLOAT8_B is 1088 bytes, of BFLOAT4_B 576; the reference counts 1024 and 512.
  const Cells weights = {
      {"INPUT_1_DATATYPE", "BFLOAT8_B"}, {"INPUT_0_MEMORY", "DEV_0_L1"}, {"OUTPUT_0_MEMORY", "DEV_0_L1"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED", weights).table();
  EXPECT_DOUBLE_EQ(table_of(table, whole_file()).rows[0].dram_gb_s, 1024 * 1088 / 10e-6 / 1e9);
  EXPECT_DOUBLE_EQ(compat::find_shown_ops(table, whole_file()).rows[0].dram_gb_s, 1024 * 1024 / 10e-6 / 1e9);
  EXPECT_DOUBLE_EQ(datatype_bytes("BFLOAT4_B", true), 576.0 / 1024);
  EXPECT_DOUBLE_EQ(datatype_bytes("FLOAT32", true), 4);
}

TEST(ShownOps, PeaksFollowTheRecordedClock) {
  // 800 MHz: the reference always takes 1350.
  const Cells slow = {{"DEVICE FW START CYCLE", "0"}, {"DEVICE FW END CYCLE", "8000"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_L1", slow).table();
  const ShownOps ours = table_of(table, whole_file());
  EXPECT_EQ(ours.peaks.clock_mhz, 800);
  EXPECT_NEAR(ours.rows[0].flops_percent / compat::find_shown_ops(table, whole_file()).rows[0].flops_percent,
              1350.0 / 800, 1e-9);
}

TEST(ShownOps, NoClockNoPercentageOfCompute) {
  const OpsReport table = OpsCsv().without("DEVICE FW START CYCLE").matmul("DEV_0_DRAM_INTERLEAVED").table();
  const ShownOps ops = table_of(table, whole_file());
  EXPECT_FALSE(has_number(ops.rows[0].flops_percent));
  EXPECT_TRUE(has_number(ops.rows[0].tflops));
  EXPECT_TRUE(has_number(ops.rows[0].dram_percent));  // the DRAM has a clock of its own
}

TEST(ShownOps, TheClockTellsAnArchitectureThatIsNotRecorded) {
  // The reference takes Wormhole, whose clock of 1000 MHz is not the recorded one.
  const OpsReport table =
      OpsCsv().without("DEVICE ARCH").without("AVAILABLE WORKER CORE COUNT").matmul("DEV_0_L1").table();
  EXPECT_EQ(table_of(table, whole_file()).peaks.arch, "blackhole");
  EXPECT_FALSE(table_of(table, whole_file()).peaks.arch_is_recorded);
  EXPECT_EQ(compat::find_shown_ops(table, whole_file()).peaks.arch, "wormhole");
}

TEST(ShownOps, TheUserKnowsTheArchitectureBetter) {
  ShownOptions options = whole_file();
  options.arch = "p100";
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED").table();
  EXPECT_EQ(table_of(table, options).peaks.dram_gb_s, 448);
  EXPECT_EQ(compat::find_shown_ops(table, options).peaks.dram_gb_s,
            512);  // the reference ignores the option on such files
}

TEST(ShownOps, HiFi3IsKnownAndOtherFidelitiesAreNoCrash) {
  const OpsReport table = OpsCsv()
                              .matmul("DEV_0_L1", {{"MATH FIDELITY", "HiFi3"}})
                              .matmul("DEV_0_L1", {{"MATH FIDELITY", "HiFi9"}})
                              .table();
  const ShownOps ops = table_of(table, whole_file());
  EXPECT_NEAR(ops.rows[0].flops_percent, ops.rows[0].tflops / (4096 * 1.35e9 / 3 / 1e12 * 64) * 100, 1e-9);
  EXPECT_FALSE(has_number(ops.rows[1].flops_percent));
}

TEST(ShownOps, ADramShardedMatmulComputesAtTheBanksOfItsDevice) {
  // The reference takes the twelve of Wormhole for every device, so FLOPs % of Blackhole is a third too low.
  const Cells sharded = {
      {"ATTRIBUTES", "program_config MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED", sharded).table();
  const auto cores = [&](const std::string& arch, bool is_compat) {
    ShownOptions options = whole_file();
    options.arch = arch;
    const ShownOps ops = is_compat ? compat::find_shown_ops(table, options) : table_of(table, options);
    return ops.facts_of(table, ops.rows[0]).cores;
  };
  EXPECT_EQ(cores("", true), 12);
  EXPECT_EQ(cores("", false), 8);
  EXPECT_EQ(cores("p100", false), 7);
  EXPECT_EQ(cores("n300", false), 12);
  EXPECT_EQ(cores("n1", false), 64) << "not known: those of the row";
}

TEST(ShownOps, Fp32IsNotAdvisedAsBfp8) {
  // In the reference 23 bits of mantissa count as "at least the seven of BFP8": HiFi2 would be sufficient.
  const Cells fp32 = {
      {"INPUT_0_DATATYPE", "FLOAT32"}, {"INPUT_1_DATATYPE", "FLOAT32"}, {"OUTPUT_0_DATATYPE", "FLOAT32"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED", fp32).table();
  const auto verdict = [&](const ShownOps& ops) {
    return ops.facts_of(table, ops.rows[0]).fidelity_advice.verdict;
  };
  EXPECT_EQ(verdict(compat::find_shown_ops(table, whole_file())), FidelityVerdict::kTooHigh);
  EXPECT_EQ(verdict(table_of(table, whole_file())), FidelityVerdict::kSufficient);
}

TEST(ShownOps, TheUsualWindowFollowsTheLastSignpostNotTheFirstOfItsName) {
  // Three iterations between start and end. The reference announces "end" and takes all that follows its
  // first occurrence: two iterations.
  OpsCsv csv;
  for (int i = 0; i < 3; ++i) csv.signpost("start").op("A").op("B").signpost("end");
  const OpsReport table = csv.table();
  ShownOptions options;
  const ShownOps ours = table_of(table, options);
  EXPECT_EQ(ours.device_ops, 2u);
  EXPECT_EQ(table.rows[ours.rows[0].row].id, 11u);
  EXPECT_EQ(compat::find_shown_ops(table, options).device_ops, 4u);
}

TEST(ShownOps, TheUsualWindowHasDeviceDataWhereThereAreAny) {
  const auto unmeasured = [](OpsCsv& csv) { csv.op("X", {{"DEVICE KERNEL DURATION [ns]", ""}}); };
  OpsCsv csv;
  csv.signpost("start").op("A").op("B").signpost("lost");
  unmeasured(csv);
  const OpsReport table = csv.table();
  EXPECT_EQ(table_of(table, {}).device_ops, 2u);
  OpsCsv outside;
  outside.op("A").signpost("lost");
  unmeasured(outside);
  const OpsReport lost = outside.table();
  const ShownOps ops = table_of(lost, {});
  EXPECT_EQ(ops.device_ops, 1u);
  EXPECT_TRUE(std::any_of(ops.notes.begin(), ops.notes.end(),
                          [](const OpNote& note) { return note.kind == NoteKind::kStretchWithoutTimes; }));
}

TEST(ShownOps, AnUnknownSignpostIsAnErrorThatNamesTheKnownOnes) {
  const OpsReport table = OpsCsv().signpost("warm").op("A").signpost("run").op("B").table();
  ShownOptions options;
  options.start_signpost = "nope";
  const Result<ShownOps> ops = find_shown_ops(table, options);
  ASSERT_FALSE(ops.has_value());
  EXPECT_THAT(ops.error().message, HasSubstr("there are: warm, run"));
  // The reference takes another window and says so.
  const ShownOps theirs = compat::find_shown_ops(table, options);
  EXPECT_TRUE(std::any_of(theirs.notes.begin(), theirs.notes.end(),
                          [](const OpNote& note) { return note.kind == NoteKind::kNoStartSignpost; }));
}

/// Hosts were one stretch of rows before: the window of one of them hid the devices of the others.
TEST(ShownOps, EveryHostHasAWindowOfItsOwn) {
  const Cells other = {{"DEVICE ID", "1"}};
  const std::string text = OpsCsv().op("A").signpost("s").op("B").op("B", other).signpost("e").op("C").text();
  OpsReport table;
  ASSERT_TRUE(read_ops_report({"a", text, "left"}, table));
  ASSERT_TRUE(read_ops_report({"b", text, "right"}, table));
  finish_ops_report(table);
  ShownOptions options;
  options.start_signpost = "s";
  options.end_signpost = "e";
  options.no_merge_devices = true;
  EXPECT_EQ(table_of(table, options).device_ops, 4U) << "two of each host";
  options.start_signpost = "nope";
  const Result<ShownOps> ops = find_shown_ops(table, options);
  ASSERT_FALSE(ops.has_value());
  EXPECT_THAT(ops.error().message, HasSubstr("left: --start-signpost nope: no such signpost"));
}

TEST(ShownOps, NamedSignpostsSetTheWindow) {
  const OpsReport table =
      OpsCsv().op("A").signpost("s").op("B").signpost("s").op("C").signpost("e").op("D").table();
  ShownOptions options;
  options.start_signpost = "s";
  options.end_signpost = "e";
  EXPECT_EQ(table_of(table, options).device_ops, 2u);
  options.end_signpost = "s";
  EXPECT_EQ(table_of(table, options).device_ops, 1u);
  options.print_signposts = true;
  options.end_signpost = "e";
  EXPECT_EQ(table_of(table, options).signposts, 1u);
}

TEST(ShownOps, IdRangeClearsTheFirstGap) {
  const OpsReport table = OpsCsv().op("A").op("B").op("C").op("D").table();
  ShownOptions options = whole_file();
  options.first_id = 3;
  options.last_id = 4;
  const ShownOps ops = table_of(table, options);
  ASSERT_EQ(ops.rows.size(), 2u);
  EXPECT_FALSE(has_number(ops.rows[0].gap_us));
  EXPECT_TRUE(has_number(ops.rows[1].gap_us));
}

TEST(ShownOps, SeveralDevicesShowTheOneThatDecides) {
  // Device 1 is slower at the matmul; device 0 waits for it in the collective, which takes 1 us.
  OpsCsv csv;
  for (const char* device : {"0", "1"}) {
    const bool is_slow = device[0] == '1';
    csv.op("Matmul", {{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", is_slow ? "3000" : "1000"}});
    csv.op("AllGatherAsync",
           {{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", is_slow ? "1000" : "3000"}});
  }
  const OpsReport table = csv.table();
  const ShownOps ops = table_of(table, whole_file());
  ASSERT_EQ(ops.rows.size(), 2u);
  EXPECT_EQ(ops.rows[0].device_us, 3);
  EXPECT_EQ(ops.rows[1].device_us, 1) << "waiting is counted once, in the op that makes it";
  EXPECT_EQ(ops.groups.size(), 2u);
  ShownOptions options = whole_file();
  options.no_merge_devices = true;
  EXPECT_EQ(table_of(table, options).rows.size(), 4u);
}

TEST(ShownOps, AnOpThatOneDeviceLacksIsWarnedOfAndKept) {
  const OpsReport table =
      OpsCsv().op("A").op("A", {{"DEVICE ID", "1"}}).op("B").op("C").op("C", {{"DEVICE ID", "1"}}).table();
  const ShownOps ops = table_of(table, whole_file());
  EXPECT_EQ(ops.device_ops, 3u);
  const auto lacks = std::find_if(ops.notes.begin(), ops.notes.end(),
                                  [](const OpNote& note) { return note.kind == NoteKind::kOpOfSomeDevices; });
  ASSERT_NE(lacks, ops.notes.end());
  EXPECT_THAT(note_text(*lacks), HasSubstr("B at index 1 not present in CSV for 1 devices [1]"));
}

TEST(OpStack, DevicesApartAndGroupedByCategoryIsNoCrashAndInOrderOfNumbers) {
  // The reference fails with KeyError, and without grouping sorts 5.91 % before 42.53 %, as texts.
  OpsCsv csv;
  csv.op("Unary", {{"DEVICE KERNEL DURATION [ns]", "5000"}})
      .op("Matmul", {{"DEVICE KERNEL DURATION [ns]", "42000"}});
  csv.op("Tilize", {{"DEVICE KERNEL DURATION [ns]", "53000"}, {"DEVICE ID", "0"}});
  const OpsReport table = csv.table();
  ShownOptions options = whole_file();
  options.no_merge_devices = true;
  const ShownOps ops = table_of(table, options);
  const std::vector<StackEntry> entries = stack_ops(table, ops, {StackBy::kCategory, true, false});
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "TM");
  EXPECT_NEAR(entries[0].percent, 100.0 * (53 + 1) / 102, 1e-2) << "of the wall, with the gap before it";
  double sum = 0;
  for (const StackEntry& entry : entries) sum += entry.device_us;
  EXPECT_DOUBLE_EQ(sum, ops.device_us);
}

TEST(OpStack, NamesSayWhereTheFirstInputIs) {
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED").matmul("DEV_0_L1_WIDTH_SHARDED").table();
  const ShownOps ops = table_of(table, whole_file());
  const std::vector<StackEntry> entries = stack_ops(table, ops, {});
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "Matmul (in0:dram_interleaved)");
  EXPECT_EQ(entries[1].name, "Matmul (in0:width_sharded)");
}

TEST(OpStack, SignpostsOfOneNameAreOnePartOfTheModel) {
  // What users ask for: attention and MLP of all layers summed up, from signposts in the model's code.
  OpsCsv csv;
  csv.op("Embeddings");
  for (int layer = 0; layer < 2; ++layer) csv.signpost("attention").op("A").op("B").signpost("mlp").op("A");
  const OpsReport table = csv.table();
  const ShownOps ops = table_of(table, whole_file());
  const std::vector<StackEntry> entries = stack_ops(table, ops, {StackBy::kSignpost, false, false});
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].name, "attention");
  EXPECT_EQ(entries[0].ops, 4u);
  EXPECT_EQ(entries[1].name, "mlp");
  EXPECT_EQ(entries[2].name, "(before any signpost)");
  double sum = 0;
  for (const StackEntry& entry : entries) sum += entry.device_us;
  EXPECT_DOUBLE_EQ(sum, ops.device_us);
}

TEST(OpStack, ASignpostOfOneHostIsNotThatOfTheNext) {
  const std::string text = OpsCsv().op("A").signpost("decode").op("B").text();
  OpsReport table;
  for (const char* host : {"h0", "h1"}) ASSERT_TRUE(read_ops_report({host, text, host}, table));
  EXPECT_EQ(last_signposts(table), (std::vector<std::uint32_t>{0, 2, 2, 0, 5, 5}));
}

TEST(OpStack, ModulesAreThoseOfLocationsAndElseOfSignposts) {
  OpsCsv csv;
  csv.op("A", {{"LOC", "loc(\"model.layers.0.mlp/dot.1\")"}})
      .op("A", {{"LOC", "loc(\"model.layers.1.mlp/dot.1\")"}});
  csv.row({{"OP CODE", "block 3 start"}, {"OP TYPE", "signpost"}}).op("B").op("B");
  const OpsReport table = csv.table();
  const ShownOps ops = table_of(table, whole_file());
  const std::vector<StackEntry> stack = stack_ops(table, ops, {StackBy::kModule, false, false});
  std::map<std::string, std::uint64_t> counts;
  double sum = 0;
  for (const StackEntry& entry : stack) {
    counts[entry.name] = entry.ops;
    sum += entry.device_us;
  }
  EXPECT_EQ(counts, (std::map<std::string, std::uint64_t>{{"model.layers.*.mlp", 2}, {"block *", 2}}));
  EXPECT_DOUBLE_EQ(sum, ops.device_us);
}

TEST(ReferenceSort, LeavesEqualTimesAsNumpyDoes) {
  // Results of numpy 1.24: argsort(kind="quicksort").
  const auto sorted = [](auto time_of) {
    OpsReport table;
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < 40; ++i) {
      table.rows.emplace_back().host_start_ns = time_of(i);
      rows.push_back(i);
    }
    compat::sort_by_host_time(table, rows);
    return rows;
  };
  EXPECT_EQ(sorted([](std::uint32_t i) { return static_cast<double>(i / 4); }),
            (std::vector<std::uint32_t>{0,  1,  2,  3,  4,  5,  6,  7,  11, 10, 8,  9,  15, 12,
                                        13, 14, 18, 19, 16, 17, 20, 21, 22, 23, 24, 25, 26, 27,
                                        31, 30, 28, 29, 32, 33, 34, 35, 38, 36, 37, 39}));
  EXPECT_EQ(sorted([](std::uint32_t i) { return static_cast<double>(i * 7 % 10 / 2); }),
            (std::vector<std::uint32_t>{0,  33, 3,  30, 23, 20, 10, 13, 36, 29, 26, 16, 19, 6,
                                        9,  39, 35, 5,  15, 12, 25, 32, 2,  22, 1,  21, 8,  38,
                                        18, 28, 31, 11, 37, 34, 14, 24, 7,  17, 4,  27}));
  // Rows without a time come last.
  EXPECT_EQ(sorted([](std::uint32_t i) { return i == 0 ? kNoNumber : static_cast<double>(i); }).back(), 0u);
}

TEST(OpCategory, CollectivesAreApartAndUnknownNamesGoByTheirWords) {
  EXPECT_EQ(category_of("ReduceScatterDeviceOperation"), OpCategory::kCcl);
  EXPECT_EQ(compat::category_of("ReduceScatterDeviceOperation"), OpCategory::kDm);
  EXPECT_EQ(category_of("AllGatherMatmulAsync"), OpCategory::kCompute);
  for (const char* name : {"NeighborPadAsyncDeviceOperation", "SliceReshardAsync", "ReduceToRootOp"}) {
    EXPECT_EQ(category_of(name), OpCategory::kCcl) << name;
    EXPECT_TRUE(is_multi_device_op(name, "")) << name;
  }
  EXPECT_EQ(category_of("NeighborPadConv3dDeviceOperation"), OpCategory::kCompute);
  EXPECT_EQ(category_of("ReshardDeviceOperation"), OpCategory::kDm);
  EXPECT_EQ(category_of("SdpaDecodeDeviceOperation"), OpCategory::kCompute);
  EXPECT_EQ(compat::category_of("SdpaDecodeDeviceOperation"), OpCategory::kOther);
  EXPECT_EQ(category_of("Mystery"), OpCategory::kOther);
}

TEST(ShownOps, TransposedOperandsOfMatmulsCountedAsTheyLie) {
  const Cells weight = {{"ATTRIBUTES", "{'transpose_a': 'false'; 'transpose_b': 'true'}"},
                        {"INPUT_1_Y_PAD[LOGICAL]", "3072[3072]"},
                        {"INPUT_1_X_PAD[LOGICAL]", "1024[1024]"}};
  const Cells gradient = {{"ATTRIBUTES", "{'transpose_a': 'true'; 'transpose_b': 'false'}"},
                          {"INPUT_0_Y_PAD[LOGICAL]", "1024[1024]"},
                          {"INPUT_0_X_PAD[LOGICAL]", "64[64]"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_L1", weight).matmul("DEV_0_L1", gradient).table();
  const ShownOps ops = table_of(table, whole_file());
  EXPECT_EQ(ops.facts_of(table, ops.rows[0]).label, "Matmul 32 x 1024 x 3072");
  EXPECT_DOUBLE_EQ(ops.rows[0].tflops, 2.0 * 32 * 1024 * 3072 / 10e-6 / 1e12);
  EXPECT_EQ(ops.facts_of(table, ops.rows[1]).label, "Matmul 64 x 1024 x 1024");
}

TEST(ShownOps, OperandsTurnedBeforeTheMatmulWereTurnedTwice) {
  const auto cells = [](const char* attributes, std::array<const char*, 6> sizes) {
    return Cells{{"ATTRIBUTES", attributes},           {"INPUT_0_Y_PAD[LOGICAL]", sizes[0]},
                 {"INPUT_0_X_PAD[LOGICAL]", sizes[1]}, {"INPUT_1_Y_PAD[LOGICAL]", sizes[2]},
                 {"INPUT_1_X_PAD[LOGICAL]", sizes[3]}, {"OUTPUT_0_Y_PAD[LOGICAL]", sizes[4]},
                 {"OUTPUT_0_X_PAD[LOGICAL]", sizes[5]}};
  };
  const char* turned_b = "{'transpose_a': 'false'; 'transpose_b': 'true'}";
  const char* turned_a = "{'transpose_a': 'true'; 'transpose_b': 'false'}";
  const char* turned_both = "{'transpose_a': 'true'; 'transpose_b': 'true'}";
  const OpsReport table =
      OpsCsv()
          // As older tt-metal writes them: what another op turned meets as it lies.
          .matmul("DEV_0_L1", cells(turned_b, {"32", "4096", "4096", "1024", "32", "1024"}))
          .matmul("DEV_0_L1", cells(turned_a, {"32", "4096", "4096", "1024", "32", "1024"}))
          .matmul("DEV_0_L1", cells(turned_both, {"32", "4096", "4096", "64", "32", "64"}))
          // Both ways meet: the output decides, then the attributes; a square operand is the same either way.
          .matmul("DEV_0_L1", cells(turned_both, {"32", "4096", "4096", "32", "32", "32"}))
          .matmul("DEV_0_L1", cells(turned_both, {"32", "4096", "4096", "32", "4096", "4096"}))
          .matmul("DEV_0_L1", cells(turned_both, {"32", "4096", "4096", "32", "", ""}))
          .matmul("DEV_0_L1", cells(turned_b, {"32", "4096", "4096", "4096", "32", "4096"}))
          // Neither way meets, as where another device has the rest: the tensors as they lie.
          .matmul("DEV_0_L1", cells(turned_b, {"32", "512", "4096", "1024", "32", "1024"}))
          .table();
  const ShownOps ops = table_of(table, whole_file());
  std::vector<std::string> labels;
  for (const ShownOp& row : ops.rows) labels.push_back(ops.facts_of(table, row).label);
  EXPECT_EQ(labels, (std::vector<std::string>{"Matmul 32 x 4096 x 1024", "Matmul 32 x 4096 x 1024",
                                              "Matmul 32 x 4096 x 64", "Matmul 32 x 4096 x 32",
                                              "Matmul 4096 x 32 x 4096", "Matmul 4096 x 32 x 4096",
                                              "Matmul 32 x 4096 x 4096", "Matmul 32 x 512 x 1024"}));
  EXPECT_DOUBLE_EQ(ops.rows[0].tflops, 2.0 * 32 * 4096 * 1024 / 10e-6 / 1e12);
}

TEST(ShownOps, SparseMatmulsCountTheirActiveExperts) {
  const Cells experts = {{"OP CODE", "SparseMatmulDeviceOperation"}, {"INPUT_1_Z_PAD[LOGICAL]", "32[32]"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_L1", experts).table();
  ShownOptions options = whole_file();
  EXPECT_FALSE(has_number(table_of(table, options).rows[0].tflops));
  options.active_experts = 4;
  const ShownOps ops = table_of(table, options);
  EXPECT_EQ(ops.facts_of(table, ops.rows[0]).label,
            "SparseMatmulDeviceOperation active=4/32 x 32 x 1024 x 1024");
  EXPECT_DOUBLE_EQ(ops.rows[0].tflops, 4 * 2.0 * 32 * 1024 * 1024 / 10e-6 / 1e12);
}

}  // namespace
}  // namespace ttscope::perf
