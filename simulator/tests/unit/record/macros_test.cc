#define TRACY_ENABLE
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ttscope/signpost.h>
#include <tracy/Tracy.hpp>

#include <mutex>
#include <string>

#include "unit/record/record_case.h"

namespace ttscope::record {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using timeline::Timeline;

class Macros : public RecordCase {};

void work(int batch) {
  ZoneScoped;
  const std::string info = "batch_id: " + std::to_string(batch);
  ZoneText(info.c_str(), info.size());
  {
    ZoneScopedNC("phase", 0x0000FF);
    ZoneColor(0x00FF00);
    ZoneValue(batch);
    ZoneTextF("of %d", 3);
  }
  ZoneName("renamed", 7);
}

TEST_F(Macros, ZonesHaveTheNamesTextsAndColorsThatTheySay) {
  start();
  work(5);
  {
    ZoneNamedN(outer, "outer", true);
    ZoneNamedC(off, 0xFF, false);
    EXPECT_TRUE(ZoneIsActiveV(outer));
    EXPECT_FALSE(ZoneIsActiveV(off));
    const std::string dynamic = "dynamic";
    ZoneTransientN(inner, dynamic.c_str(), true);
    ZoneTextV(outer, "from inside", 11);
    ZoneNameVF(inner, "dynamic %d", 2);
  }
  const Timeline read = stop_and_read();
  ASSERT_THAT(read.tracks, SizeIs(1));
  EXPECT_THAT(zones_of(read, read.tracks[0]), ElementsAre("renamed/0", "phase/1", "outer/0", "dynamic 2/1"));
  EXPECT_EQ(read.text(read.locations[read.zones.location[0]].function), "work");
  EXPECT_EQ(read.text(read.details[read.zones.detail[0]].text), "batch_id: 5");
  EXPECT_EQ(read.text(read.details[read.zones.detail[1]].text), "5 [0x5]\nof 3");
  EXPECT_EQ(read.details[read.zones.detail[1]].color, 0x00FF00u);
  EXPECT_EQ(read.locations[read.zones.location[1]].color, 0x0000FFu);
  EXPECT_EQ(read.text(read.details[read.zones.detail[2]].text), "from inside");
}

TEST_F(Macros, MessagesFramesValuesAndMemory) {
  start();
  TracyMessageL("plain");
  TracyMessageLC("red", 0xFF0000);
  const std::string words = "sized, and more";
  TracyMessage(words.c_str(), 5);
  TracyMessageC(words.c_str(), words.size(), 0xFF);
  signpost("Measurement", "timed");
  FrameMark;
  FrameMarkNamed("main");
  FrameMarkNamed("main");
  FrameMarkStart("step");
  FrameMarkEnd("step");
  TracyPlotConfig("loss", tracy::PlotFormatType::Number, true, true, 0);
  TracyPlot("loss", 3);
  int memory = 0;
  TracyAlloc(&memory, sizeof(memory));
  TracyFree(&memory);
  TracyAllocN(&memory, 100, "L1");
  TracyLockable(std::mutex, mutex);
  const std::lock_guard<LockableBase(std::mutex)> lock(mutex);
  tracy::SetThreadName("named");
  const Timeline read = stop_and_read();
  std::vector<std::string> messages;
  for (const timeline::Message& message : read.messages) messages.emplace_back(read.text(message.text));
  EXPECT_THAT(messages, ElementsAre("plain", "red", "sized", words, "`TT_SIGNPOST: Measurement\ntimed`"));
  EXPECT_EQ(read.messages[1].color, 0xFF0000u);
  std::vector<std::string> tracks;
  for (const timeline::Track& track : read.tracks) {
    tracks.push_back(std::string(read.text(track.name)) + " " + std::to_string(track.zone_count));
  }
  EXPECT_THAT(tracks, ElementsAre("named 0", "Frame 1", "main 2", "step 1"));
  std::vector<std::string> plots;
  for (const timeline::Plot& plot : read.plots) {
    plots.push_back(std::string(read.text(plot.name)) + " " + std::to_string(plot.points.back().value));
  }
  EXPECT_THAT(plots, ElementsAre("loss 3.000000", "Memory 0.000000", "L1 100.000000"));
}

TEST_F(Macros, SomeOfTracysDidNotCompile) {
  start();
  TracyFiberEnterHint("fiber", 1);
  TracyFiberLeave;
  int memory = 0;
  TracySecureAllocS(&memory, sizeof(memory), 8);
  TracySecureFreeS(&memory, 8);
  TracySecureAllocNS(&memory, 100, 8, "L1");
  TracySecureFreeNS(&memory, 8, "L1");
  TracyMessage(TracyFunction, std::string(TracyFunction).size());
  const Timeline read = stop_and_read();
  EXPECT_THAT(read.plots, SizeIs(2));
  ASSERT_THAT(read.messages, SizeIs(1));
  EXPECT_EQ(read.text(read.messages[0].text), "TestBody");
}

}  // namespace
}  // namespace ttscope::record
