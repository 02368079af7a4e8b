// What devices did, as tracks: ops, processors, transfers, and what links them.
#include "app/timeline/device_tracks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/temp_folder.h"
#include "support/timeline_sample.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using timeline::FindingKind;
using timeline::Timeline;
using timeline::TimelineProblem;

/// A clock of 1 cycle a nanosecond that is `anchor` where the axis is 0.
DeviceClock clock_at(double anchor) {
  DeviceClock clock;
  clock.cycles_per_ns = 1;
  clock.anchor_cycle = anchor;
  return clock;
}

void add_op(perf::Profile& run, std::int32_t device, double op, double start, double end) {
  perf::OpRow row;
  row.device = device;
  row.call_count = op;
  row.fw_start_cycle = start;
  row.fw_end_cycle = end;
  run.report.rows.push_back(row);
}

/// Two devices with an op each; the first one's clock begins at cycle 1000.
perf::Profile two_devices() {
  perf::Profile run;
  run.captures.resize(1);
  run.report.texts.intern("");
  run.report.kinds.emplace_back();
  add_op(run, 0, 1024, 1100, 1200);
  add_op(run, 1, 2048, 5300, 5400);
  return run;
}

const std::map<std::uint32_t, DeviceClock>& two_clocks() {
  static const std::map<std::uint32_t, DeviceClock> kClocks = {{0, clock_at(1000)}, {1, clock_at(5000)}};
  return kClocks;
}

/// A timeline with the zone of a host that sent op 1024 (0) and one that sent op 2048 (1).
Timeline host_timeline() {
  timeline::SampleMaker maker;
  const std::uint32_t host = maker.group("Host");
  const std::uint32_t send = maker.place("send");
  maker.track("main", timeline::TrackKind::kThread, host);
  maker.zone(0, 10, send);
  maker.zone(20, 30, send);
  return std::move(maker.made);
}

std::size_t count_of(const Timeline& timeline, timeline::TrackKind kind) {
  return static_cast<std::size_t>(std::count_if(timeline.tracks.begin(), timeline.tracks.end(),
                                                [&](const auto& track) { return track.kind == kind; }));
}

TEST(DeviceTracks, OpsOfEachDeviceStandByItsClockAndAreLinkedToWhoSentThem) {
  const perf::Profile run = two_devices();
  Timeline timeline = host_timeline();
  add_device_tracks({run, two_clocks(), {{{1024, 0}, {2048, 1}}}}, timeline);
  ASSERT_EQ(count_of(timeline, timeline::TrackKind::kOps), 2u);
  ASSERT_THAT(timeline.links, SizeIs(2));
  EXPECT_EQ(timeline.links[0].from_zone, 0u);
  EXPECT_EQ(timeline.zones.start_ns[timeline.links[0].to_zone], 100);
  EXPECT_EQ(timeline.links[1].from_zone, 1u);
  EXPECT_EQ(timeline.zones.start_ns[timeline.links[1].to_zone], 300);
  EXPECT_EQ(timeline.name_of_zone(timeline.links[0].to_zone), "op without a name");
}

TEST(DeviceTracks, AReplayOfATraceWasSentByNoZoneOfItsOwn) {
  perf::Profile run = two_devices();
  run.report.rows[0].trace_id = 1;
  Timeline timeline = host_timeline();
  add_device_tracks({run, two_clocks(), {{{1024, 0}, {2048, 1}}}}, timeline);
  ASSERT_THAT(timeline.links, SizeIs(1));
  EXPECT_EQ(timeline.links[0].from_zone, 1u);
}

TEST(DeviceTracks, DevicesOfASecondHostAreLinkedToThatHost) {
  perf::Profile run = two_devices();
  run.captures.resize(2);
  run.captures[1].device_offset = 1;
  run.report.rows[1].call_count = 1024;
  Timeline timeline = host_timeline();
  add_device_tracks({run, two_clocks(), {{{1024, 0}}, {{1024, 1}}}}, timeline);
  ASSERT_THAT(timeline.links, SizeIs(2));
  EXPECT_EQ(timeline.links[0].from_zone, 0u);
  EXPECT_EQ(timeline.links[1].from_zone, 1u);
}

TEST(DeviceTracks, PartsOfACollectiveAreLinkedToTheFirst) {
  perf::Profile run = two_devices();
  for (std::uint32_t device = 0; device < 2; ++device) {
    perf::DeviceLane lane;
    lane.device = static_cast<std::int32_t>(device);
    lane.ops.push_back({device, 7, 0, 100, false});
    run.analysis.ops.clock.lanes.push_back(lane);
  }
  Timeline timeline = host_timeline();
  add_device_tracks({run, two_clocks(), {}}, timeline);
  ASSERT_THAT(timeline.links, SizeIs(1));
  EXPECT_EQ(timeline.zones.start_ns[timeline.links[0].from_zone], 100);
  EXPECT_EQ(timeline.zones.start_ns[timeline.links[0].to_zone], 300);
}

