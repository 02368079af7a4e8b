#include "perf/write/notes_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "perf/model/ops_report.h"

namespace ttscope::perf {
namespace {

using ::testing::HasSubstr;

TEST(NoteText, EveryKindHasAKeyAndWordsOfItsOwnAndMissingFiguresAreNoCrash) {
  std::set<std::string_view> keys;
  std::set<std::string> texts;
  for (std::size_t i = 0; i < kNoteKindCount; ++i) {
    const auto kind = static_cast<NoteKind>(i);
    EXPECT_TRUE(keys.insert(key_of(kind)).second) << key_of(kind);
    EXPECT_TRUE(texts.insert(note_text({kind, {"a", "b"}, {0, 1, 2, 3}})).second) << key_of(kind);
    EXPECT_FALSE(note_text({kind}).empty()) << key_of(kind);
  }
  EXPECT_EQ(keys.count(""), 0u);
}

TEST(NoteText, NamesAndFiguresStandWhereTheyBelong) {
  EXPECT_EQ(note_text({NoteKind::kFormat, {}, {static_cast<double>(ReportFormat::kV2)}}),
            "Detected CSV format: v2");
  EXPECT_EQ(note_text({NoteKind::kHosts, {"left", "right"}, {0, 1, 2, 3, 0}}),
            "Devices 0 to 1: left; 2 to 3: right.");
  EXPECT_EQ(note_text({NoteKind::kHosts, {"left", "right"}, {0, 0, 1, 1}}), "Devices 0: left; 1: right.");
  EXPECT_EQ(note_text({NoteKind::kHosts, {"left"}, {0, 1, 4}}), "Devices 0 to 1: left; 4 more hosts.");
  EXPECT_EQ(note_text({NoteKind::kArchsListed, {"wormhole_b0", "wormhole_b0", "blackhole"}}),
            "Warning: Multiple DEVICE ARCH values found: ['wormhole_b0', 'blackhole']. Using first value: "
            "'wormhole_b0'.");
  EXPECT_EQ(
      note_text({NoteKind::kCoresListed, {}, {64, 1, 64, 20}}),
      "Warning: Multiple AVAILABLE WORKER CORE COUNT values found: [64.0, 20.0]. Using first value: 64.");
  EXPECT_EQ(note_text({NoteKind::kWarmUpLeftOut, {}, {1, 330, 1, 0}}),
            "Left out as warm-up, told by gaps of compiling: the first pass (330 ops); the one behind it is "
            "shown. --warm-up shows all.");
  EXPECT_EQ(note_text({NoteKind::kLastStretch, {"start", "end"}, {12, 1}}),
            "Using the last stretch with measured operations: after signpost 'start' (row 12) and before "
            "'end'; --ignore-signposts takes all.");
  EXPECT_THAT(note_text({NoteKind::kOpOfSomeDevices, {"Matmul"}, {7, 1, 3}}),
              HasSubstr("Matmul at index 7 not present in CSV for 2 devices [1, 3]"));
  EXPECT_THAT(note_text({NoteKind::kDeviceLacksOp, {}, {2, 5}}),
              HasSubstr("Device 2 is missing operation None at index 5"));
}

}  // namespace
}  // namespace ttscope::perf
