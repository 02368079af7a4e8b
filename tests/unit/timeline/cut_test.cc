#include "timeline/analyze/edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/timeline_sample.h"
#include "timeline/analyze/profile.h"

namespace ttscope::timeline {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> messages_of(const Timeline& timeline) {
  std::vector<std::string> texts;
  for (const Message& message : timeline.messages) texts.emplace_back(timeline.text(message.text));
  return texts;
}

/// Two cores with a mark each, and a thread: op 1 ran on the first core, op 2 on the second, later.
Timeline two_cores() {
  SampleMaker maker;
  const std::uint32_t kernel = maker.place("BRISC-KERNEL");
  const std::uint32_t first_op = maker.detail({.op = 1});
  const std::uint32_t second_op = maker.detail({.op = 2});
  maker.track("main", TrackKind::kThread, maker.group("prog"));
  maker.zone(0, 50, maker.place("step"));
  for (std::uint16_t x = 1; x <= 2; ++x) {
    Track& lane = maker.track("BRISC", TrackKind::kLane, maker.group("Core"));
    lane.device = 0;
    lane.core_x = x;
    lane.core_y = 1;
    maker.zone(100 * x, 100 * x + 50, kernel, 0, x == 1 ? first_op : second_op);
  }
  const auto text = [&](std::string_view words) { return maker.made.texts.intern(words); };
  maker.made.messages = {
      {10, text("signpost"), kNone, 0}, {110, text("mark 1"), 1, 0}, {210, text("mark 2"), 2, 0}};
  maker.made.find_span();
  return std::move(maker.made);
}

CutOptions only_op(std::uint64_t op) {
  CutOptions options;
  options.op = op;
  return options;
}

TEST(Cut, LastValueOfAPlotDoesNotOutliveTheRun) {
  for (const std::int64_t from_ns : {240, 100000}) {
    Timeline timeline = two_cores();
    Plot plot;
    plot.points = {{0, 1}, {40, 2}};
    timeline.plots.push_back(std::move(plot));
    CutOptions options;
    options.from_ns = from_ns;
    cut(options, timeline);
    const bool is_in_the_run = from_ns == 240;
    EXPECT_EQ(timeline.plots.size(), is_in_the_run ? 1U : 0U);
    EXPECT_EQ(timeline.zones.size(), is_in_the_run ? 1U : 0U);
  }
}

TEST(Cut, MarksOfOtherCoresGoWithThem) {
  Timeline timeline = two_cores();
  CutOptions options;
  options.core = {2, 1};
  cut(options, timeline);
  EXPECT_THAT(messages_of(timeline), ElementsAre("signpost", "mark 2"));
  EXPECT_EQ(timeline.text(timeline.tracks[timeline.messages[1].track].name), "BRISC");
  EXPECT_EQ(timeline.tracks[timeline.messages[1].track].core_x, 2);
}

TEST(Cut, AnOpIsItsZonesAndWhatHappenedMeanwhile) {
  Timeline timeline = two_cores();
  cut(only_op(2), timeline);
  EXPECT_EQ(timeline.zones.size(), 1U);
  EXPECT_THAT(messages_of(timeline), ElementsAre("mark 2"));
  EXPECT_EQ(timeline.tracks.size(), 1U) << "tracks without anything are left out";
  EXPECT_EQ(timeline.first_ns, 200);
  EXPECT_EQ(timeline.last_ns, 250);
}

TEST(Cut, ZonesThatReachOverAndCoresThatAreNotThereAreFound) {
  Timeline timeline = two_cores();
  CutOptions options;
  options.from_ns = 20;
  options.core.emplace(std::uint16_t{9}, std::uint16_t{7});
  cut(options, timeline);
  EXPECT_THAT(timeline.findings,
              ElementsAre(Finding{.kind = FindingKind::kNoSuchCore, .core_x = 9, .core_y = 7},
                          Finding{.kind = FindingKind::kZonesReachOver, .count = 1}));
}

TEST(Cut, AnOpThatIsNotThereLeavesNothing) {
  Timeline timeline = two_cores();
  cut(only_op(7), timeline);
  EXPECT_FALSE(timeline.has_content());
}

/// Gaps were added to the sums of the place behind theirs, or to none of the memory there is.
TEST(ZoneStats, GapsAreRowsOfTheirOwn) {
  SampleMaker maker;
  const std::uint32_t none = maker.place("no op runs");
  const std::uint32_t step = maker.place("step");
  const std::uint32_t group = maker.group("prog");
  maker.track("Gaps", TrackKind::kGaps, group);
  maker.zone(0, 10, none);
  maker.zone(20, 25, none);
  maker.track("main", TrackKind::kThread, group);
  maker.zone(0, 100, step);
  maker.track("Gaps", TrackKind::kGaps, group);
  maker.zone(0, 7, step);
  maker.made.find_span();
  std::vector<std::string> rows;
  for (const ZoneStat& stat : zone_stats(maker.made)) {
    rows.push_back(std::string(key_of(stat.kind)) + " " +
                   std::string(maker.made.name_of_location(stat.location)) + " " +
                   std::to_string(stat.count) + " " + std::to_string(stat.total_ns));
  }
  EXPECT_THAT(rows, ElementsAre("gaps no op runs 2 15", "thread step 1 100", "gaps step 1 7"));
}

}  // namespace
}  // namespace ttscope::timeline
