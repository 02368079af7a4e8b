// What analyze_memory.py reads, and what it overlooks.
#include <gtest/gtest.h>

#include "phases/classic_analysis.h"
#include "support/phase_text.h"

namespace ttscope::phases {
namespace {

using testing::SummaryText;
using testing::usual_summary;

constexpr std::size_t kModel = static_cast<std::size_t>(ClassicPhase::kModel);
constexpr std::size_t kForward = static_cast<std::size_t>(ClassicPhase::kForward);

TEST(ClassicLog, PhasesParametersAndMemory) {
  const ClassicLog log = read_classic_log(
      "Available Device Memory: 12288 MB\nrun A\nTotal parameters: 1,000\n\n" + usual_summary());
  ASSERT_EQ(log.sections.size(), 1u);
  const ClassicSection& section = log.sections[0];
  EXPECT_EQ(section.name, "run A");
  EXPECT_EQ(section.parameters, 1000);
  EXPECT_EQ(section.device_memory_mb, 12288);
  EXPECT_EQ(section.peak_mb, 12400);
  ASSERT_TRUE(section.phases[kModel]);
  EXPECT_EQ((*section.phases[kModel])[static_cast<std::size_t>(DramField::kSegmentChange)], 1000);
  EXPECT_FALSE(log.rules.assumed_device_mb);
}

TEST(ClassicLog, MicroStepsAreNotSeen) {
  const ClassicLog log = read_classic_log(SummaryText().phase("FORWARD_PASS_micro_0", {1, 1, 0}).text());
  ASSERT_EQ(log.sections.size(), 1u);
  EXPECT_FALSE(log.sections[0].phases[kForward]);
  EXPECT_EQ(log.sections[0].name, "Unknown");
}

TEST(ClassicLog, TheFirstOfSeveralPhasesOfANameCounts) {
  const ClassicLog log = read_classic_log(
      SummaryText().phase("FORWARD_PASS", {5, 5, 0}).phase("FORWARD_PASS", {9, 9, 0}).text());
  EXPECT_EQ((*log.sections.at(0).phases[kForward])[0], 5);
}

TEST(ClassicLog, ACutSummarySwallowsTheNext) {
  const std::string cut = SummaryText().phase("MODEL_CREATION", {7, 7, 0}).text(true);
  const ClassicLog log = read_classic_log(cut + usual_summary());
  ASSERT_EQ(log.sections.size(), 1u);
  EXPECT_EQ((*log.sections[0].phases[kModel])[0], 7);
  EXPECT_EQ(log.sections[0].peak_mb, 12400);
}

TEST(ClassicLog, FactsFurtherAwayThanTheWindowAreFoundInTheWholeText) {
  const std::string far(2000, '.');
  const ClassicLog log =
      read_classic_log("     params  77\n     memory  5 MB\n" + far + "\n" + usual_summary());
  EXPECT_EQ(log.sections.at(0).parameters, 77);
  EXPECT_EQ(log.sections.at(0).device_memory_mb, 5);
}

TEST(ClassicLog, TheWindowCountsCharactersNotBytes) {
  std::string wide;
  for (int i = 0; i < 900; ++i) wide += "é";
  const ClassicLog log = read_classic_log("name of the run\n#" + wide + "\n" + usual_summary());
  EXPECT_EQ(log.sections.at(0).name, "name of the run");
}

TEST(ClassicLog, TheWordsOfTheFirstRelease) {
  const ClassicLog log = read_classic_log("run A\nNumber of parameters: 5\n" + usual_summary());
  EXPECT_EQ(log.rules.assumed_device_mb, 12288);
  EXPECT_EQ(log.sections.at(0).name, "run A");
  EXPECT_EQ(log.sections.at(0).parameters, 5);
  EXPECT_EQ(log.sections.at(0).device_memory_mb, std::nullopt);
}

TEST(ClassicLog, NoSummary) {
  EXPECT_TRUE(read_classic_log("").sections.empty());
  EXPECT_TRUE(read_classic_log("=== Memory Usage Summary ===\n").sections.empty());
}

}  // namespace
}  // namespace ttscope::phases
