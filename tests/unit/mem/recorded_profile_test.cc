#include "mem/analyze/memory_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mem/read/ttmem_files.h"
#include "mem/write/verdict_text.h"

namespace ttscope::mem {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::string record(double dram, std::string_view more = "") {
  return R"({"mlir_op": "ttnn.add", "memory": {"DRAM": {"numBanks": 12, "totalBytesPerBank_MB": 10.0,
             "totalBytesAllocatedPerBank_MB": )" +
         std::to_string(dram) + R"(, "totalBytesFreePerBank_MB": )" + std::to_string(10 - dram) +
         R"(, "largestContiguousBytesFreePerBank_MB": 0.5}})" + std::string(more) + "}";
}

/// Makes the profile of the records of a memory file.
class RecordedProfileTest : public ::testing::Test {
 protected:
  const MemoryProfile& profile(const std::string& records) {
    texts.name = "run";
    texts.memory = PaddedText("[" + records + "]");
    Result<RecordedRun> read = read_ttmem_texts(texts);
    EXPECT_TRUE(read.has_value()) << read.error().message;
    if (read) run = std::move(*read);
    made = profile_recorded_run(run);
    return made;
  }
  TtmemTexts texts;
  RecordedRun run;
  MemoryProfile made;
};

TEST_F(RecordedProfileTest, ThePeakIsTheHighestRecordedState) {
  const MemoryProfile& found = profile(record(1) + "," + record(9.5) + "," + record(2));
  const Peak& peak = found.ranks[0].peaks[0];
  EXPECT_EQ(peak.bytes_per_bank, bytes_of(9500));
  EXPECT_EQ(peak.op, 0U);
  EXPECT_EQ(peak.confidence, Confidence::kMeasured);
  EXPECT_EQ(found.severity, Severity::kCritical);
  EXPECT_EQ(found.ranks[0].device.arch, "wormhole");
}

TEST_F(RecordedProfileTest, WithoutOwnGrowthItIsTheChangeUntilTheNextOp) {
  const MemoryProfile& found = profile(record(1) + "," + record(4) + "," + record(3));
  const auto& effects = found.ranks[0].effects;
  EXPECT_EQ(effects[0].own_growth[0], bytes_of(3000));
  EXPECT_EQ(effects[1].own_growth[0], -bytes_of(1000));
  EXPECT_EQ(effects[2].confidence[0], Confidence::kNone);
  EXPECT_EQ(effects[0].confidence[1], Confidence::kNone) << "L1 is not recorded";
  EXPECT_THAT(note_texts(found),
              Contains(HasSubstr("the growth of an op is the change until the next recorded op")));
}

TEST_F(RecordedProfileTest, OwnGrowthOfOurFilesIsTaken) {
  const std::string own = R"(, "memory_source": "logged", "own_growth": {"DRAM": 777, "L1": 0},
                              "own_growth_confidence": "derived")";
  const MemoryProfile& found = profile(record(1, own) + "," + record(4, own));
  EXPECT_EQ(found.ranks[0].effects[0].own_growth[0], 777);
  EXPECT_EQ(found.ranks[0].effects[0].confidence[0], Confidence::kDerived);
}

TEST_F(RecordedProfileTest, NothingIsSaidAboutLifetimes) {
  const MemoryProfile& found = profile(record(1) + "," + record(4));
  EXPECT_TRUE(found.ranks[0].buffers.empty());
  EXPECT_EQ(found.ranks[0].live_at_peak[0].unaccounted_bytes_per_bank, 0);
  EXPECT_THAT(missing_texts(found),
              Contains(HasSubstr("deallocations: the files of a run do not record them")));
  EXPECT_THAT(missing_texts(found), Contains("run_operations.json: not in the folder"));
}

TEST_F(RecordedProfileTest, ModeledStatesStayModeled) {
  const MemoryProfile& found = profile(record(4, R"(, "memory_source": "modelled")"));
  EXPECT_FALSE(found.ranks[0].measured);
  EXPECT_EQ(found.ranks[0].peaks[0].confidence, Confidence::kModeled);
  EXPECT_EQ(found.ranks[0].worst_fragmentation[0].block, kNone);
}

TEST_F(RecordedProfileTest, WeightsAreThoseOfTheRegistry) {
  texts.registry = PaddedText(std::string(
      R"({"entries": [{"ssa": "%arg0", "name": "w", "type": "parameter", "bytes": 100, "counted": true},
                      {"ssa": "%arg1", "type": "constant", "bytes": 10, "counted": false, "same_as": 0},
                      {"ssa": "%arg2", "type": "input", "bytes": 1, "same_as": 99}]})"));
  const MemoryProfile& found = profile(record(1));
  EXPECT_EQ(found.weight_count, 1U);
  EXPECT_EQ(found.weight_bytes, 100);
  ASSERT_EQ(found.arguments.size(), 3U);
  EXPECT_EQ(found.arguments[1].name, "%arg1");
  EXPECT_EQ(found.arguments[1].same_as, 0U);
  EXPECT_EQ(found.arguments[2].same_as, kNone);
}

TEST_F(RecordedProfileTest, GraphsOfOneNameTakeTheCompilationsInTheirOrder) {
  const auto of = [](int instance, std::string_view name) {
    return R"(, "memory_source": "logged", "program": "main", "program_instance": )" +
           std::to_string(instance) + R"(, "mlir_op": ")" + std::string(name) + "\"";
  };
  texts.modules = PaddedText(std::string(
      R"({"ttir": {"text": "a"}, "ttnn": {"text": "b"}, "graphs": [{"programs": ["main"], "ttnn": {"text": "c"}}]})"));
  const MemoryProfile& found =
      profile(record(1, of(0, "x.a")) + "," + record(1, of(1, "x.b")) + "," + record(1, of(2, "x.a")));
  ASSERT_EQ(found.graphs.size(), 2U);
  EXPECT_EQ(found.graphs[0].module_group, 0U);
  EXPECT_EQ(found.graphs[1].module_group, 1U);
  EXPECT_EQ(found.ranks[0].programs[2].run, 1U);
}

}  // namespace
}  // namespace ttscope::mem
