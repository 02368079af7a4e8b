// What is advised after a run, by what it printed and what it was.
#include "app/trace/log_remedies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

constexpr const char* kOutOfSync = "warning: device zones will be out of sync";

TEST(LogRemedies, DevicesOfSeveralProcessesWereSaidToBeReadTooLate) {
  const auto remedies = remedies_for_log(
      "what the devices of process 12 did is not in the logs of this run: process 11 had them at that time\n",
      {});
  EXPECT_TRUE(std::any_of(remedies.begin(), remedies.end(), [](const LogRemedy& one) {
    return one.what.starts_with("several processes used devices at a time") &&
           one.remedy.find("one process at a time") != std::string::npos;
  }));
}

TEST(LogRemedies, ExchangesWereAdvisedForSimulatedChips) {
  TracedRunFacts facts;
  EXPECT_EQ(remedies_for_log("", facts).size(), 1u) << "real devices have a clock of their own";
  EXPECT_EQ(remedies_for_log(kOutOfSync, facts).size(), 2u);
  facts.simulated = true;
  EXPECT_TRUE(remedies_for_log("", facts).empty());
  EXPECT_TRUE(remedies_for_log(kOutOfSync, facts).empty());
}

TEST(LogRemedies, TheEndOfALongLogIsLookedAt) {
  const testing::TempFolder folder;
  TracedRunFacts facts;
  facts.simulated = true;
  EXPECT_TRUE(remedies_for_log_file(folder.path("none"), facts).empty());
  const std::string warning = "Source location hashes are colliding\n";
  const std::string rest(std::size_t{17} << 20, 'x');
  EXPECT_EQ(remedies_for_log_file(folder.file("end", rest + warning), facts).size(), 1u);
  EXPECT_TRUE(remedies_for_log_file(folder.file("begin", warning + rest), facts).empty());
}

TEST(SimulatedRun, IsKnownByItsExchangesElseByTheWordOfTheRuntime) {
  const testing::TempFolder folder;
  const std::string logs = folder.path();
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(logs + "/" + name) << text;
  };
  const std::string header =
      "device id,device_x,device_y,device,host_tracy,host_real,write_overhead,host_start,delay,frequency,"
      "tracy_ratio,tracy_base_time,device_frequency_ratio,device_shift\n";
  EXPECT_FALSE(uses_simulated_chips(logs));
  write("simulated_chips.txt", "\n");
  EXPECT_TRUE(uses_simulated_chips(logs));
  write("sync_device_info.csv", header + "0,1,1,100,5,5,1,10,0,1.0,1.0,7,,\n");
  EXPECT_FALSE(uses_simulated_chips(logs)) << "a word that an earlier run left";
  write("sync_device_info.csv", header + "0,1,1,100,5,5,1,10,0,1.0,1.0,0,,\n");
  EXPECT_TRUE(uses_simulated_chips(logs));
}

}  // namespace
}  // namespace ttscope::app
