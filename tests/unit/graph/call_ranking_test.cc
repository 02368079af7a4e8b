#include "graph/analyze/segment_profile.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {
namespace {

/// Calls of each name that have none of it around, found the long way.
std::vector<std::uint64_t> outer_calls(const SegmentProfile& profile) {
  std::vector<std::uint64_t> counts;
  for (const GraphCall& call : profile.calls) {
    bool is_inside = false;
    for (std::uint32_t outer = call.parent; outer != kNone; outer = profile.calls[outer].parent)
      is_inside |= profile.calls[outer].name == call.name;
    if (counts.size() <= call.name) counts.resize(call.name + 1);
    if (!is_inside) ++counts[call.name];
  }
  return counts;
}

TEST(CallGroups, CountWhatIsNotInsideOfTheSame) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    GraphTraceBuilder builder;
    for (int step = 0; step < 200; ++step) {
      const std::string name(1, static_cast<char>('a' + random() % 4));
      if (random() % 2 == 0) {
        builder.add_function_start(name, {}, 0);
      } else {
        builder.add_function_end(name, 0, 0);  // some end nothing, and some calls never end
      }
    }
    const GraphTrace trace = builder.finish();
    const auto profiled = profile_segment(trace, kCorrectedRules);
    ASSERT_TRUE(profiled);
    const SegmentProfile& profile = *profiled;
    const std::vector<std::uint64_t> expected = outer_calls(profile);
    for (const CallGroup& group : call_groups(profile)) EXPECT_EQ(group.calls, expected[group.name]) << seed;
  }
}

// Of 300,000 calls that never end, the sentence that names the last one had two megabytes.
TEST(CallPath, NamesTheInnermostCalls) {
  GraphTraceBuilder builder;
  for (int i = 0; i < 100; ++i) builder.add_function_start("f" + std::to_string(i), {}, 0);
  const GraphTrace trace = builder.finish();
  const auto profile = profile_segment(trace, kCorrectedRules);
  ASSERT_TRUE(profile);
  EXPECT_EQ(call_path(trace, *profile, 2), "f0 > f1 > f2");
  EXPECT_EQ(call_path(trace, *profile, 63).substr(0, 8), "f0 > f1 ");
  EXPECT_EQ(call_path(trace, *profile, 99).substr(0, 16), "... > f36 > f37 ");
  EXPECT_TRUE(call_path(trace, *profile, 99).ends_with(" > f98 > f99"));
}

}  // namespace
}  // namespace ttscope::graph
