// The memory of a runtime log on the axis of a timeline.
#include "app/timeline/memory_curves.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/log_text.h"
#include "support/profile_text.h"
#include "support/temp_folder.h"
#include "support/timeline_sample.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using timeline::AlignmentBasis;
using timeline::FindingKind;
using timeline::Timeline;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kNoonNs = 1'760'443'200 * kSecondNs;  // 2025-10-14 12:00:00 UTC

/// Three ops with the memory before each; what stands before the lines of the op is `stamps[i]`.
std::string log_text(const std::vector<std::string>& stamps, const std::vector<std::string>& locs = {}) {
  std::string text;
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    testing::LogStyle style;
    style.before = stamps[i];
    testing::LogText log(style);
    if (i == 0) log.start("main");
    const std::string result = fmt::format("%{}", i);
    log.op(testing::ones(result, 1), i < locs.size() ? locs[i] : "unknown");
    log.block("ttnn.ones", static_cast<std::int64_t>(i) * testing::kUnit);
    text += log.text();
  }
  return text;
}

/// A timeline of a host that has something from `first_ns` on.
Timeline timeline_from(std::int64_t first_ns, std::int64_t captured_at_ns = 0) {
  timeline::SampleMaker maker;
  const std::uint32_t host = maker.group("host");
  const std::uint32_t place = maker.place("work");
  maker.track("main", timeline::TrackKind::kThread, host);
  maker.zone(first_ns, first_ns + 100, place);
  maker.made.sources.push_back({.path = "host.tracy", .captured_at_ns = captured_at_ns});
  maker.made.find_span();
  return std::move(maker.made);
}

class MemoryCurves : public ::testing::Test {
 protected:
  MemoryLog log(const std::string& text) const { return {folder_.file("run.log", text), "run.log"}; }
  static void add(const MemoryLog& log, const std::vector<HostOps>& hosts, Timeline& timeline) {
    const Result<void> added = add_memory_curves(log, hosts, 1, timeline);
    ASSERT_TRUE(added) << added.error().message;
  }

  testing::TempFolder folder_;
};

std::vector<std::int64_t> times_of(const timeline::Plot& plot) {
  std::vector<std::int64_t> times;
  for (const timeline::PlotPoint& point : plot.points) times.push_back(point.time_ns);
  return times;
}

TEST_F(MemoryCurves, NamesAreThoseOfFilesWithFoldersWhereTheyAreAlike) {
  const std::vector<MemoryLog> logs = named_logs({"a/run.log", "b/run.log", "c/other.log"});
  ASSERT_THAT(logs, SizeIs(3));
  EXPECT_EQ(logs[0].name, "a/run.log");
  EXPECT_EQ(logs[1].name, "b/run.log");
  EXPECT_EQ(logs[2].name, "other.log");
  EXPECT_EQ(logs[2].path, "c/other.log");
  EXPECT_THAT(named_logs({}), IsEmpty());
}

TEST_F(MemoryCurves, BytesAreThoseOfAllBanks) {
  Timeline timeline;
  add(log(log_text({"12:00:00.0 ", "12:00:01.0 ", "12:00:02.0 "})), {}, timeline);
  ASSERT_THAT(timeline.plots, SizeIs(1));
  EXPECT_EQ(timeline.text(timeline.plots[0].name), "DRAM allocated");
  EXPECT_EQ(timeline.plots[0].unit, timeline::PlotUnit::kBytes);
  ASSERT_THAT(timeline.plots[0].points, SizeIs(3));
  EXPECT_NEAR(timeline.plots[0].points[2].value, 12.0 * 2 * testing::kUnit, 12.0 * 1024);
  EXPECT_EQ(full_name(timeline, timeline.plots[0].group), "Memory of run.log");
}

TEST_F(MemoryCurves, ALogAloneIsTheAxisAndBeginsWithIt) {
  Timeline timeline;
  add(log(log_text({"12:00:00.0 ", "12:00:01.0 ", "12:00:03.0 "})), {}, timeline);
  EXPECT_THAT(times_of(timeline.plots.at(0)), ElementsAre(0, kSecondNs, 3 * kSecondNs));
  EXPECT_EQ(timeline.alignments.at(0).basis, AlignmentBasis::kAxis);
  ASSERT_TRUE(timeline.sources.at(0).lines);
  EXPECT_FALSE(timeline.sources.at(0).lines->has_date);
}

