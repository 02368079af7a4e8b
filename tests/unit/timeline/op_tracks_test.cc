#include "timeline/analyze/op_tracks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/timeline_sample.h"

namespace ttscope::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Two cores that run op 1 twice and then op 2, which the host sent from `sent_ns` on.
Timeline capture(std::int64_t sent_ns) {
  SampleMaker maker;
  const std::uint32_t firmware = maker.place("BRISC-FW");
  const std::uint32_t kernel = maker.place("BRISC-KERNEL");
  const std::uint32_t host = maker.place("TT_DNN_DEVICE_OP");
  const auto text = [&](std::string_view words) { return maker.made.texts.intern(words); };
  const std::uint32_t ops[] = {maker.detail({.op = 1}), maker.detail({.op = 2})};
  maker.track("main", TrackKind::kThread, maker.group("prog"));
  for (int op = 0; op < 2; ++op) {
    const std::uint32_t told = maker.detail({.text = text(op == 0 ? "id:1" : "id:2")});
    maker.zone(sent_ns + 10 * op, sent_ns + 10 * op + 5, host, 0, told);
  }
  const std::uint32_t device = maker.group("Device 3");
  for (int core = 0; core < 2; ++core) {
    Track& lane = maker.track("BRISC", TrackKind::kLane, maker.group("Core", device));
    lane.device = 3;
    for (int i = 0; i < 3; ++i) {
      const std::int64_t start = 100 * (i + 1) + core;
      maker.zone(start, start + 50, firmware, 0, ops[i / 2]);
      maker.zone(start + 10, start + 90, kernel, 1, ops[i / 2]);
    }
  }
  maker.made.messages = {{0, text("`TT_DNN_DEVICE_OP: \"Matmul\", 77, 3, true, 1 ->\n{}`"), kNone, 0}};
  maker.made.find_span();
  return std::move(maker.made);
}

struct Shown {
  std::string name;
  std::uint64_t op;
  std::int64_t start_ns;
  std::int64_t end_ns;
  bool operator==(const Shown&) const = default;
};

std::vector<Shown> zones_of(const Timeline& timeline, TrackKind kind) {
  std::vector<Shown> zones;
  for (const Track& track : timeline.tracks) {
    if (track.kind != kind) continue;
    EXPECT_TRUE(track.made);
    EXPECT_EQ(track.device, 3u);
    EXPECT_EQ(full_name(timeline, track.group), "Device 3");
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      zones.push_back({std::string(timeline.name_of_zone(zone)),
                       timeline.details[timeline.zones.detail[zone]].op, timeline.zones.start_ns[zone],
                       timeline.zones.end_ns[zone]});
    }
  }
  return zones;
}

TEST(OpTracks, AreMadeOfTheFirmwareOfACapture) {
  Timeline timeline = capture(20);
  add_ops_of_lanes(timeline);
  EXPECT_THAT(zones_of(timeline, TrackKind::kOps),
              ElementsAre(Shown{"Matmul", 1, 100, 151}, Shown{"Matmul", 1, 200, 251},
                          Shown{"op without a name", 2, 300, 351}));
  EXPECT_THAT(zones_of(timeline, TrackKind::kGaps),
              ElementsAre(Shown{"no op runs", 1, 151, 200}, Shown{"no op runs", 2, 251, 300}));
  // From the host's zone of an op to the first time that it ran.
  std::vector<std::int64_t> sent;
  for (const Link& link : timeline.links) {
    sent.push_back(timeline.zones.start_ns[link.from_zone]);
    sent.push_back(timeline.zones.start_ns[link.to_zone]);
  }
  EXPECT_THAT(sent, ElementsAre(20, 100, 30, 300));
  EXPECT_THAT(timeline.findings, IsEmpty());
  const std::size_t tracks = timeline.tracks.size();
  add_ops_of_lanes(timeline);
  EXPECT_EQ(timeline.tracks.size(), tracks) << "a device that has its ops keeps them";
}

TEST(OpTracks, ClocksThatWereNotBroughtTogetherAreSaid) {
  // The first op begins at 100.
  Timeline early = capture(250);
  add_ops_of_lanes(early);
  EXPECT_THAT(early.findings,
              ElementsAre(Finding{.kind = FindingKind::kOpBeforeHost, .distance_ns = 150, .device = 3}));
  Timeline late = capture(-2'000'000'000);
  add_ops_of_lanes(late);
  EXPECT_THAT(late.findings,
              ElementsAre(Finding{
                  .kind = FindingKind::kOpsLongAfterHost, .distance_ns = 2'000'000'095, .device = 3}));
}

TEST(MessageOp, OfEveryAge) {
  const auto now =
      parse_op_message_line("`TT_DNN_DEVICE_OP: \"Matmul\", 4831, 3, true, 3075 ->\n{\"a\": 1, 2}`");
  ASSERT_TRUE(now);
  EXPECT_EQ(now->name, "Matmul");
  EXPECT_EQ(now->device, "3");
  EXPECT_EQ(now->op, 3075u);
  EXPECT_EQ(parse_op_message_line("`TT_DNN_DEVICE_OP: \"Binary\", 4831, 0, 5`")->op, 5u);
  EXPECT_EQ(parse_op_message_line("`TT_DNN_DEVICE_OP: \"Binary\", 4831, 0, 7 -> {\"a\": 1, 2}`")->op, 7u);
  EXPECT_EQ(parse_op_message_line("`TT_DNN_DEVICE_OP: \"cut")->op, kNoOp);
  EXPECT_FALSE(parse_op_message_line("x `TT_DNN_DEVICE_OP: \"Matmul\", 1, 2, 3`"));
  EXPECT_EQ(op_of_text("id:1024"), 1024u);
  EXPECT_EQ(op_of_text("1024"), kNoOp);
}

}  // namespace
}  // namespace ttscope::timeline
