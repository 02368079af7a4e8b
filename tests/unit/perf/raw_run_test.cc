#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyze/raw_run.h"
#include "perf/load.h"
#include "perf/read/raw_run.h"
#include "perf/write/capture_files.h"
#include "perf/write/raw_run.h"
#include "support/temp_folder.h"

namespace ttscope::perf {
namespace {

constexpr std::uint32_t kValid = 0x80000000;
constexpr std::uint64_t kCarry = std::uint64_t{1} << 32;

/// Words of one processor of core flat 1, as its kernel would leave them.
class Words {
 public:
  explicit Words(std::uint32_t risc) : risc_(risc) {}

  Words& launch(std::uint32_t host_id) { return put(0, 0).put(1u << 5 | risc_, host_id); }
  Words& marker(std::uint32_t type, std::uint32_t id, std::uint64_t time) {
    return put(kValid | type << 28 | id << 12 | static_cast<std::uint32_t>(time >> 32),
               static_cast<std::uint32_t>(time));
  }
  Words& start(std::uint32_t id, std::uint64_t time) { return marker(0, id, time); }
  Words& end(std::uint32_t id, std::uint64_t time) { return marker(1, id, time); }
  Words& blank(int slots) {
    for (int i = 0; i < slots; ++i) put(kValid, kValid);
    return *this;
  }
  /// Firmware and kernel zone around [begin, end].
  Words& slots(std::uint64_t begin, std::uint64_t end_time) {
    return start(100, begin).end(100, end_time).start(200, begin + 10).end(200, end_time - 10);
  }
  Words& put(std::uint32_t high, std::uint32_t low) {
    words.push_back(high);
    words.push_back(low);
    return *this;
  }

  std::vector<std::uint32_t> words;