TEST(DeviceTracks, WithoutAClockOpsAreLeftOut) {
  const perf::Profile run = two_devices();
  Timeline timeline = host_timeline();
  add_device_tracks({run, {{0, clock_at(1000)}, {1, DeviceClock()}}, {}}, timeline);
  EXPECT_EQ(count_of(timeline, timeline::TrackKind::kOps), 1u);
  EXPECT_THAT(timeline.alignments, SizeIs(2)) << "what is known of a clock is said even so";
}

/// The transfers of one file of a run whose device 0 has a clock.
class NocTransfers : public ::testing::Test {
 protected:
  void add(const std::string& json) {
    perf::Profile run;
    run.captures.resize(1);
    run.captures[0].files.noc_traces = {folder_.file("noc_trace_dev0_Add_ID1024.json", json)};
    add_device_tracks({run, clocks_, {}}, timeline_);
  }
  static std::string event(std::int64_t cycle, int bytes, const std::string& type = "READ") {
    return R"({"proc": "BRISC", "sx": 1, "sy": 2, "dx": 3, "dy": 4, "noc": "NOC_0", "type": ")" + type +
           R"(", "num_bytes": )" + std::to_string(bytes) + R"(, "timestamp": )" + std::to_string(cycle) + "}";
  }
  std::vector<std::string> messages() const {
    std::vector<std::string> texts;
    for (const auto& message : timeline_.messages) texts.emplace_back(timeline_.text(message.text));
    return texts;
  }

  testing::TempFolder folder_;
  std::map<std::uint32_t, DeviceClock> clocks_ = {{0, clock_at(10'000)}};
  Timeline timeline_;
};

TEST_F(NocTransfers, AreMessagesInOrderOfTimeWithWhereTheyWent) {
  add("[" + event(12'000, 64, "WRITE_") + "," + event(11'000, 32) + "]");
  EXPECT_THAT(messages(), ElementsAre("READ 32 B NOC_0 from 3,4", "WRITE_ 64 B NOC_0 to 3,4"));
  EXPECT_EQ(timeline_.messages[0].time_ns, 1000);
  EXPECT_EQ(timeline_.messages[0].track, kNone) << "the log has no lane of that processor";
}

TEST_F(NocTransfers, TheirBytesAreAddedUpByMicrosecondAndEndAtZero) {
  add("[" + event(9'500, 1) + "," + event(11'000, 32) + "," + event(11'999, 32) + "," + event(12'000, 8) +
      "," + event(20'000, 4) + "]");
  ASSERT_THAT(timeline_.plots, SizeIs(1));
  using timeline::PlotPoint;
  EXPECT_THAT(timeline_.plots[0].points,
              ElementsAre(PlotPoint{-1000, 1}, PlotPoint{0, 0}, PlotPoint{1000, 64}, PlotPoint{2000, 8},
                          PlotPoint{3000, 0}, PlotPoint{10'000, 4}, PlotPoint{11'000, 0}));
  EXPECT_EQ(timeline_.text(timeline_.plots[0].name), "Device 0 NoC bytes per us");
}

TEST_F(NocTransfers, WithoutAClockTheyAreCounted) {
  clocks_.clear();
  add("[" + event(11'000, 32) + "," + event(12'000, 32) + "]");
  EXPECT_THAT(timeline_.messages, IsEmpty());
  EXPECT_EQ(timeline_.problems.count(TimelineProblem::kWithoutClock), 2u);
}

TEST_F(NocTransfers, AFileThatIsNoListIsAFinding) {
  add("{\"not\": \"a list\"}");
  ASSERT_THAT(timeline_.findings, SizeIs(1));
  EXPECT_EQ(timeline_.findings[0].kind, FindingKind::kNocEventsDamaged);
  EXPECT_THAT(timeline_.findings[0].file, HasSubstr("noc_trace_dev0"));
  EXPECT_THAT(timeline_.sources, IsEmpty());
}

TEST_F(NocTransfers, AFileThatIsGoneIsAWarningOfItsReader) {
  perf::Profile run;
  run.captures.resize(1);
  run.captures[0].files.noc_traces = {folder_.path("noc_trace_dev0_Add_ID1024.json")};
  add_device_tracks({run, clocks_, {}}, timeline_);
  ASSERT_THAT(timeline_.findings, SizeIs(1));
  EXPECT_EQ(timeline_.findings[0].kind, FindingKind::kReaderWarning);
}

}  // namespace
}  // namespace ttscope::app
