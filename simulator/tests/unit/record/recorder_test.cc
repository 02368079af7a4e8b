#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/sanitized.h"
#include "unit/record/record_case.h"

namespace ttscope::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using timeline::Timeline;
using timeline::Track;
using timeline::TrackKind;

class Recorder : public RecordCase {};

TEST_F(Recorder, WithoutAFolderNothingIsRecorded) {
  EXPECT_EQ(ttscope_record_active(), 0);
  EXPECT_EQ(begin("a"), 0u);
  ttscope_record_zone_end();
  ttscope_record_message("x", 1, 0);
  EXPECT_EQ(ttscope_record_file(nullptr, 0), 0u);
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(Recorder, AllKindsOfMarksAreReadBack) {
  start();
  static ttscope_record_site site{{"work", "f", "a.cc", 12, 0x112233}, 0};
  EXPECT_EQ(ttscope_record_zone_begin(&site), 1u);
  EXPECT_EQ(begin("inner"), 2u);
  ttscope_record_zone_text(1, "outer text", 10);
  ttscope_record_zone_text(TTSCOPE_RECORD_INNERMOST, "one", 3);
  ttscope_record_zone_text(2, "two", 3);
  ttscope_record_zone_value(2, 255);
  ttscope_record_zone_name(2, "renamed", 7);
  ttscope_record_zone_color(2, 0xFF0000);
  ttscope_record_zone_end();
  ttscope_record_zone_text(2, "of nobody", 9);
  ttscope_record_message("hello", 5, 0x00FF00);
  ttscope_record_signpost("start", "more");
  ttscope_record_frame(nullptr);
  ttscope_record_frame_begin("step");
  ttscope_record_frame_end("step");
  ttscope_record_plot_unit("use", TTSCOPE_RECORD_PERCENT);
  ttscope_record_plot("use", 12.5);
  ttscope_record_alloc(64, 100, "L1");
  ttscope_record_alloc(128, 50, "L1");
  ttscope_record_free(64, "L1");
  ttscope_record_thread_name("worker");
  ttscope_record_zone_end();
  const Timeline read = stop_and_read();
  EXPECT_THAT(read.findings, IsEmpty());
  EXPECT_FALSE(read.problems.any());
  ASSERT_THAT(read.tracks, SizeIs(3));
  EXPECT_EQ(read.text(read.tracks[0].name), "worker");
  EXPECT_THAT(zones_of(read, read.tracks[0]), ElementsAre("work/0", "renamed/1"));
  const timeline::Location& place = read.locations[read.zones.location[0]];
  EXPECT_EQ(read.text(place.function), "f");
  EXPECT_EQ(read.text(place.file), "a.cc");
  EXPECT_EQ(place.line, 12u);
  EXPECT_EQ(place.color, 0x112233u);
  EXPECT_EQ(read.text(read.details[read.zones.detail[0]].text), "outer text");
  EXPECT_EQ(read.text(read.details[read.zones.detail[1]].text), "one\ntwo\n255 [0xFF]");
  EXPECT_EQ(read.details[read.zones.detail[1]].color, 0xFF0000u);
  EXPECT_THAT(zones_of(read, read.tracks[1]), ElementsAre("Frame/0"));
  EXPECT_THAT(zones_of(read, read.tracks[2]), ElementsAre("step/0"));
  ASSERT_THAT(read.messages, SizeIs(2));
  EXPECT_EQ(read.text(read.messages[0].text), "hello");
  EXPECT_EQ(read.messages[0].color, 0x00FF00u);
  EXPECT_EQ(read.text(read.messages[1].text), "`TT_SIGNPOST: start\nmore`");
  ASSERT_THAT(read.plots, SizeIs(2));
  EXPECT_EQ(read.plots[0].unit, timeline::PlotUnit::kPercent);
  EXPECT_EQ(read.plots[0].points[0].value, 12.5);
  EXPECT_EQ(read.text(read.plots[1].name), "L1");
  EXPECT_EQ(read.plots[1].points.back().value, 50);
}

TEST_F(Recorder, LongTextsComeInPartsAndAreCutAtAMegabyte) {
  start();
  const std::string fits(100'000, 'a');
  const std::string too_long(3'000'000, 'b');
  ttscope_record_message(fits.data(), fits.size(), 0);
  ttscope_record_message(too_long.data(), too_long.size(), 0);
  const Timeline read = stop_and_read();
  ASSERT_THAT(read.messages, SizeIs(2));
  EXPECT_EQ(read.text(read.messages[0].text), fits);
  EXPECT_EQ(read.text(read.messages[1].text), std::string(1 << 20, 'b'));
}

TEST_F(Recorder, ThreadsRecordAtOnceAndNothingIsLost) {
  constexpr int kThreads = 4;
  constexpr int kZones = testing::kSanitized ? 9000 : 40000;  // more than a slot holds
  start();
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([i] {
      ttscope_record_thread_name(("thread " + std::to_string(i)).c_str());
      static ttscope_record_site outer{{"outer", "f", "a.cc", 1, 0}, 0};
      static ttscope_record_site inner{{"inner", "f", "a.cc", 2, 0}, 0};
      ttscope_record_zone_begin(&outer);
      for (int zone = 0; zone < kZones; ++zone) {
        ttscope_record_zone_begin(&inner);
        ttscope_record_zone_end();
      }
      ttscope_record_zone_end();
      ttscope_record_alloc(static_cast<std::uint64_t>(i), 10, "pool");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ttscope_record_dropped(), 0u);
  const Timeline read = stop_and_read();
  EXPECT_FALSE(read.problems.any());
  ASSERT_THAT(read.tracks, SizeIs(kThreads));
  for (const Track& track : read.tracks) {
    ASSERT_EQ(track.zone_count, kZones + 1u);
    EXPECT_EQ(read.name_of_zone(track.first_zone), "outer");
    EXPECT_THAT(std::string(read.text(track.name)), HasSubstr("thread "));
    for (std::size_t zone = track.first_zone + 1; zone < track.end_zone(); ++zone) {
      ASSERT_EQ(read.zones.depth[zone], 1u);
      ASSERT_GE(read.zones.start_ns[zone],
                read.zones.end_ns[zone - (zone > track.first_zone + 1 ? 1 : 0)] -
                    (zone > track.first_zone + 1 ? 0 : read.zones.length_ns(zone - 1)));
    }
  }
  ASSERT_THAT(read.plots, SizeIs(1));
  EXPECT_EQ(read.plots[0].points.back().value, 10.0 * kThreads);
}

TEST_F(Recorder, ManyShortThreadsShareTheirMemory) {
  constexpr int kThreads = 200;
  start();
  for (int i = 0; i < kThreads; ++i) {
    std::thread([] {
      begin("short");
      ttscope_record_zone_end();
    }).join();
  }
  const Timeline read = stop_and_read();
  EXPECT_THAT(read.tracks, SizeIs(kThreads));
  EXPECT_EQ(read.zones.size(), std::size_t{kThreads});
  // A page for each, not a slot.
  EXPECT_LT(std::filesystem::file_size(read.sources[0].path), 4'000'000u);
}

TEST_F(Recorder, WhatFindsNoRoomIsDroppedAndCounted) {
  setenv("TTSCOPE_RECORD_MB", "1", 1);
  start();
  constexpr std::uint64_t kZones = 200'000;
  static ttscope_record_site outer{{"outer", "f", "a.cc", 1, 0}, 0};
  static ttscope_record_site inner{{"inner", "f", "a.cc", 2, 0}, 0};
  ttscope_record_zone_begin(&outer);
  for (std::uint64_t zone = 0; zone < kZones; ++zone) {
    ttscope_record_zone_begin(&inner);
    ttscope_record_zone_end();
  }
  EXPECT_EQ(begin("never seen"), 0u);
  ttscope_record_zone_end();
  ttscope_record_zone_end();
  const std::uint64_t dropped = ttscope_record_dropped();
  std::thread([] { begin("a thread that gets nothing"); }).join();
  EXPECT_EQ(ttscope_record_dropped(), dropped + 1);
  const Timeline read = stop_and_read();
  // Every mark is either there or counted, and what is there has no open ends.
  EXPECT_EQ(2 * read.zones.size() + dropped, 2 * (kZones + 2));
  EXPECT_FALSE(read.problems.any());
  EXPECT_GE(read.zones.length_ns(0), 0);
  ASSERT_THAT(read.findings, SizeIs(1));
  EXPECT_EQ(read.findings[0].kind, timeline::FindingKind::kEventsDroppedRoom);
  EXPECT_EQ(read.findings[0].count, dropped + 1);
  EXPECT_LE(std::filesystem::file_size(read.sources[0].path), 1u << 20);
}

TEST_F(Recorder, AForkedChildHasAFileOfItsOwn) {
  start();
  begin("of the parent");
  const pid_t child = forked([] {
    ttscope_record_zone_end();  // that of the parent: not its own
    begin("of the child");
    ttscope_record_zone_end();
    std::thread([] { ttscope_record_message("from its thread", 15, 0); }).join();
  });
  EXPECT_EQ(waited(child), 0);
  ttscope_record_zone_end();
  const Timeline read = stop_and_read();
  EXPECT_THAT(folder_.names(), SizeIs(2));
  EXPECT_FALSE(read.problems.any());
  ASSERT_THAT(read.groups, SizeIs(2));
  ASSERT_THAT(read.tracks, SizeIs(3));
  EXPECT_THAT(zones_of(read, read.tracks[0]), ElementsAre("of the parent/0"));
  EXPECT_THAT(zones_of(read, read.tracks[1]), ElementsAre("of the child/0"));
  EXPECT_EQ(read.sources[1].process, static_cast<std::uint64_t>(child));
  // One axis: the child's zone lies in that of its parent.
  EXPECT_GE(read.zones.start_ns[1], read.zones.start_ns[0]);
  EXPECT_LE(read.zones.end_ns[1], read.zones.end_ns[0]);
}

TEST_F(Recorder, EachStartMakesAFileAndOpenZonesDoNotReachOver) {
  static ttscope_record_site site{{"again", "f", "a.cc", 1, 0}, 0};
  start();
  EXPECT_EQ(ttscope_record_start(folder_.path().c_str()), 0) << "it goes on already";
  ttscope_record_zone_begin(&site);
  ttscope_record_stop();
  ttscope_record_zone_end();
  start();
  ttscope_record_zone_end();
  ttscope_record_zone_begin(&site);
  ttscope_record_zone_end();
  const Timeline read = stop_and_read();
  EXPECT_THAT(folder_.names(), SizeIs(2));
  ASSERT_EQ(read.zones.size(), 2u);
  EXPECT_EQ(read.name_of_zone(1), "again");
  EXPECT_EQ(read.problems.count(timeline::TimelineProblem::kZoneWithoutEnd), 1u);
}

TEST_F(Recorder, AFolderThatCannotBeWrittenIsRefused) {
  EXPECT_EQ(ttscope_record_start("/proc/no-such-folder"), 0);
  EXPECT_EQ(ttscope_record_start(""), 0);
  EXPECT_EQ(ttscope_record_active(), 0);
}

// A mapped page without room on the disk behind it would end the program.
TEST_F(Recorder, AFileThatMayNotGrowEndsNoProgram) {
  const pid_t child = forked([this] {
    const rlimit small = {100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &small);
    ttscope_record_start(folder_.path().c_str());
    for (int i = 0; i < 50'000; ++i) {
      begin("zone");
      ttscope_record_zone_end();
    }
    ttscope_record_stop();
  });
  EXPECT_EQ(waited(child), 0);
  const Timeline read = this->read();
  EXPECT_GT(read.zones.size(), 5000u);
  ASSERT_THAT(read.findings, SizeIs(1));
  EXPECT_EQ(read.findings[0].kind, timeline::FindingKind::kEventsDroppedDisk);
}

TEST_F(Recorder, TimesAreThoseOfTheClock) {
  start();
  const auto now_ns = [] {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  ttscope_record_message("first", 5, 0);
  const std::int64_t before = now_ns();
  ttscope_record_message("between", 7, 0);
  while (now_ns() - before < 20'000'000) {
  }
  ttscope_record_message("last", 4, 0);
  const std::int64_t after = now_ns();
  const Timeline read = stop_and_read();
  ASSERT_THAT(read.messages, SizeIs(3));
  // At least what passed between both, at most what passed around them, but for the accuracy of the rate.
  const std::int64_t passed = read.messages[2].time_ns - read.messages[0].time_ns;
  EXPECT_GE(passed, 20'000'000 * 0.999);
  EXPECT_LE(read.messages[2].time_ns - read.messages[1].time_ns,
            static_cast<double>(after - before) * 1.001 + 1000);
}

}  // namespace
}  // namespace ttscope::record
