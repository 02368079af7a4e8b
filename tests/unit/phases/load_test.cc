// What `ttscope phases` and `analyze_memory` load: several logs, compressed and cut ones, errors.
#include "phases/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "phases/classic_analysis.h"
#include "support/compressed.h"
#include "support/phase_text.h"
#include "support/temp_folder.h"

namespace ttscope::phases {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempFolder;
using testing::usual_summary;

constexpr std::string_view kHead = "Total parameters: 503316480\nAvailable Device Memory: 12288 MB\n";

std::string usual_log(double activations_mb) { return std::string(kHead) + usual_summary(activations_mb); }

TEST(PhasesLoad, RunsOfSeveralLogsAreOneProfile) {
  const TempFolder folder;
  const std::string first = folder.file("first.log", usual_log(9000));
  const std::string second = folder.file("second.log", usual_log(3000));
  const Result<Profile> profile = load({first, second});
  ASSERT_TRUE(profile.has_value());
  EXPECT_THAT(profile->log.files, ElementsAre(first, second));
  ASSERT_EQ(profile->analysis.configurations.size(), 2u);
  EXPECT_EQ(profile->analysis.configurations[0].name, "first.log");
  EXPECT_EQ(profile->analysis.configurations[1].name, "second.log");
  EXPECT_EQ(profile->analysis.verdict, Severity::kCritical);
  const std::vector<Advice>& advice = profile->analysis.configurations[0].advice;
  ASSERT_FALSE(advice.empty());
  EXPECT_TRUE(std::any_of(advice.begin(), advice.end(), [](const Advice& one) {
    return one.kind == AdviceKind::kOtherConfiguration && one.configuration == 1;
  })) << "they are compared with each other";
}

TEST(PhasesLoad, OptionsReachTheAnalysis) {
  const TempFolder folder;
  LoadOptions options;
  options.analysis.device_bytes = std::int64_t{1} << 40;
  const Result<Profile> profile = load({folder.file("a.log", usual_log(9000))}, options);
  ASSERT_TRUE(profile.has_value());
  EXPECT_EQ(profile->analysis.configurations.at(0).device.origin, FactOrigin::kOption);
  EXPECT_EQ(profile->analysis.verdict, Severity::kOk);
}

TEST(PhasesLoad, CompressedLogsGiveTheSame) {
  const TempFolder folder;
  const std::string text = usual_log(9000);
  const Result<Profile> plain = load({folder.file("a.log", text)});
  for (const std::string& packed : {testing::gzip(text), testing::zstd(text)}) {
    const Result<Profile> profile = load({folder.file("packed", packed)});
    ASSERT_TRUE(profile.has_value());
    EXPECT_EQ(profile->analysis.configurations.at(0).peak_bytes,
              plain->analysis.configurations.at(0).peak_bytes);
    EXPECT_THAT(profile->log.warnings, IsEmpty());
  }
}

TEST(PhasesLoad, ACutLogGivesWhatIsThereAndSaysSo) {
  const TempFolder folder;
  const std::string text = usual_log(9000) + usual_log(3000);
  const std::string packed = testing::zstd(text);
  const Result<Profile> profile = load({folder.file("cut.zst", packed.substr(0, packed.size() - 4))});
  ASSERT_TRUE(profile.has_value());
  EXPECT_THAT(profile->log.warnings, ElementsAre(HasSubstr("zstd data")));
  const Result<Profile> cut = load({folder.file("cut.log", text.substr(0, text.size() - 120))});
  ASSERT_EQ(cut->log.summaries.size(), 2u);
  EXPECT_TRUE(cut->log.summaries[1].cut);
  EXPECT_EQ(cut->log.problems.count(PhaseProblem::kSummaryCut), 1u);
}

TEST(PhasesLoad, ALogWithoutSummariesIsNoError) {
  const TempFolder folder;
  const Result<Profile> profile = load({folder.file("other.log", "step 1\nstep 2\n")});
  ASSERT_TRUE(profile.has_value());
  EXPECT_THAT(profile->log.summaries, IsEmpty());
  EXPECT_THAT(profile->analysis.configurations, IsEmpty());
}

TEST(PhasesLoad, OneUnreadableLogIsAnErrorWithItsName) {
  const TempFolder folder;
  const std::string there = folder.file("a.log", usual_log(9000));
  const Result<Profile> missing = load({there, folder.path("none.log")});
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("none.log"));
  const Result<Profile> is_folder = load({folder.path()});
  ASSERT_FALSE(is_folder.has_value());
  EXPECT_THAT(is_folder.error().message, HasSubstr("is a folder"));
}

TEST(ClassicLoad, SizesComeFromTheLogUnlessTheyAreGiven) {
  const TempFolder folder;
  const Result<ClassicLog> log = load_classic(folder.file("a.log", usual_log(9000)));
  ASSERT_TRUE(log.has_value());
  const FoundClassicSizes found = find_classic_sizes(*log, {});
  EXPECT_EQ(found.missing, FoundClassicSizes::Missing::kNothing);
  EXPECT_EQ(found.parameters, 503316480);
  EXPECT_EQ(found.log_device_mb, 12288);
  EXPECT_EQ(found.sizes.model_mb, 960);
  EXPECT_EQ(found.sizes.optimizer_mb, 1920);
  EXPECT_EQ(found.sizes.gradients_mb, 960);
  const FoundClassicSizes given = find_classic_sizes(*log, {1048576, 3 * 1048576, 1048576, 5 * 1048576});
  EXPECT_FALSE(given.parameters);
  EXPECT_FALSE(given.log_device_mb);
  EXPECT_EQ(given.sizes.model_mb, 1);
  EXPECT_EQ(given.sizes.optimizer_mb, 3);
  EXPECT_EQ(given.sizes.device_mb, 5);
}

TEST(ClassicLoad, WhatEndsTheScriptIsTold) {
  const TempFolder folder;
  const Result<ClassicLog> bare = load_classic(folder.file("a.log", usual_summary()));
  EXPECT_EQ(find_classic_sizes(*bare, {}).missing, FoundClassicSizes::Missing::kModel);
  EXPECT_EQ(find_classic_sizes(*bare, {1048576, {}, {}, {}}).missing, FoundClassicSizes::Missing::kDevice);
  const Result<ClassicLog> first =
      load_classic(folder.file("b.log", "Number of parameters: 524288\n" + usual_summary()));
  EXPECT_EQ(find_classic_sizes(*first, {}).missing, FoundClassicSizes::Missing::kNothing);
  EXPECT_EQ(find_classic_sizes(*first, {}).sizes.device_mb, 12288) << "the first release assumed 12 GiB";
  EXPECT_FALSE(load_classic(folder.path("none.log")).has_value());
}

}  // namespace
}  // namespace ttscope::phases