 private:
  std::uint32_t risc_;
};

RawRun run_of(const std::vector<Words>& riscs) {
  RawRun run;
  run.zones = {{100, {"BRISC-FW", "fw.cc", 1}},
               {200, {"BRISC-KERNEL", "k.cc", 2}},
               {300, {"mine", "a.cpp", 3}},
               {400, {"PROFILER-NOC-QUICK-PUSH", "p.hpp", 4}}};
  RawCore& core = run.cores.emplace_back();
  core.x = 1;
  core.y = 2;
  core.flat_id = 1;
  for (std::uint32_t i = 0; i < riscs.size(); ++i) {
    RawProcessor& processor = core.processors.emplace_back();
    processor.name = i == 0 ? "brisc" : "ncrisc";
    processor.dram = read_marker_words(riscs[i].words, {&layout_of(64), i, core.flat_id});
    processor.dram.end_words = static_cast<std::uint32_t>(riscs[i].words.size());
  }
  judge_markers(run);
  return run;
}

std::uint64_t count_of(const RawRun& run, RawProblem problem) {
  std::uint64_t count = 0;
  for (const RawFinding& finding : run.findings) count += finding.problem == problem ? finding.count : 0;
  return count;
}

TEST(MarkerWords, TypesPayloadsAndFillingAreToldApart) {
  Words words(0);
  words.launch(7).slots(1000, 9000).start(300, 2000);
  words.marker(3, 300, 2010).put(0x01234567, 0x89abcdef);
  words.marker(5, 9090, 2020).put(1, 2).put(3, 4).marker(4, 65535, 2030).end(300, 2040).marker(2, 300, 77);
  words.put(kValid, 0);
  const RawRegion region = read_marker_words(words.words, {&layout_of(64), 0, 1});
  ASSERT_EQ(region.runs.size(), 1u);
  EXPECT_EQ(region.runs[0].host_id, 7u);
  EXPECT_EQ(region.runs[0].flat_id, 1u);
  ASSERT_EQ(region.markers.size(), 10u);
  EXPECT_EQ(region.markers[5].data[0], 0x0123456789abcdefu);
  EXPECT_EQ(region.markers[6].data[0], 0x0000000100000002u);
  EXPECT_EQ(region.markers[6].data[1], 0x0000000300000004u);
  EXPECT_EQ(region.markers[7].id, 65535);
  EXPECT_FALSE(region.markers[9].has_time());
  EXPECT_EQ(region.markers[9].data[0], 77u);
  EXPECT_EQ(region.bad_words, 0u);
}

TEST(MarkerWords, TheWordsOfTheDocumentationReadAsItSays) {
  // Id 36986 at cycle 11233712279499, its end at ...792.
  const RawRegion region = read_marker_words(
      {0, 0, 1u << 5, 3, 0x8907AA37, 0x8D6E0FCB, 0x9907AA37, 0x8D6E10F0}, {&layout_of(64), 0, 1});
  ASSERT_EQ(region.markers.size(), 2u);
  EXPECT_EQ(region.markers[0].id, 36986);
  EXPECT_EQ(region.markers[0].time, 11233712279499u);
  EXPECT_EQ(region.markers[1].kind, MarkerKind::kZoneEnd);
  EXPECT_EQ(region.markers[1].time, 11233712279792u);
}

TEST(MarkerWords, HeadersOfBothErasAreRead) {
  const RawRegion now = read_marker_words({0, 0, 0x6222, 9}, {&layout_of(64), 2, 17});
  const RawRegion before = read_marker_words({0, 0, 0x188A, 9}, {&layout_of(32), 2, 17});
  for (const RawRegion* region : {&now, &before}) {
    ASSERT_EQ(region->runs.size(), 1u);
    EXPECT_EQ(region->runs[0].risc, 2u);
    EXPECT_EQ(region->runs[0].flat_id, 17u);
    EXPECT_EQ(region->runs[0].trace, 3u);
  }
}

TEST(MarkerWords, ACutPayloadAndAnUnknownTypeAreCountedNotFatal) {
  Words words(0);
  words.launch(1).marker(6, 1, 5).marker(3, 300, 10);
  const RawRegion region = read_marker_words(words.words, {&layout_of(64), 0, 1});
  EXPECT_TRUE(region.markers.empty());
  EXPECT_EQ(region.bad_words, 2u);
}

TEST(JudgeMarkers, AnOrderlyRunHasNoFinding) {
  Words words(0);
  words.launch(1).slots(1000, 9000).start(300, 2000).end(300, 3000);
  const RawRun run = run_of({words});
  EXPECT_TRUE(run.findings.empty());
}

TEST(JudgeMarkers, ATimeReadAcrossACarryIsMarkedAndNoOther) {
  Words words(0);
  words.launch(1).slots(kCarry - 1000, kCarry + 9000).start(300, kCarry - 50).end(300, kCarry - 20);
  words.start(300, 3).end(300, kCarry + 30);
  const RawRun run = run_of({words});
  EXPECT_EQ(count_of(run, RawProblem::kEarlyTimes), 1u);
  const RawMarker& early = run.cores[0].processors[0].dram.markers[6];
  EXPECT_EQ(early.suspicion, Suspicion::kTime);
  EXPECT_EQ(early.time, 3u) << "as stored";
}

TEST(JudgeMarkers, AFirmwareStartAcrossACarryIsMarkedToo) {
  Words words(0);
  words.launch(1).start(100, 5).end(100, kCarry + 500).start(200, kCarry + 40).end(200, kCarry + 400);
  const RawRun run = run_of({words});
  EXPECT_EQ(run.cores[0].processors[0].dram.markers[0].suspicion, Suspicion::kTime);
  EXPECT_EQ(count_of(run, RawProblem::kEarlyTimes), 1u);
}

TEST(JudgeMarkers, MarkersOfAProcessorThatDidNotRunAreStale) {
  Words words(1);
  words.launch(1).slots(1000, 2000).start(300, 1200).end(300, 1300);
  words.launch(2).blank(4).start(300, 1200).end(300, 1300);
  Words brisc(0);
  brisc.launch(1).slots(1000, 2000).launch(2).slots(3000, 4000);
  const RawRun run = run_of({brisc, words});
  EXPECT_EQ(count_of(run, RawProblem::kStaleMarkers), 2u);
  EXPECT_EQ(run.cores[0].processors[1].dram.markers.back().suspicion, Suspicion::kStale);
}

TEST(JudgeMarkers, AHeaderUnderAnotherProcessorsMarkerIsRecoveredAndDoubted) {
  Words words(1);
  words.end(300, 10285).put(1u << 5 | 1, 51).slots(5000, 6000);
  const RawRun run = run_of({Words(0), words});
  const RawRegion& region = run.cores[0].processors[1].dram;
  ASSERT_EQ(region.runs.size(), 1u);
  EXPECT_FALSE(region.runs[0].intact);
  EXPECT_EQ(region.runs[0].host_id, 51u);
  EXPECT_EQ(region.markers[0].suspicion, Suspicion::kPlaced);
  EXPECT_EQ(region.markers[1].suspicion, Suspicion::kHeader);
  EXPECT_EQ(count_of(run, RawProblem::kHeaderLost), 1u);
}

TEST(JudgeMarkers, AFullBufferIsSaidToHaveLostWhatFollowed) {
  Words words(0);
  words.launch(1).slots(1000, 900000);
  for (std::uint64_t i = 0; i < 125; ++i) words.start(300, 2000 + i * 20).end(300, 2010 + i * 20);
  const RawRun run = run_of({words});
  EXPECT_EQ(count_of(run, RawProblem::kL1Full), 1u);
  EXPECT_EQ(count_of(run, RawProblem::kUnpaired), 0u);
}

TEST(JudgeMarkers, ABufferThatWasSentWhileTheKernelRanIsNotFull) {
  Words words(0);
  words.launch(1).start(100, 1000).blank(1).start(200, 1010).blank(1);
  for (std::uint64_t i = 0; i < 124; ++i) words.start(300, 2000 + i * 20).end(300, 2010 + i * 20);
  words.start(400, 90000).end(400, 90010);
  const RawRun run = run_of({words});
  EXPECT_EQ(count_of(run, RawProblem::kL1Full), 0u);
}

TEST(RawDeviceLog, DoubtfulMarkersAreLeftOutAndRepeatedOnesWrittenOnce) {
  Words words(0);
  words.launch(5).start(100, 1000).blank(1).start(200, 1010).blank(1).start(300, 1100);
  words.launch(5).slots(1000, 2000).end(300, 1200);
  Words idle(1);
  idle.launch(5).blank(4).start(300, 7);
  RawRun run = run_of({words, idle});
  run.arch = "wormhole_b0";
  StringWriter out;
  const ProfilerReadout read = readout_of(run);
  write_device_log_header(read, out);
  write_device_log_rows(read, out);
  ASSERT_TRUE(out.finish());
  EXPECT_EQ(out.text(),
            "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 80\n"
            "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run "
            "host ID, "
            "trace id, trace id counter, zone name, type, source line, source file, meta data\n"
            "0,1,2,BRISC,100,1000,0,5120,,,BRISC-FW,ZONE_START,1,fw.cc,\n"
            "0,1,2,BRISC,200,1010,0,5120,,,BRISC-KERNEL,ZONE_START,2,k.cc,\n"
            "0,1,2,BRISC,300,1100,0,5120,,,mine,ZONE_START,3,a.cpp,\n"
            "0,1,2,BRISC,300,1200,0,5120,,,mine,ZONE_END,3,a.cpp,\n"
            "0,1,2,BRISC,200,1990,0,5120,,,BRISC-KERNEL,ZONE_END,2,k.cc,\n"
            "0,1,2,BRISC,100,2000,0,5120,,,BRISC-FW,ZONE_END,1,fw.cc,\n");
}

TEST(RawLogFiles, AreWrittenIntoAFolderWhereNothingIsReplaced) {
  const testing::TempFolder folder;
  const std::string place = folder.path() + "/new/below";
  RawRun run = run_of({Words(0).launch(5).slots(1000, 2000)});
  run.arch = "wormhole_b0";
  const auto written = write_log_files(readout_of(run), run.zones, place);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(*written,
            (std::vector<std::string>{place + "/profile_log_device.csv", place + "/zone_src_locations.log"}));
  const std::string log = testing::file_content(written->front());
  EXPECT_NE(log.find("BRISC-FW,ZONE_START,1,fw.cc"), std::string::npos) << log;
  EXPECT_NE(testing::file_content(written->back()).find("mine"), std::string::npos);

  const auto again = write_log_files(readout_of(run), run.zones, place);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message,
            place + "/profile_log_device.csv: lies there already; give another folder with -o");
  const auto no_folder = write_log_files(readout_of(run), run.zones, written->front());
  ASSERT_FALSE(no_folder);
  EXPECT_EQ(no_folder.error().code, ErrorCode::kWriteFailed);
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
  std::string bytes(words.size() * 4, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

TEST(RawRunReader, ADocumentThatPromisesMoreThanTheFileHoldsIsReadAsFarAsItGoes) {
  std::vector<std::uint32_t> control(64);
  control[0] = 16;
  control[50] = 32;
  control[57] = 1;
  Words words(0);
  words.launch(3).slots(1000, 2000);
  std::string bytes = bytes_of(control) + bytes_of(words.words);
  constexpr std::string_view kDocument =
      R"({"arch":"wormhole_b0","riscs":["brisc"],"dram":{"bytes_per_risc":48000},"raw":"x.bin",
          "core":{"noc0":[1,2],"flat_id":1},"zones":[{"id":100,"name":"BRISC-FW","file":"f","line":1}],
          "snapshots":[{"label":"end","control":[0,256],"dram":[[256,64]]}]})";
  Result<RawRun> run = parse_raw_run("x.json", kDocument, bytes);
  ASSERT_TRUE(run);
  judge_markers(*run);
  EXPECT_EQ(run->cores[0].processors[0].dram.markers.size(), 4u);
  EXPECT_EQ(count_of(*run, RawProblem::kCut), 4u);
}

/// Words of a core that is hung in "mine", behind which an earlier launch had written more.
std::string hung_words() {
  std::vector<std::uint32_t> control(64);
  control[24] = 20;  // what the earlier launch said
  control[50] = 32;
  Words words(0);
  words.launch(3).start(100, 5000).blank(1).start(200, 5010).blank(1);
  words.start(300, 5020).end(300, 5030).marker(3, 300, 5035).put(0, 7).start(300, 5040);
  words.end(300, 1200).start(300, 1210);
  words.words.resize(512);
  return bytes_of(control) + bytes_of(words.words);
}

constexpr std::string_view kHungDocument =
    R"({"arch":"wormhole_b0","riscs":["brisc"],"raw":"x.bin","core":{"noc0":[1,2],"flat_id":1},
        "zones":[{"id":100,"name":"BRISC-FW"},{"id":200,"name":"BRISC-KERNEL"},{"id":300,"name":"mine"}],
        "snapshots":[{"label":"end","control":[0,256],"buffers":[256,2048],"dram":[[0,0]]}]})";

