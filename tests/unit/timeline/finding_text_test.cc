#include "timeline/tables/tables.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/writer.h"
#include "support/temp_folder.h"
#include "timeline/write/outputs.h"

namespace ttscope::timeline {
namespace {

using Kind = FindingKind;

TEST(FindingText, SaysTheFileTheFiguresAndThePlace) {
  EXPECT_EQ(finding_text(reader_warning("a.gz: the file is cut")), "a.gz: the file is cut");
  EXPECT_EQ(finding_text({.kind = Kind::kBadRecords,
                          .file = "run.log",
                          .text = "lines are too long",
                          .place = "line 7",
                          .count = 3}),
            "run.log: 3 x lines are too long; first: line 7");
  EXPECT_EQ(finding_text({.kind = Kind::kBadRecords, .text = "rows are cut", .count = 1}),
            "1 x rows are cut");
  EXPECT_EQ(finding_text({.kind = Kind::kOpsWithoutDevice, .place = "op 5 on device 1", .count = 2}),
            "2 x ops of the host have no device data: they are in no track of ops; first: op 5 on device 1");
  EXPECT_EQ(finding_text({.kind = Kind::kOpsWithoutHost, .count = 2}),
            "2 x executions on devices are not in the host's messages: they are in no track of ops");
}

TEST(FindingText, OfCaptures) {
  EXPECT_EQ(
      finding_text({.kind = Kind::kCaptureCut, .file = "c.tracy", .place = "zones of threads", .bytes = 12}),
      "c.tracy: the file ends too early; read up to byte 12 of its content, in the zones of threads; what "
      "follows is not known");
  EXPECT_EQ(finding_text({.kind = Kind::kCaptureRestUnread, .file = "c.tracy", .text = "block 4 is damaged"}),
            "c.tracy: block 4 is damaged; zones, messages and plots were read, they stand before");
  EXPECT_EQ(finding_text({.kind = Kind::kDeviceZonesDropped}),
            "the device zones of the capture are left out: the log of the device profiler has them with "
            "their ops");
}

TEST(FindingText, OfRecordings) {
  EXPECT_EQ(finding_text({.kind = Kind::kEventsDroppedDisk, .file = "a.ttrec", .count = 4}),
            "a.ttrec: 4 marks were dropped: the disk was full");
  EXPECT_EQ(
      finding_text({.kind = Kind::kEventsDroppedRoom, .file = "a.ttrec", .count = 4, .whole_bytes = 3 << 20}),
      "a.ttrec: 4 marks were dropped: they found no room in 3 MB (TTSCOPE_RECORD_MB sets more)");
  EXPECT_EQ(finding_text({.kind = Kind::kRecordingDamaged, .file = "a.ttrec", .count = 1, .events = 2}),
            "a.ttrec: damaged: 1 pages and 2 events were not understood");
  EXPECT_EQ(finding_text({.kind = Kind::kRecordingCut, .file = "a.ttrec", .bytes = 10, .whole_bytes = 20}),
            "a.ttrec: the file is cut: it has 10 of 20 bytes, and its last marks are missing");
  EXPECT_EQ(finding_text({.kind = Kind::kThreadsCut, .file = "a.ttrec", .count = 1}),
            "a.ttrec: the last marks of 1 thread are missing");
  EXPECT_EQ(finding_text({.kind = Kind::kThreadsCut, .file = "a.ttrec", .count = 2}),
            "a.ttrec: the last marks of 2 threads are missing");
}

TEST(FindingText, OfClocksAndCuts) {
  EXPECT_EQ(finding_text({.kind = Kind::kOpBeforeHost, .distance_ns = 1'500'000, .device = 3}),
            "device 3: an op begins 1.5 ms before the host sent it: the capture does not seem to have the "
            "clocks of host and device together (tt-metal's --sync-host-device brings them)");
  EXPECT_EQ(
      finding_text({.kind = Kind::kOpsLongAfterHost, .distance_ns = 2'000'000'000, .device = 0}),
      "device 0: all ops begin more than 2000 ms after the host sent them: the capture does not seem to "
      "have the clocks of host and device together (tt-metal's --sync-host-device brings them)");
  EXPECT_EQ(finding_text({.kind = Kind::kNoSuchCore, .core_x = 9, .core_y = 7}),
            "--core 9,7: no processor of a device is on this core");
  EXPECT_EQ(finding_text({.kind = Kind::kZonesReachOver, .count = 2}),
            "2 x zones reach over --from or --to: they are whole, in all sums too");
}

TEST(FindingText, OfLogsBesideARun) {
  EXPECT_EQ(finding_text({.kind = Kind::kLogWithoutTimes, .file = "run.log"}),
            "run.log: its lines have no times, and no op of it is named elsewhere: its memory is not on the "
            "axis");
  EXPECT_EQ(
      finding_text({.kind = Kind::kHostGuessed, .file = "run.log rank 1", .place = "a.tracy"}),
      "run.log rank 1: which host wrote it is not told; it is put beside a.tracy, which has the most of "
      "its ops");
  EXPECT_EQ(finding_text({.kind = Kind::kHostGuessed, .file = "run.log"}),
            "run.log: which host wrote it is not told; it is put beside one, which has the most of its ops");
  EXPECT_EQ(finding_text({.kind = Kind::kLogWithoutMemory, .file = "run.log"}),
            "run.log: no line tells how much memory is in use");
  EXPECT_EQ(finding_text({.kind = Kind::kNocEventsDamaged, .file = "noc.json"}),
            "noc.json: not a whole list of NoC events; it is left out");
}

/// All kinds: those that have a key.
std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (int i = 0; !key_of(static_cast<Kind>(i)).empty(); ++i) kinds.push_back(static_cast<Kind>(i));
  return kinds;
}

TEST(FindingText, EveryKindHasAKeyAndTablesSayTheSentences) {
  std::set<std::string_view> keys;
  auto profile = std::make_shared<Profile>();
  for (const Kind kind : all_kinds()) {
    keys.insert(key_of(kind));
    profile->timeline.findings.push_back({.kind = kind, .file = "f", .text = "t"});
  }
  EXPECT_EQ(keys.size(), all_kinds().size());
  EXPECT_TRUE(keys.contains(key_of(Kind::kOpsWithoutDevice)));
  EXPECT_EQ(tables_of(profile).warnings, warning_texts(profile->timeline));
}

TEST(FindingText, TheSchemaKnowsTheKindsAndNoOthers) {
  const char* const source = std::getenv("TTSCOPE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  const std::string schema =
      testing::file_content(std::string(source) + "/docs/formats/timeline.schema.json");
  const std::size_t begin = schema.find(R"("kind": {"enum": [")", schema.find(R"("findings": {)"));
  ASSERT_NE(begin, std::string::npos);
  const std::string list = schema.substr(begin, schema.find(']', begin) - begin);
  for (const Kind kind : all_kinds())
    EXPECT_THAT(list, ::testing::HasSubstr(fmt::format("\"{}\"", key_of(kind))));
  const auto quotes = static_cast<std::size_t>(std::count(list.begin(), list.end(), '"'));
  EXPECT_EQ(quotes, 2 * all_kinds().size() + 4) << "a kind of the schema that is none";
}

/// Only the sentence told it: programs could not tell devices beside their host from devices among each
/// other.
TEST(FindingText, JsonHasWhatBringsDevicesToEachOtherAlone) {
  using ToHost = PeerExchanges::ToHost;
  Profile profile;
  profile.timeline.alignments = {{.what = "device 0", .basis = AlignmentBasis::kSync, .samples = 9},
                                 {.what = "device 1", .peers = {7, 2.5, ToHost::kOtherOps}},
                                 {.what = "device 2", .peers = {8, -1, ToHost::kNotKnown}},
                                 {.what = "device 3", .peers = {9, 0, ToHost::kOwnOps}}};
  StringWriter out;
  write_timeline_json(profile, "0", out);
  ASSERT_TRUE(out.finish());
  std::string text;
  for (const char c : out.text()) {
    if (c != ' ' && c != '\n') text += c;
  }
  for (const char* const peers :
       {R"("peers":null,)", R"("peers":{"count":7,"worst_ns":2.5,"to_host":"other_ops"})",
        R"("peers":{"count":8,"worst_ns":null,"to_host":"not_known"})",
        R"("peers":{"count":9,"worst_ns":0.0,"to_host":"own_ops"})"})
    EXPECT_THAT(text, ::testing::HasSubstr(peers));
}

/// All figures of a kind, also those that are 0.
TEST(FindingText, JsonHasTheFiguresOfAFinding) {
  Profile profile;
  profile.timeline.findings = {
      {.kind = Kind::kRecordingDamaged, .file = "a.ttrec", .count = 0, .events = 5},
      {.kind = Kind::kRecordingCut, .file = "a.ttrec", .bytes = 0, .whole_bytes = 20},
      {.kind = Kind::kNoSuchCore, .core_x = 9, .core_y = 0},
      {.kind = Kind::kCaptureCut, .file = "c.tracy", .text = "block 4 is damaged", .bytes = 0}};
  StringWriter out;
  write_timeline_json(profile, "0", out);
  EXPECT_TRUE(out.finish());
  const std::string text = std::regex_replace(out.text(), std::regex(R"(\s+)"), "");
  for (const char* part : {R"("count":0,"events":5,"bytes":null)", R"("bytes":0,"whole_bytes":20)",
                           R"("core_x":9,"core_y":0)", R"("detail":"block4isdamaged")"})
    EXPECT_THAT(text, ::testing::HasSubstr(part));
}

}  // namespace
}  // namespace ttscope::timeline
