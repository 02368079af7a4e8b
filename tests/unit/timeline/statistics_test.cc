#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "support/timeline_sample.h"
#include "timeline/load.h"
#include "timeline/write/exports.h"
#include "timeline/write/outputs.h"

namespace ttscope::timeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string csv_of(const Profile& profile, CsvForm form) {
  StringWriter out;
  write_csv(profile, {.form = form, .child_names = {"Leaf"}}, out);
  EXPECT_TRUE(out.finish());
  return out.text();
}

/// The same sums by the obvious way: every zone against every other one of its track.
TEST(ZoneStats, AreTheSumsOfTheZones) {
  const Profile profile = profile_of("x", random_timeline(11, 1200));
  const Timeline& timeline = profile.timeline;
  std::map<std::pair<std::uint32_t, TrackKind>, std::pair<std::int64_t, std::int64_t>> expected;
  std::uint64_t zones = 0;
  for (const Track& track : timeline.tracks) {
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      auto& [total, self] = expected[{timeline.zones.location[zone], track.kind}];
      if (timeline.zones.length_ns(zone) == 0) continue;
      total += timeline.zones.length_ns(zone);
      self += self_ns(timeline, track, zone);
    }
  }
  for (const ZoneStat& stat : profile.stats) {
    zones += stat.count + stat.without_length;
    EXPECT_EQ(stat.total_ns, (expected[{stat.location, stat.kind}].first));
    EXPECT_EQ(stat.self_ns, (expected[{stat.location, stat.kind}].second));
    EXPECT_LE(stat.min_ns, stat.median_ns);
    EXPECT_LE(stat.median_ns, stat.max_ns);
  }
  EXPECT_EQ(profile.stats.size(), expected.size());
  EXPECT_EQ(zones, timeline.zones.size()) << "every zone is in one row";
}

TEST(ZoneStats, AZoneWithALongerOneInsideHasNoNegativeOwnTime) {
  SampleMaker maker;
  const std::uint32_t outer = maker.place("outer");
  const std::uint32_t inner = maker.place("inner");
  maker.track("thread", TrackKind::kThread, maker.group("prog"));
  maker.zone(1000, 2000, outer);
  maker.zone(1500, 9000, inner, 1);
  maker.made.find_span();
  const Profile profile = profile_of("x", std::move(maker.made));
  ASSERT_EQ(profile.stats.size(), 2U);
  for (const ZoneStat& stat : profile.stats) {
    const bool is_outer = stat.location == outer;
    EXPECT_EQ(stat.total_ns, is_outer ? 1000 : 7500);
    EXPECT_EQ(stat.self_ns, is_outer ? 0 : 7500);
    EXPECT_EQ(stat.self_min_ns, is_outer ? 0 : 7500);
  }
}

TEST(Csvexport, HasItsForms) {
  const Profile profile = profile_of("x", sample_timeline());
  EXPECT_EQ(csv_of(profile, CsvForm::kStats),
            "name,src_file,src_line,total_ns,total_perc,counts,mean_ns,min_ns,max_ns,std_ns\n"
            "Leaf,\"leaf,\"\"x\"\".cpp\",7,2000,21.052632,2,1000,1000,1000,0.000000\n"
            "EnqueueProgram,host.cpp,42,7000,73.684211,2,3500,2000,5000,2121.320344\n");
  EXPECT_EQ(csv_of(profile, CsvForm::kSelf),
            "name,src_file,src_line,total_ns,total_perc,counts,mean_ns,min_ns,max_ns,std_ns\n"
            "Leaf,\"leaf,\"\"x\"\".cpp\",7,2000,21.052632,2,1000,1000,1000,0.000000\n"
            "EnqueueProgram,host.cpp,42,6000,63.157895,2,3000,2000,4000,2121.320344\n");
  EXPECT_EQ(csv_of(profile, CsvForm::kMessages),
            "MessageName,total_ns\n`TT_SIGNPOST: Warmup`,900\nsecond\nline,6500\n");
  EXPECT_EQ(csv_of(profile, CsvForm::kOpsData),
            "MessageName;total_ns\n`TT_SIGNPOST: Warmup`;900\nsecond\nline;6500\n");
  EXPECT_EQ(csv_of(profile, CsvForm::kUnwrapPlots),
            "name,src_file,src_line,ns_since_start,exec_time_ns,thread,value\n"
            "EnqueueProgram,host.cpp,42,1000,5000,1,id:1024\n"
            "EnqueueProgram,host.cpp,42,7000,2000,1,\n"
            "Leaf,\"leaf,\"\"x\"\".cpp\",7,2000,1000,1,\n"
            "Leaf,\"leaf,\"\"x\"\".cpp\",7,1500,1000,2,\n"
            "L1_used_bytes,,,1000,,,10.000000\n"
            "L1_used_bytes,,,5000,,,50.000000\n"
            "L1_used_bytes,,,9000,,,20.000000\n");
  EXPECT_THAT(csv_of(profile, CsvForm::kGpu), HasSubstr("BRISC-KERNEL,brisck.cc,2110,2800\n"));
  EXPECT_THAT(csv_of(profile, CsvForm::kOpsTimes),
              HasSubstr("EnqueueProgram,host.cpp,42,,\"id:1024\",1000,5000,1,\n"));
}

TEST(Summary, HostileNamesAreText) {
  SampleMaker maker;
  maker.track("\x1b[31mred", TrackKind::kThread, maker.group("prog"));
  maker.zone(0, 10, maker.place("\x1b]0;x\x07<b>|"));
  maker.made.messages = {{5, maker.made.texts.intern("\x1b[2J"), 0, 0}};
  maker.made.find_span();
  const Profile profile = profile_of("\x1b[1mname", std::move(maker.made));
  EXPECT_THAT(timeline_summary_text(profile, {}), Not(HasSubstr("\x1b")));
  StringWriter out;
  write_timeline_markdown(profile, out);
  ASSERT_TRUE(out.finish());
  EXPECT_THAT(out.text(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(out.text(), Not(HasSubstr("<b>|")));
}

}  // namespace
}  // namespace ttscope::timeline