/// A launch tells the end of its words when it ends: of one that hung nothing was shown.
TEST(RawRunReader, ALaunchThatHasNotEndedShowsItsMarkersAndWhereItIs) {
  Result<RawRun> run = parse_raw_run("x.json", kHungDocument, hung_words());
  ASSERT_TRUE(run);
  judge_markers(*run);
  const RawRegion& l1 = run->cores[0].processors[0].l1;
  ASSERT_EQ(l1.markers.size(), 6u) << "none of the earlier launch";
  EXPECT_EQ(l1.end_words, 12u + 10);
  ASSERT_EQ(run->running.size(), 1u);
  EXPECT_EQ(run->running[0].zones, (std::vector<std::uint16_t>{100, 200, 300}));
  EXPECT_EQ(run->running[0].host_id, 3u);
  EXPECT_EQ(run->running[0].last_time, 5040u);
  EXPECT_NE(raw_text(*run, false, 120).find("brisc in BRISC-FW > BRISC-KERNEL > mine: core 1,2 (program 3"),
            std::string::npos);
}

TEST(RawRunReader, ACoreThatIsDoneIsNotRunning) {
  std::string words = hung_words();
  words[std::size_t{57} * 4] = 1;
  Result<RawRun> run = parse_raw_run("x.json", kHungDocument, words);
  ASSERT_TRUE(run);
  judge_markers(*run);
  EXPECT_TRUE(run->running.empty());
}

/// All cores of a hung device were counted as read too early, those too that had never run.
TEST(RawRunReader, ACoreThatRecordedNothingIsNotReadTooEarly) {
  Result<RawRun> run = parse_raw_run("x.json", kHungDocument, std::string(256 + 2048, '\0'));
  ASSERT_TRUE(run);
  judge_markers(*run);
  EXPECT_EQ(count_of(*run, RawProblem::kNotDone), 0u);
  EXPECT_TRUE(run->running.empty());
}

TEST(RawRunReader, WrongDocumentsSayWhatIsMissing) {
  const auto message = [](std::string_view document) {
    const Result<RawRun> run = parse_raw_run("x.json", document, "");
    return run ? std::string() : run.error().message;
  };
  EXPECT_NE(message("[1,").find("not a JSON document"), std::string::npos);
  EXPECT_NE(message(R"({"riscs":[]})").find("names no processor"), std::string::npos);
  EXPECT_NE(message(R"({"riscs":["brisc"]})").find("no snapshot"), std::string::npos);
  const Result<std::string> outside = raw_file_of("x.json", R"({"raw":"../../etc/passwd"})");
  EXPECT_FALSE(outside);
}

}  // namespace
}  // namespace ttscope::perf