TEST_F(MemoryCurves, OpsThatTheHostToldTooPutLinesWhereTheyWere) {
  Timeline timeline = timeline_from(0);
  HostOps host;
  host.locations = {{"a", 1000}, {"b", 5000}, {"c", 6000}};
  add(log(log_text({"", "", ""}, {"a", "b", "c"})), {host}, timeline);
  EXPECT_THAT(times_of(timeline.plots.at(0)), ElementsAre(1000, 5000, 6000));
  EXPECT_EQ(timeline.alignments.back().basis, AlignmentBasis::kOps);
  EXPECT_EQ(timeline.alignments.back().samples, 3u);
}

TEST_F(MemoryCurves, FineTimesOfLinesTellMoreThanTheOpsBetweenThem) {
  Timeline timeline = timeline_from(0);
  HostOps host;
  host.locations = {{"a", 1000}, {"b", 2'001'000}, {"c", 3'001'500}};
  add(log(log_text({"12:00:00.000000 ", "12:00:00.002000 ", "12:00:00.003000 "}, {"a", "b", "c"})), {host},
      timeline);
  EXPECT_THAT(times_of(timeline.plots.at(0)), ElementsAre(1000, 2'001'000, 3'001'000));
  EXPECT_EQ(timeline.alignments.back().worst_ns, 500);
}

TEST_F(MemoryCurves, ByTheTimeOfDayOfACaptureTimeZonesAreTaken) {
  Timeline timeline = timeline_from(0, kNoonNs);
  // Two hours east of the capture's clock, half a second behind its beginning.
  add(log(log_text({"2025-10-14 14:00:00.5 ", "2025-10-14 14:00:01.5 "})), {}, timeline);
  EXPECT_THAT(times_of(timeline.plots.at(0)), ElementsAre(kSecondNs / 2, kSecondNs * 3 / 2));
  EXPECT_EQ(timeline.alignments.back().basis, AlignmentBasis::kStamps);
}

TEST_F(MemoryCurves, ATimeWithItsZoneIsTakenAsItIs) {
  Timeline timeline = timeline_from(0, kNoonNs);
  add(log(log_text({"2025-10-14T14:00:00.5Z ", "2025-10-14T14:00:01.5Z "})), {}, timeline);
  EXPECT_THAT(times_of(timeline.plots.at(0)),
              ElementsAre(7200 * kSecondNs + kSecondNs / 2, 7200 * kSecondNs + kSecondNs * 3 / 2));
}

TEST_F(MemoryCurves, ATimeWithoutADayIsThatOfTheDayOfTheCapture) {
  Timeline timeline = timeline_from(0, kNoonNs);
  add(log(log_text({"12:00:00.5 ", "12:00:01.5 "})), {}, timeline);
  EXPECT_THAT(times_of(timeline.plots.at(0)), ElementsAre(kSecondNs / 2, kSecondNs * 3 / 2));
}

TEST_F(MemoryCurves, WithNothingInCommonALogBeginsWhereTheRunDoes) {
  Timeline timeline = timeline_from(7000);
  add(log(log_text({"12:00:00.0 ", "12:00:01.0 "})), {}, timeline);
  EXPECT_THAT(times_of(timeline.plots.at(0)), ElementsAre(7000, 7000 + kSecondNs));
  EXPECT_EQ(timeline.alignments.back().basis, AlignmentBasis::kStart);
}

TEST_F(MemoryCurves, EachRankHasItsCurvesAndIsNamed) {
  Timeline timeline;
  const MemoryLog both = log(log_text({"[rank0]: 12:00:00.0 ", "[rank0]: 12:00:01.0 "}) +
                             log_text({"[rank1]: 12:00:00.0 ", "[rank1]: 12:00:01.0 "}));
  add(both, {}, timeline);
  ASSERT_THAT(timeline.alignments, SizeIs(2));
  EXPECT_EQ(timeline.alignments[0].what, "run.log rank 0");
  EXPECT_EQ(timeline.alignments[1].what, "run.log rank 1");
  EXPECT_THAT(timeline.plots, SizeIs(2));
}

TEST_F(MemoryCurves, AHostThatWasGuessedIsSaid) {
  Timeline timeline = timeline_from(0);
  HostOps host;
  host.paths = {"/one/a.tracy"};
  host.locations = {{"a", 1000}, {"b", 5000}};
  add(log(log_text({"", ""}, {"a", "b"})), {host, host}, timeline);
  ASSERT_FALSE(timeline.findings.empty());
  EXPECT_EQ(timeline.findings.back().kind, FindingKind::kHostGuessed);
  EXPECT_EQ(timeline.findings.back().place, "/one/a.tracy");
}

}  // namespace
}  // namespace ttscope::app
