#include "timeline/tables/finding_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "timeline/tables/tables.h"

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
  EXPECT_EQ(finding_text({.kind = Kind::kMarksDroppedDisk, .file = "a.ttrec", .count = 4}),
            "a.ttrec: 4 marks were dropped: the disk was full");
  EXPECT_EQ(
      finding_text({.kind = Kind::kMarksDroppedRoom, .file = "a.ttrec", .count = 4, .whole_bytes = 3 << 20}),
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

TEST(FindingText, EveryKindHasAKeyAndTablesSayTheSentences) {
  std::set<std::string_view> keys;
  auto profile = std::make_shared<Profile>();
  for (std::size_t i = 0; i < kFindingKindCount; ++i) {
    keys.insert(key_of(static_cast<Kind>(i)));
    profile->timeline.findings.push_back({.kind = static_cast<Kind>(i), .file = "f", .text = "t"});
  }
  EXPECT_EQ(keys.size(), kFindingKindCount);
  EXPECT_EQ(keys.count(""), 0u);
  EXPECT_EQ(tables_of(profile).warnings, warning_texts(profile->timeline));
}

}  // namespace
}  // namespace ttscope::timeline
