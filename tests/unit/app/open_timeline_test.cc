// What `ttscope timeline` makes of the paths that it is given.
#include "app/timeline/open_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/phase_text.h"
#include "support/profile_text.h"
#include "support/profiler_folder.h"
#include "support/temp_folder.h"
#include "support/timeline_sample.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ProfilerFolder;
using ::testing::SizeIs;
using ::testing::StartsWith;
using timeline::FindingKind;
using timeline::Timeline;

class OpenTimeline : public ::testing::Test {
 protected:
  static Timeline opened(const std::vector<std::string>& paths) {
    auto profile = open_timeline(paths, {});
    EXPECT_TRUE(profile) << profile.error().message;
    return profile ? std::move(profile->timeline) : Timeline();
  }
  static Error refusal(const std::vector<std::string>& paths) {
    const auto profile = open_timeline(paths, {});
    EXPECT_FALSE(profile);
    return profile ? Error{} : profile.error();
  }
  std::string capture(const std::string& name) const {
    return folder_.file(name, timeline::tracy_bytes(timeline::sample_timeline()));
  }
  /// Two ops of one device and its host.
  std::string run(const std::string& name = "run") const {
    return ProfilerFolder(folder_.path(name))
        .op(1024, "Matmul", 100'000)
        .op(2048, "Softmax", 200'000)
        .write();
  }

  testing::TempFolder folder_;
};

std::vector<std::string> tracks_of(const Timeline& timeline, timeline::TrackKind kind) {
  std::vector<std::string> names;
  for (const timeline::Track& track : timeline.tracks) {
    if (track.kind == kind) names.push_back(full_name(timeline, track));
  }
  return names;
}

std::size_t count_of(const Timeline& timeline, FindingKind kind) {
  return static_cast<std::size_t>(std::count_if(timeline.findings.begin(), timeline.findings.end(),
                                                [&](const auto& one) { return one.kind == kind; }));
}

TEST_F(OpenTimeline, ARunHasItsHostItsOpsAndTheProcessorsThatRanThem) {
  const Timeline timeline = opened({run()});
  EXPECT_THAT(tracks_of(timeline, timeline::TrackKind::kThread), ElementsAre("Host / thread 1"));
  ASSERT_THAT(tracks_of(timeline, timeline::TrackKind::kOps), SizeIs(1));
  EXPECT_THAT(tracks_of(timeline, timeline::TrackKind::kLane), ElementsAre("Device 0 / Core 1,1 / BRISC"));
  ASSERT_THAT(timeline.links, SizeIs(2));
  for (const timeline::Link& link : timeline.links) {
    EXPECT_EQ(timeline.name_of_zone(link.from_zone), "TT_DNN_DEVICE_OP");
    EXPECT_GE(timeline.zones.start_ns[link.to_zone], timeline.zones.start_ns[link.from_zone]);
  }
  EXPECT_EQ(timeline.name_of_zone(timeline.links[0].to_zone), "Matmul");
  EXPECT_EQ(timeline.name_of_zone(timeline.links[1].to_zone), "Softmax");
  EXPECT_EQ(
      timeline.zones.start_ns[timeline.links[1].to_zone] - timeline.zones.start_ns[timeline.links[0].to_zone],
      100'000);
  EXPECT_THAT(timeline.findings, IsEmpty());
}

TEST_F(OpenTimeline, OpsThatOneSideLacksAreCounted) {
  const std::string path = ProfilerFolder(folder_.path("run"))
                               .op(1024, "Matmul", 100'000)
                               .on_device(2048, 200'000)
                               .on_host(3072, "Softmax", 300'000)
                               .write();
  const Timeline timeline = opened({path});
  EXPECT_EQ(count_of(timeline, FindingKind::kOpsWithoutHost), 1u);
  EXPECT_EQ(count_of(timeline, FindingKind::kOpsWithoutDevice), 1u);
}

TEST_F(OpenTimeline, AFolderOfRanksStandsForTheirRunsByName) {
  run("job/node_b/rank1");
  run("job/node_a/rank0");
  const Timeline timeline = opened({folder_.path("job")});
  EXPECT_THAT(tracks_of(timeline, timeline::TrackKind::kThread),
              ElementsAre(HasSubstr("rank0"), HasSubstr("rank1")));
  EXPECT_THAT(tracks_of(timeline, timeline::TrackKind::kOps), SizeIs(2));
}

TEST_F(OpenTimeline, CapturesWithoutAFolderOfTheirOwnAreRefused) {
  const std::string path = run();
  const std::string one = capture("one.tracy");
  const std::string two = capture("two.tracy");
  const Error error = refusal({path, one, two});
  EXPECT_THAT(error.message, StartsWith(two + ": of the profiler's folders there are fewer"));
}

TEST_F(OpenTimeline, SeveralCapturesAreToldApartByTheirNames) {
  const Timeline timeline = opened({capture("one.tracy"), capture("two.tracy")});
  EXPECT_THAT(tracks_of(timeline, timeline::TrackKind::kThread),
              ElementsAre("prog one / main", "prog one / worker", "prog two / main", "prog two / worker"));
  ASSERT_THAT(timeline.alignments, SizeIs(2));
}

TEST_F(OpenTimeline, WhatIsNotOfThisCommandIsToldWhatItIs) {
  const std::string phases = folder_.file("train.log", testing::usual_summary());
  EXPECT_THAT(refusal({phases}).message, HasSubstr("ttscope phases"));
  const std::string unknown = folder_.file("notes.txt", "nothing of ours\n");
  EXPECT_EQ(refusal({unknown}).code, ErrorCode::kBadInput);
  EXPECT_EQ(refusal({folder_.file("empty.tracy", "")}).code, ErrorCode::kNothingFound);
  EXPECT_THAT(refusal({folder_.path("gone.tracy")}).message, HasSubstr("gone.tracy"));
}

TEST_F(OpenTimeline, ALogAloneNeedsTimes) {
  testing::LogText log;
  log.start("main").block("ttnn.ones", 0).op(testing::ones("%0", 2)).block("ttnn.neg", 4096);
  const std::string path = folder_.file("run.log", log.text());
  EXPECT_THAT(refusal({path}).message, StartsWith(path + ": its lines have no times; give it together with"));
  const Timeline beside = opened({run(), path});
  EXPECT_EQ(count_of(beside, FindingKind::kLogWithoutTimes), 1u);
  EXPECT_THAT(beside.plots, IsEmpty());
}

TEST_F(OpenTimeline, ALogThatTellsNoMemoryIsSaidToBeOne) {
  testing::LogText log;
  log.start("main").op(testing::ones("%0", 2)).finish("main");
  const Timeline timeline = opened({run(), folder_.file("run.log", log.text())});
  EXPECT_EQ(count_of(timeline, FindingKind::kLogWithoutMemory), 1u);
}

}  // namespace
}  // namespace ttscope::app
