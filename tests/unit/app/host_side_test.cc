// The host of a capture: which of its files is read, and how several hosts come onto one axis.
#include "app/timeline/open_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/profiler_folder.h"
#include "support/temp_folder.h"
#include "support/timeline_sample.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using timeline::FindingKind;
using timeline::Timeline;

class HostOfRun : public ::testing::Test {
 protected:
  std::string capture(const std::string& name) const {
    return folder_.file(name, timeline::tracy_bytes(timeline::sample_timeline()));
  }
  /// The tables of csvexport, with an op, in a folder of their own.
  perf::Capture tables() const {
    const std::string logs = testing::ProfilerFolder(folder_.path("run"))
                                 .on_host(1024, "Matmul", 100'000)
                                 .message("`TT_SIGNPOST: step`", 60'000)
                                 .write(false) +
                             "/.logs/";
    perf::Capture capture;
    capture.files.host_times = logs + "tracy_ops_times.csv";
    capture.files.host_messages = logs + "tracy_ops_data.csv";
    return capture;
  }
  static HostSide host_of(const perf::Capture& capture, const std::string& given = {}) {
    Result<HostSide> host = host_of_run(capture, given);
    EXPECT_TRUE(host) << host.error().message;
    return host ? std::move(*host) : HostSide();
  }

  testing::TempFolder folder_;
};

std::vector<FindingKind> findings_of(const HostSide& host) {
  std::vector<FindingKind> kinds;
  for (const timeline::Finding& finding : host.timeline.findings) kinds.push_back(finding.kind);
  return kinds;
}

std::vector<std::string> tracks_of(const Timeline& timeline) {
  std::vector<std::string> names;
  for (const timeline::Track& track : timeline.tracks) names.push_back(full_name(timeline, track));
  return names;
}

TEST_F(HostOfRun, WithoutFilesOfAHostThereIsNone) {
  const HostSide host = host_of({});
  EXPECT_FALSE(host.clock.has_content);
  EXPECT_THAT(host.timeline.alignments, IsEmpty());
}

TEST_F(HostOfRun, TablesTellItsZonesItsMessagesAndWhenOpsWereSent) {
  const HostSide host = host_of(tables());
  EXPECT_THAT(tracks_of(host.timeline), ElementsAre("Host / thread 1"));
  EXPECT_THAT(host.timeline.messages, SizeIs(2));
  EXPECT_THAT(host.clock.starts, ElementsAre(Pair(1024, 80'000)));
  EXPECT_EQ(host.clock.first_ns, 60'000);
  ASSERT_THAT(host.timeline.sources, SizeIs(2));
  EXPECT_EQ(host.timeline.sources[0].format, "zones of csvexport");
  EXPECT_EQ(host.timeline.sources[1].format, "messages of csvexport");
  EXPECT_EQ(host.timeline.alignments.at(0).basis, timeline::AlignmentBasis::kAxis);
}

TEST_F(HostOfRun, ACaptureBesideTheTablesIsTakenForThem) {
  perf::Capture run = tables();
  capture("run/.logs/tracy_profile_log_host.tracy");
  const HostSide host = host_of(run);
  EXPECT_THAT(tracks_of(host.timeline), ::testing::Contains("prog / main"));
  EXPECT_THAT(host.clock.starts, ElementsAre(Pair(1024, 1000)));
}

TEST_F(HostOfRun, ADamagedCaptureBesideTheTablesIsAWarningAndOneThatWasGivenAnError) {
  perf::Capture run = tables();
  const std::string damaged = folder_.file("run/.logs/tracy_profile_log_host.tracy", "tlZ\x04 nothing");
  const HostSide host = host_of(run);
  EXPECT_THAT(findings_of(host), ElementsAre(FindingKind::kReaderWarning));
  EXPECT_THAT(host.timeline.findings[0].text, HasSubstr(damaged));
  EXPECT_THAT(tracks_of(host.timeline), ElementsAre("Host / thread 1"));
  const Result<HostSide> given = host_of_run(run, damaged);
  ASSERT_FALSE(given);
  EXPECT_THAT(given.error().message, HasSubstr(damaged));
}

TEST_F(HostOfRun, BesideADeviceLogTheDeviceZonesOfTheCaptureAreLeftOut) {
  perf::Capture run = tables();
  const std::string given = capture("given.tracy");
  const HostSide alone = host_of(run, given);
  const auto is_of_device = [](const timeline::Track& track) { return track.is_of_device(); };
  EXPECT_TRUE(std::any_of(alone.timeline.tracks.begin(), alone.timeline.tracks.end(), is_of_device));
  EXPECT_THAT(findings_of(alone), Not(::testing::Contains(FindingKind::kDeviceZonesDropped)));
  run.log.emplace();
  const HostSide beside = host_of(run, given);
  EXPECT_FALSE(std::any_of(beside.timeline.tracks.begin(), beside.timeline.tracks.end(), is_of_device));
  EXPECT_THAT(findings_of(beside), ::testing::Contains(FindingKind::kDeviceZonesDropped));
  ASSERT_FALSE(beside.timeline.tracks.empty());
  EXPECT_EQ(beside.timeline.zones.size(), beside.timeline.tracks.back().end_zone());
}

TEST_F(HostOfRun, OneOfSeveralHostsIsNamed) {
  perf::Capture run = tables();
  run.host_name = "rank1";
  const HostSide host = host_of(run);
  EXPECT_THAT(tracks_of(host.timeline), ElementsAre("Host rank1 / thread 1"));
  EXPECT_EQ(host.timeline.alignments.at(0).what, "host rank1");
}

TEST_F(HostOfRun, FoldersAndFilesOfTheRecorderAreRecordings) {
  EXPECT_TRUE(is_recording(folder_.path()));
  EXPECT_TRUE(is_recording("a.ttrec"));
  EXPECT_FALSE(is_recording("a.tracy"));
  EXPECT_FALSE(is_recording(""));
}

TEST_F(HostOfRun, TablesOfACaptureAreThoseOfCsvexport) {
  const auto made = host_tables_of(capture("a.tracy"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->times, HasSubstr("\nEnqueueProgram,host.cpp,42,,\"id:1024\",1000,5000,1,\n"));
  EXPECT_THAT(made->messages, ::testing::StartsWith("MessageName;total_ns\n`TT_SIGNPOST: Warmup`;900\n"));
  EXPECT_THAT(made->warning, IsEmpty());
  EXPECT_FALSE(host_tables_of(folder_.path("gone.tracy")));
}

TEST_F(HostOfRun, WarningsOfACaptureAreThoseOfItsTables) {
  const std::string whole = timeline::tracy_bytes(timeline::sample_timeline());
  const auto made = host_tables_of(folder_.file("cut.tracy", whole.substr(0, whole.size() - 20)));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->warning, HasSubstr("cut.tracy"));
}

/// Two hosts with an op each, of which the second one's clock is 500 ns behind.
std::vector<HostSide> two_hosts() {
  std::vector<HostSide> hosts;
  for (const std::string name : {"one", "two"}) {
    timeline::SampleMaker maker;
    const std::uint32_t group = maker.group(name);
    const std::uint32_t place = maker.place("send");
    maker.track("main", timeline::TrackKind::kThread, group).id = 7;
    maker.zone(100, 200, place);
    maker.made.sources.push_back({.path = "/" + name});
    maker.made.messages.push_back({150, maker.made.texts.intern("loc(\"a\")"), 0, 0});
    maker.made.alignments.push_back({.what = name});
    HostSide host;
    host.timeline = std::move(maker.made);
    host.zones = {{1024, 0}};
    hosts.push_back(std::move(host));
  }
  hosts[1].clock.shift_ns = 500;
  hosts[1].clock.basis = timeline::AlignmentBasis::kCollectives;
  hosts[1].clock.samples = 3;
  hosts[1].clock.worst_ns = 9;
  return hosts;
}

TEST(JoinHosts, LaterHostsAreMovedToTheAxisOfTheFirst) {
  std::vector<HostSide> hosts = two_hosts();
  Timeline joined;
  const std::vector<HostOps> host_ops = join_hosts(hosts, joined);
  EXPECT_THAT(joined.zones.start_ns, ElementsAre(100, 600));
  ASSERT_THAT(joined.messages, SizeIs(2));
  EXPECT_EQ(joined.messages[1].time_ns, 650);
  ASSERT_THAT(host_ops, SizeIs(2));
  EXPECT_EQ(host_ops[0].locations.at(0).time_ns, 150);
  EXPECT_EQ(host_ops[1].locations.at(0).time_ns, 650);
  EXPECT_THAT(host_ops[1].paths, ElementsAre("/two"));
}

TEST(JoinHosts, ZonesOfOpsThreadsAndAlignmentsAreTheirOwn) {
  std::vector<HostSide> hosts = two_hosts();
  Timeline joined;
  join_hosts(hosts, joined);
  EXPECT_EQ(hosts[0].zones.at(1024), 0u);
  EXPECT_EQ(hosts[1].zones.at(1024), 1u);
  ASSERT_THAT(joined.tracks, SizeIs(2));
  EXPECT_NE(joined.tracks[0].id, joined.tracks[1].id);
  EXPECT_EQ(joined.tracks[0].id, 7u);
  ASSERT_THAT(joined.alignments, SizeIs(2));
  EXPECT_EQ(joined.alignments[0].basis, timeline::AlignmentBasis::kAxis);
  EXPECT_EQ(joined.alignments[1].basis, timeline::AlignmentBasis::kCollectives);
  EXPECT_EQ(joined.alignments[1].samples, 3u);
  EXPECT_EQ(joined.alignments[1].worst_ns, 9);
  EXPECT_EQ(joined.zones.location[0], joined.zones.location[1]) << "one place of one program";
}

}  // namespace
}  // namespace ttscope::app
