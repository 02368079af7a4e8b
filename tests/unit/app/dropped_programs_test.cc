// What is said of buffers that were full, held against a profiler whose buffers are filled here.
#include "app/trace/log_remedies.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

constexpr std::array<const char*, 2> kLanes = {"BRISC", "NCRISC"};
using LaneWords = std::array<std::uint64_t, kLanes.size()>;  ///< of a program; 0: it does not run there

/// A run: what its programs take by kind, which ran in which order, and how often the profiler was read.
struct Run {
  std::vector<LaneWords> kinds;
  std::vector<std::size_t> programs;
  std::size_t read_every = SIZE_MAX;
};

/// What such a run leaves with a support count.
struct Left {
  std::string device_log =
      "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 80\n"
      "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host "
      "ID, "
      "trace id, trace id counter, zone name, type, source line, source file, meta data\n";
  std::string messages = "MessageName;total_ns\n";
  std::string output;
};

std::string rows_of(std::size_t program, std::size_t lane, std::uint64_t words) {
  const std::string risc = kLanes[lane];
  std::uint64_t time = (program + 1) * 1'000'000;
  std::string rows;
  const auto row = [&](const std::string& zone, const char* type) {
    rows +=
        fmt::format("0,1,1,{},7,{},0,{},,,{},{},1,a.cc,\n", risc, time++, (program + 1) * 1024, zone, type);
  };
  row(risc + "-FW", "ZONE_START");
  row(risc + "-KERNEL", "ZONE_START");
  for (std::uint64_t taken = 12; taken + 3 < words; taken += 4) {
    row("WORK", "ZONE_START");
    row("WORK", "ZONE_END");
  }
  row(risc + "-KERNEL", "ZONE_END");
  row(risc + "-FW", "ZONE_END");
  return rows;
}

Left run_with(const Run& run, std::uint64_t support_count) {
  Left left;
  const std::uint64_t capacity = 12 * support_count;
  LaneWords filled{};
  std::array<bool, kLanes.size()> dropped{};
  for (std::size_t i = 0; i <= run.programs.size(); ++i) {
    const bool reads = i == run.programs.size() || (i > 0 && i % run.read_every == 0);
    for (std::size_t lane = 0; lane < kLanes.size() && reads; ++lane) {
      if (dropped[lane])
        left.output += fmt::format(
            "warning: Profiler DRAM buffers were full, markers were dropped! device 0, worker core 1, 1, "
            "Risc "
            "{},  bufferEndIndex = {}. Please either\n",
            kLanes[lane], filled[lane]);
      filled[lane] = 0;
      dropped[lane] = false;
    }
    if (i == run.programs.size()) break;
    left.messages += fmt::format("`TT_DNN_DEVICE_OP: \"Op\", {}, 0, true, {}`;{}\n", 77 + run.programs[i],
                                 (i + 1) * 1024, (i + 1) * 1000);
    for (std::size_t lane = 0; lane < kLanes.size(); ++lane) {
      std::uint64_t words = run.kinds[run.programs[i]][lane];
      if (words == 0) continue;
      if (filled[lane] + words > capacity) {
        dropped[lane] = true;
        words = filled[lane] + 12 <= capacity ? 12 : 0;
      }
      filled[lane] += words;
      if (words > 0) left.device_log += rows_of(i, lane, words);
    }
  }
  return left;
}

DroppedPrograms read(const Left& left) {
  const testing::TempFolder folder;
  std::ofstream(folder.path() + "/profile_log_device.csv") << left.device_log;
  std::ofstream(folder.path() + "/tracy_ops_data.csv") << left.messages;
  return dropped_programs(folder.path(), drop_warnings_in(left.output));
}

/// The advised count suffices, and less by a tenth does not.
void expect_fitting(const Run& run, std::uint64_t support_count) {
  const Left left = run_with(run, support_count);
  const DroppedPrograms dropped = read(left);
  ASSERT_GT(dropped.fitting_count, support_count);
  EXPECT_FALSE(dropped.is_guessed);
  EXPECT_EQ(run_with(run, dropped.fitting_count).output, "");
  EXPECT_NE(run_with(run, dropped.fitting_count - dropped.fitting_count / 10 - 100).output, "")
      << dropped.fitting_count;
}

std::vector<std::size_t> repeated(const std::vector<std::size_t>& kinds, std::size_t times) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), kinds.begin(), kinds.end());
  return all;
}

TEST(DroppedPrograms, AdvisedCountTookProgramsForTheirLeast) {
  expect_fitting({{{16, 12}}, repeated({0}, 2500)}, 1000);
  const DroppedPrograms dropped = read(run_with({{{16, 16}}, repeated({0}, 2500)}, 1000));
  EXPECT_EQ(dropped.fitting_count, 3400u) << "3334, in hundreds";
  EXPECT_EQ(dropped.ops, 2500u);
  EXPECT_EQ(dropped.without_data, 1750u);
  EXPECT_EQ(dropped.kept, 750u);
}

TEST(DroppedPrograms, ProgramsOfSeveralSizesAndProcessors) {
  expect_fitting({{{16, 12}, {512, 16}, {12, 0}, {0, 200}}, repeated({0, 0, 1, 2, 3, 2}, 300)}, 1000);
  // The large ones come last: they are known by the first of them.
  std::vector<std::size_t> programs = repeated({1}, 5);
  const std::vector<std::size_t> small = repeated({0}, 800);
  programs.insert(programs.end(), small.begin(), small.end());
  const std::vector<std::size_t> large = repeated({1}, 100);
  programs.insert(programs.end(), large.begin(), large.end());
  expect_fitting({{{16, 12}, {256, 12}}, programs}, 1000);
}

TEST(DroppedPrograms, ReadsInBetweenBeginAgain) {
  expect_fitting({{{16, 16}}, repeated({0}, 6000), 1500}, 1000);
  expect_fitting({{{16, 16}, {256, 16}}, repeated({0, 0, 0, 1}, 1000), 600}, 1000);
}

TEST(DroppedPrograms, SizesOfProgramsThatWereNeverKeptAreGuessed) {
  std::vector<std::size_t> programs = repeated({0}, 1000);
  programs.resize(1500, 1);
  EXPECT_TRUE(read(run_with({{{16, 12}, {200, 12}}, programs}, 1000)).is_guessed);
  // Without marks of their own they have the least everywhere.
  expect_fitting({{{12, 12}}, repeated({0}, 2500)}, 1000);
}

TEST(DroppedPrograms, NothingIsKnownWithoutOps) {
  Left left = run_with({{{16, 16}}, repeated({0}, 1500)}, 1000);
  left.messages = "MessageName;total_ns\n";
  const DroppedPrograms dropped = read(left);
  EXPECT_EQ(dropped.fitting_count, 0u);
  const AdvisedCount advised = advised_support_count(dropped, drop_warnings_in(left.output));
  EXPECT_NE(advised.doubt, "");
  EXPECT_EQ(advised.count, 2000u);
}

TEST(DroppedPrograms, RunsThatLostNothing) {
  const Left left = run_with({{{16, 12}}, repeated({0}, 2500)}, 3400);
  EXPECT_EQ(drop_warnings_in(left.output).count, 0u);
  const DroppedPrograms dropped = read(left);
  EXPECT_EQ(dropped.ops, 2500u);
  EXPECT_EQ(dropped.without_data, 0u);
}

}  // namespace
}  // namespace ttscope::app
