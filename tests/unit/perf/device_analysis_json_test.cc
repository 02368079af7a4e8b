#include "perf/write/device_stats.h"

#include <gtest/gtest.h>

#include <random>

#include "base/json_reader.h"
#include "support/device_analysis_text.h"
#include "support/perf_lines.h"

namespace ttscope::perf {
namespace {

using testing::kLogHead;
using testing::risc_lines;
using testing::zone_lines;

JsonTree analysis_of(const std::string& log, bool compat) {
  const auto profile = read_device_log(log, {.unwrap = !compat});
  EXPECT_TRUE(profile.has_value());
  const auto tree =
      parse_json_tree(profile ? testing::device_analysis_text(*profile, log, compat) : "", "analysis");
  EXPECT_TRUE(tree.has_value());
  return tree ? *tree : JsonTree();
}

/// The member at the end of this way; null if there is none.
JsonTree at(const JsonTree& tree, const std::vector<std::string>& way) {
  const JsonTree* found = &tree;
  for (const std::string& key : way) {
    found = found->find(key);
    if (found == nullptr) return {};
  }
  return *found;
}
JsonTree core_at(const JsonTree& tree, const std::string& core, std::vector<std::string> way) {
  way.insert(way.begin(), {"data", "devices", "0", "cores", core});
  return at(tree, way);
}

/// Two ops on two cores.
std::string two_ops() {
  return kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
         risc_lines("0,1,1", "NCRISC", "1024,,", 1010, 1900) +
         risc_lines("0,1,1", "BRISC", "2048,,", 3000, 4000) +
         risc_lines("0,1,2", "BRISC", "1024,,", 1005, 2100) +
         risc_lines("0,1,2", "BRISC", "2048,,", 3005, 4100);
}

TEST(DeviceAnalysisJson, TotalsAreTheSumsOfTheirParts) {
  for (const bool compat : {false, true}) {
    const JsonTree tree = analysis_of(two_ops(), compat);
    std::int64_t gaps = 0;
    for (const char* core : {"(1, 1)", "(1, 2)"}) {
      const JsonTree series = core_at(tree, core, {"riscs", "TENSIX", "analysis", "op2op", "series"});
      for (const JsonTree& sample : series.items())
        gaps += at(sample, {"duration_cycles"}).whole_number().value();
    }
    // From 1950 to 3100 and from 2050 to 3105.
    EXPECT_EQ(gaps, 1150 + 1055);
    EXPECT_EQ(core_at(tree, "DEVICE", {"analysis", "op2op", "stats", "Sum"}).whole_number(), gaps);
    EXPECT_EQ(core_at(tree, "DEVICE", {"analysis", "op2op", "stats", "Count"}).whole_number(), 2);
    std::int64_t kernels = 0;
    const JsonTree ops = core_at(tree, "DEVICE", {"riscs", "TENSIX", "ops"});
    ASSERT_EQ(ops.items().size(), 2u);
    for (const JsonTree& op : ops.items())
      kernels += at(op, {"analysis", "device_kernel_duration", "stats", "Sum"}).whole_number().value();
    EXPECT_EQ(kernels, (2050 - 1100) + (4050 - 3100));
    EXPECT_EQ(core_at(tree, "DEVICE", {"analysis", "device_kernel_duration", "stats", "Sum"}).whole_number(),
              kernels);
    EXPECT_EQ(core_at(tree, "DEVICE", {"analysis", "device_kernel_duration_per_core", "stats", "Count"})
                  .whole_number(),
              4);
  }
}

TEST(DeviceAnalysisJson, RepeatsMarkersOnlyForTheReference) {
  const auto profile = read_device_log(two_ops(), {});
  const auto count_of = [&](bool compat) {
    // Tuples begin lines; duration_type and the marks of iterations stand behind a key.
    const std::string text = testing::device_analysis_text(*profile, two_ops(), compat);
    std::size_t count = 0;
    for (std::size_t place = text.find(" \"({'id'"); place != std::string::npos;
         place = text.find(" \"({'id'", place + 1)) {
      count += text[place - 1] == ' ' ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(count_of(false), 20u);
  EXPECT_EQ(count_of(true), 20u * 6);
}

TEST(DeviceAnalysisJson, NamesExecutionsOtherwise) {
  const JsonTree ops = core_at(analysis_of(two_ops(), false), "DEVICE", {"riscs", "TENSIX", "ops"});
  ASSERT_EQ(ops.items().size(), 2u);
  EXPECT_EQ(at(ops.items()[1], {"run_host_id"}).whole_number(), 2048);
  EXPECT_EQ(at(ops.items()[1], {"trace_id"}).whole_number(), -1);
  EXPECT_EQ(at(ops.items()[1], {"core_count"}).whole_number(), 2);
}

TEST(DeviceAnalysisJson, AnExecutionThatIsNotWholeIsKeptOtherwise) {
  // The second core of the last op has no end of its firmware.
  const std::string log =
      two_ops() + testing::marker_line({"0,1,3,BRISC", "2048,,", "BRISC-FW", 3010, 0, ""}, true);
  EXPECT_EQ(core_at(analysis_of(log, false), "DEVICE", {"riscs", "TENSIX", "ops"}).items().size(), 2u);
  EXPECT_EQ(core_at(analysis_of(log, true), "DEVICE", {"riscs", "TENSIX", "ops"}).items().size(), 1u);
}

TEST(DeviceAnalysisJson, DispatchCoresAndEvents) {
  const std::string wait = "{\"workers_runtime_id\":7;\"dispatch_command_type\":\"CQ_DISPATCH_CMD_WAIT\"}";
  const std::string log = kLogHead +
                          testing::marker_line({"0,0,1,BRISC", "0,,", "CQ-DISPATCH", 10, 0, ""}, true) +
                          "0,0,1,BRISC,9,15,77,0,,,process_cmd,TS_DATA,3,cq.cc," + wait + "\n" +
                          testing::marker_line({"0,0,1,BRISC", "0,,", "CQ-DISPATCH", 0, 60, ""}, false);
  for (const bool compat : {false, true}) {
    const JsonTree tree = analysis_of(log, compat);
    const JsonTree merged = core_at(tree, "DEVICE", {"riscs", "TENSIX"});
    const JsonTree dispatched = at(merged, {"dispatch_ops"});
    ASSERT_EQ(dispatched.items().size(), 1u);
    EXPECT_EQ(at(dispatched.items()[0], {"analysis", "dispatch_total_cq_cmd_op_time", "stats", "Sum"})
                  .whole_number(),
              50);
    const JsonTree events = at(merged, {"events", "perf_counter_data"});
    ASSERT_EQ(events.items().size(), 1u);
    EXPECT_NE(events.items()[0].content().find(", 15, 77, 'BRISC', (0, 1))"), std::string::npos);
    // Only the reference calls the zone by its command.
    const JsonTree rows = core_at(tree, "(0, 1)", {"riscs", "BRISC", "timeseries"});
    ASSERT_EQ(rows.items().size(), 3u);
    EXPECT_EQ(rows.items()[0].content().find("'CQ-DISPATCH'") == std::string::npos, compat);
  }
}

TEST(DeviceAnalysisJson, ContinuesTimersThatBeganAgain) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 44;
  const std::string log = kLogHead + zone_lines({"0,1,1,BRISC", "1024,,", "BRISC-FW", kEnd - 100, 200, ""}) +
                          zone_lines({"0,1,1,NCRISC", "1024,,", "NCRISC-FW", 10, 90, ""});
  const std::vector<std::string> way = {"analysis", "device_fw_duration", "stats", "Sum"};
  EXPECT_EQ(core_at(analysis_of(log, false), "DEVICE", way).whole_number(), 300);
}

TEST(DeviceAnalysisJson, SaysWithWhatItWasMade) {
  const JsonTree tree = analysis_of(kLogHead, false);
  EXPECT_EQ(at(tree, {"setup", "deviceInputLog"}).content(), "log.csv");
  EXPECT_EQ(at(tree, {"setup", "timerAnalysis"}).items().size(), 21u);
  EXPECT_TRUE(at(tree, {"setup", "deviceTarball"}).is(JsonTree::Kind::kNull));
  EXPECT_EQ(at(tree, {"data", "devices"}).items().size(), 0u);
  EXPECT_EQ(at(tree, {"data", "deviceInfo", "max_compute_cores"}).whole_number(), 64);
}

TEST(DeviceAnalysisJson, DamagedLogsGiveValidDocuments) {
  const std::string whole =
      two_ops() + zone_lines({"0,1,1,TENSIX", "1024,,", "it's \"one\"", 5, 6, "{\"workers_runtime_id\":7"}) +
      "0,1,1,TRISC_0,7,1200,99999999999999999999999,1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,1,k.cc,\n" +
      "0,1,1,TRISC_0,7,1201,none,1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,x,k.cc,\n";
  std::mt19937 random(3);
  for (std::size_t size = kLogHead.size(); size <= whole.size(); size += 13) {
    std::string log = whole.substr(0, size);
    for (int i = 0; i < 3 && size > kLogHead.size(); ++i)
      log[kLogHead.size() + random() % (size - kLogHead.size())] = static_cast<char>(random() % 256);
    for (const bool compat : {false, true}) analysis_of(log, compat);
  }
}

}  // namespace
}  // namespace ttscope::perf
