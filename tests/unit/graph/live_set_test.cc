// What is live across segments, against the sums of the tracker and an obvious walk over all events.
#include "graph/analyze/profile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {
namespace {

using Buffer = GraphTraceBuilder::Buffer;

/// Segments of one session, made event by event.
class Session {
 public:
  struct Options {
    bool has_ids = true;
    bool has_addresses = true;
  };
  explicit Session(Options options) : options_(options) {}

  std::uint32_t allocate(std::int64_t size, std::string_view kind, std::string_view owner,
                         bool in_dram = true) {
    const auto id = static_cast<std::uint32_t>(buffers_.size());
    Buffer buffer;
    buffer.size_bytes = size;
    buffer.max_size_per_bank_bytes = in_dram ? (size + 11) / 12 : size / 4;
    buffer.page_size_bytes = 64;
    buffer.buffer_type = in_dram ? 0 : 1;
    buffers_.push_back({buffer, std::string(kind), std::string(owner)});
    const std::uint32_t event = builder_.add_buffer_allocate(buffer, address(id), 0);
    builder_.connect(event, node_of(id));
    return id;
  }
  void free(std::uint32_t id) {
    const std::uint32_t node = node_of(id);
    builder_.connect(builder_.add_buffer_deallocate(buffers_[id].facts, address(id), 0), node);
  }
  void snapshot(const std::string& name) {
    for (const auto& [id, node] : nodes_) {
      if (options_.has_ids) builder_.label_buffer(node, id, buffers_[id].kind, buffers_[id].owner);
    }
    nodes_.clear();
    capture_.segments.push_back({name, builder_.finish()});
  }
  Profile profile() {
    Profile profile;
    EXPECT_TRUE(add_capture(profile, "session", std::move(capture_)));
    finish_profile(profile);
    return profile;
  }

 private:
  struct Made {
    Buffer facts;
    std::string kind;
    std::string owner;
  };
  std::int64_t address(std::uint32_t id) const { return options_.has_addresses ? 4096 + id * 64 : 0; }
  std::uint32_t node_of(std::uint32_t id) {
    const auto known = nodes_.find(id);
    if (known != nodes_.end()) return known->second;
    return nodes_[id] = builder_.add_buffer(buffers_[id].facts, 0);
  }

  Options options_;
  GraphTraceBuilder builder_;
  std::vector<Made> buffers_;
  std::map<std::uint32_t, std::uint32_t> nodes_;
  GraphCapture capture_;
};

std::int64_t sum_of_live(const LiveSet& set, const std::vector<std::uint32_t>& live) {
  std::int64_t sum = 0;
  for (const std::uint32_t number : live) sum += set.buffers[number].bytes;
  return sum;
}

TEST(LiveSet, WeightsOfTheFirstSegmentAreLiveAtThePeakOfTheLast) {
  Session session({});
  const std::uint32_t weight = session.allocate(1000, "weight", "layers.0.mlp.w1/weight");
  session.snapshot("MODEL");
  const std::uint32_t activation = session.allocate(600, "activation", "layers.0");
  session.snapshot("FORWARD");
  const std::uint32_t gradient = session.allocate(500, "gradient", "layers.0.mlp.w1/weight");
  session.free(activation);
  session.free(gradient);
  session.free(weight);
  session.snapshot("BACKWARD");
  const Profile profile = session.profile();
  const LiveSet& set = profile.live;
  EXPECT_EQ(set.dram.bytes, 2100);
  EXPECT_EQ(set.dram.at.segment, 2u);
  ASSERT_EQ(set.live_at_dram_peak.size(), 3u);
  EXPECT_EQ(set.buffers[set.live_at_dram_peak[0]].owner, "layers.0.mlp.w1/weight");
  EXPECT_EQ(set.buffers[set.live_at_dram_peak[0]].freed.segment, 2u);
  std::map<std::string, std::int64_t> parts;
  for (const PartBytes& part : set.dram.parts) parts[set.parts[part.part]] = part.bytes;
  EXPECT_THAT(parts, testing::ElementsAre(testing::Pair("activation", 600), testing::Pair("gradient", 500),
                                          testing::Pair("weight", 1000)));
  EXPECT_EQ(set.tied_by_size, 0u);
}

TEST(LiveSet, AFreeOfWhatNobodyAllocatedIsSubtracted) {
  Session session({});
  const std::uint32_t before = session.allocate(300, "weight", "");
  session.snapshot("DROPPED");
  session.free(before);
  session.allocate(1000, "activation", "");
  session.snapshot("A");
  Profile profile = session.profile();
  profile.segments.erase(profile.segments.begin());
  finish_profile(profile);
  EXPECT_EQ(profile.live.dram.bytes, 700);
  EXPECT_EQ(profile.live.dram.older_freed_bytes, 300);
  EXPECT_EQ(sum_of_live(profile.live, profile.live.live_at_dram_peak), 1000);
}

struct Form {
  bool has_ids;
  bool has_addresses;
};

class LiveSetSums : public testing::TestWithParam<Form> {};

/// The highest sum and what is live at it, from all events in order.
TEST_P(LiveSetSums, AreThoseOfAnObviousWalkAndOfTheTracker) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    Session session({GetParam().has_ids, GetParam().has_addresses});
    std::vector<std::pair<std::uint32_t, std::int64_t>> live;
    std::int64_t current = 0;
    std::int64_t peak = 0;
    std::size_t live_at_peak = 0;
    for (int segment = 0; segment < 6; ++segment) {
      for (int event = 0; event < 40; ++event) {
        if (!live.empty() && random() % 5 < 2) {
          const std::size_t one = random() % live.size();
          session.free(live[one].first);
          current -= live[one].second;
          live.erase(live.begin() + static_cast<std::ptrdiff_t>(one));
        } else {
          const std::int64_t size = 64 * static_cast<std::int64_t>(1 + random() % 20);
          live.emplace_back(session.allocate(size, random() % 2 == 0 ? "weight" : "activation", "x"), size);
          current += size;
        }
        if (current > peak) {
          peak = current;
          live_at_peak = live.size();
        }
      }
      session.snapshot(fmt::format("S{}", segment));
    }
    const Profile profile = session.profile();
    const LiveSet& set = profile.live;
    EXPECT_EQ(set.dram.bytes, peak) << seed;
    EXPECT_EQ(set.dram.bytes, cumulative_dram(profile.figures()).back().peak) << seed;
    EXPECT_EQ(set.live_at_dram_peak.size(), live_at_peak) << seed;
    EXPECT_EQ(sum_of_live(set, set.live_at_dram_peak), peak) << seed;
    std::int64_t parts = 0;
    for (const PartBytes& part : set.dram.parts) parts += part.bytes;
    EXPECT_EQ(parts, peak) << seed;
    EXPECT_EQ(set.tied_by_size > 0, !GetParam().has_ids && !GetParam().has_addresses) << seed;
  }
}
INSTANTIATE_TEST_SUITE_P(Forms, LiveSetSums,
                         testing::Values(Form{true, true}, Form{true, false}, Form{false, true},
                                         Form{false, false}));

