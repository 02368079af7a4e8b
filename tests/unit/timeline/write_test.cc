#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/timeline_sample.h"
#include "timeline/load.h"
#include "timeline/write/exports.h"
#include "timeline/write/outputs.h"

namespace ttscope::timeline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

template <typename Write>
std::string written(const Timeline& timeline, Write write) {
  StringWriter out;
  write(timeline, out);
  EXPECT_TRUE(out.finish());
  return out.text();
}

/// Within a fifth, which is enough to say that a file of gigabytes is too large.
TEST(ViewerLimits, TellSizesBeforeFilesAreWritten) {
  const Timeline timeline = random_timeline(3, 30000);
  const auto chrome = static_cast<double>(written(timeline, write_chrome).size());
  const auto perfetto = static_cast<double>(written(timeline, write_perfetto).size());
  EXPECT_NEAR(static_cast<double>(chrome_bytes(timeline)), chrome, chrome / 5);
  EXPECT_NEAR(static_cast<double>(perfetto_bytes(timeline)), perfetto, perfetto / 5);
}

TEST(ViewerLimits, AreSaidAboveWhatViewersOpen) {
  EXPECT_EQ(chrome_size_warning(400'000'000), "");
  EXPECT_THAT(chrome_size_warning(1'700'000'000), HasSubstr("--from"));
  EXPECT_EQ(perfetto_size_warning(600'000'000), "");
  EXPECT_THAT(perfetto_size_warning(1'700'000'000), HasSubstr("trace_processor"));
}

TEST(Chrome, PlotsOfOneNameStayApart) {
  SampleMaker maker;
  for (const char* name : {"Memory of a.log", "Memory of b.log"}) {
    Plot& plot = maker.made.plots.emplace_back();
    plot.name = maker.made.texts.intern("DRAM allocated");
    plot.group = maker.group(name);
    plot.points = {{1, 2}};
  }
  maker.made.find_span();
  const std::string text = written(maker.made, write_chrome);
  EXPECT_THAT(text, HasSubstr(R"({"Memory of a.log / DRAM allocated":2.0})"));
  EXPECT_THAT(text, HasSubstr(R"({"Memory of b.log / DRAM allocated":2.0})"));
}

/// Three processors run the same firmware at the same place of the source.
TEST(Summary, ZonesOfOnePlaceAreToldApartByTheirProcessor) {
  SampleMaker maker;
  const std::uint32_t core = maker.group("Core 1,1");
  for (const char* name : {"TRISC_0", "TRISC_1"}) {
    const std::uint32_t place = maker.place("TRISC-FW", "trisc.cc", 123);
    maker.track(name, TrackKind::kLane, core);
    maker.zone(0, 10, place);
  }
  const std::uint32_t own = maker.place("BRISC-FW", "brisc.cc", 7);
  maker.track("BRISC", TrackKind::kLane, core);
  maker.zone(0, 5, own);
  maker.made.find_span();
  const std::string text = timeline_summary_text(profile_of("x", std::move(maker.made)), {});
  EXPECT_THAT(text, HasSubstr("TRISC-FW  TRISC_0"));
  EXPECT_THAT(text, HasSubstr("TRISC-FW  TRISC_1"));
  EXPECT_THAT(text, Not(HasSubstr("BRISC-FW  BRISC")));
}

TEST(Summary, ZonesWithoutALineAreToldApartByTheirFunction) {
  SampleMaker maker;
  const std::uint32_t host = maker.group("Host");
  maker.track("thread", TrackKind::kThread, host);
  for (const char* op : {"Matmul", "Unary"}) {
    const std::uint32_t place = maker.place("EnqueueProgram", "_ops.py", 0);
    maker.made.locations[place].function = maker.made.texts.intern(op);
    maker.zone(10 * place, 10 * place + 5, place);
  }
  maker.made.find_span();
  const std::string text = timeline_summary_text(profile_of("x", std::move(maker.made)), {});
  EXPECT_THAT(text, HasSubstr("EnqueueProgram  Matmul"));
  EXPECT_THAT(text, HasSubstr("EnqueueProgram  Unary"));
}

}  // namespace
}  // namespace ttscope::timeline