TEST(LiveSet, L1GoesOnAcrossSegmentsToo) {
  Session session({});
  session.allocate(4000, "activation", "a", false);
  session.snapshot("A");
  session.allocate(2000, "activation", "b", false);
  session.snapshot("B");
  const Profile profile = session.profile();
  EXPECT_EQ(profile.live.l1.bytes, 1500);
  EXPECT_EQ(profile.live.live_at_l1_peak.size(), 2u);
}

TEST(LiveSet, NumbersOfLayersMakeGroups) {
  EXPECT_EQ(owner_group("layers.12.mlp.w1/weight"), "layers.*.mlp.w1/weight");
  EXPECT_EQ(owner_group("block_3/bias"), "block_*/bias");
  EXPECT_EQ(owner_group("w1"), "w1");
  EXPECT_EQ(owner_group(""), "");
}

TEST(Findings, ACaptureThatEndsInsideOfCallsSaysSo) {
  GraphTraceBuilder builder;
  builder.add_capture_start();
  builder.add_function_start("ttnn.matmul", {}, 1);
  builder.add_function_start("MatmulDeviceOperation", {}, 2);
  GraphCapture capture;
  capture.segments.push_back({"A", builder.finish()});
  Profile profile;
  ASSERT_TRUE(add_capture(profile, "a", std::move(capture)));
  finish_profile(profile);
  ASSERT_EQ(profile.findings.size(), 1u);
  EXPECT_EQ(profile.findings[0].kind, FindingKind::kStopped);
  EXPECT_EQ(profile.findings[0].count, 2u);
}

Profile with_circular_buffers(std::string_view first, std::string_view second, bool releases) {
  GraphTraceBuilder builder;
  builder.add_capture_start();
  if (releases) builder.add_deallocate_all(0, 0);
  for (const std::string_view ranges : {first, second})
    builder.add_program_buffer(NodeKind::kCircularBufferAllocate, {1'000'000, 0, 0, ranges, false}, 0);
  builder.add_capture_end();
  GraphCapture capture;
  capture.segments.push_back({"A", builder.finish()});
  Profile profile;
  EXPECT_TRUE(add_capture(profile, "a", std::move(capture)));
  finish_profile(profile);
  return profile;
}

TEST(Findings, L1BeyondACoreSaysWhatTheCaptureLacks) {
  const Profile profile = with_circular_buffers("{[0-0 - 1-1]}", "{[0-0 - 1-1]}", false);
  ASSERT_EQ(profile.findings.size(), 1u);
  EXPECT_EQ(profile.findings[0].kind, FindingKind::kL1ExceedsCore);
  EXPECT_EQ(profile.findings[0].bytes, 2'000'000);
  EXPECT_EQ(profile.findings[0].limit_bytes, 1536 * 1024);
  EXPECT_THAT(profile.findings[0].lacks, testing::ElementsAre(Lack::kDevice, Lack::kReleases));
}

TEST(Findings, ASumOverDifferentCoresIsOnlyASum) {
  const Profile profile = with_circular_buffers("{[0-0 - 1-1]}", "{[2-0 - 3-1]}", true);
  ASSERT_EQ(profile.findings.size(), 1u);
  EXPECT_EQ(profile.findings[0].kind, FindingKind::kL1SumExceedsCore);
  EXPECT_EQ(profile.findings[0].busiest_bytes, 1'000'000);
}

}  // namespace
}  // namespace ttscope::graph
