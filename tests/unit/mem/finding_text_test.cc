#include "mem/write/verdict_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "mem/analyze/verdict.h"
#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

using ::testing::HasSubstr;

Finding peak(Memory memory, Severity severity, double fraction) {
  Finding finding;
  finding.severity = severity;
  finding.cause = FindingCause::kPeak;
  finding.memory = memory;
  finding.fraction = fraction;
  return finding;
}

TEST(FindingText, PeaksSayWhatIsAtRisk) {
  EXPECT_EQ(finding_text(peak(Memory::kDram, Severity::kOk, 0.5)), "DRAM peak is 50.0% of capacity");
  EXPECT_EQ(finding_text(peak(Memory::kDram, Severity::kWarning, 0.85)),
            "DRAM peak is 85.0% of capacity: at risk of running out of memory");
  EXPECT_EQ(finding_text(peak(Memory::kL1, Severity::kCritical, 0.97)),
            "L1 peak is 97.0% of capacity: ops may spill to DRAM or clash with circular buffers");
}

TEST(FindingText, FailuresSayWhy) {
  Finding finding;
  finding.cause = FindingCause::kOutOfMemory;
  finding.memory = Memory::kDram;
  finding.bytes_per_bank = 100;
  finding.message_line = 7;
  finding.bank = {1000, 950, 50, 20, true, FailureCause::kExhausted};
  EXPECT_EQ(finding_text(finding), "out of memory: 100 B of DRAM per bank asked for, 50 B free (line 7)");
  finding.bank.cause = FailureCause::kFragmented;
  EXPECT_THAT(finding_text(finding), HasSubstr("50 B free but the largest block has 20 B: fragmented"));
  finding.bank = {};
  EXPECT_THAT(finding_text(finding), HasSubstr("the log does not say how much was free"));
}

TEST(FindingText, EveryNoteAndMissingPartHasASentenceOfItsOwn) {
  std::set<std::string> seen;
  for (int kind = 0; kind <= static_cast<int>(MemoryNoteKind::kModuleDevice); ++kind) {
    const std::string text = note_text({static_cast<MemoryNoteKind>(kind), "as the reader says"});
    EXPECT_FALSE(text.empty()) << kind;
    EXPECT_TRUE(seen.insert(text).second) << text;
  }
  for (int part = 0; part <= static_cast<int>(MissingPart::kOpLinesOfModules); ++part) {
    const std::string text = missing_text({static_cast<MissingPart>(part), "run_ir.json"});
    EXPECT_TRUE(seen.insert(text).second) << text;
  }
  EXPECT_EQ(missing_text({MissingPart::kFile, "run_ir.json"}), "run_ir.json: not in the folder");
}

TEST(Verdict, APeakHasItsFiguresAndItsPlace) {
  HandMadeLog made;
  made.add_program("main");
  const std::uint32_t op = made.add_op({.name = "ttnn.matmul"});
  Peak& dram = made.rank_profile().peaks[index_of(Memory::kDram)];
  dram.bytes_per_bank = 95;
  dram.op = op;
  dram.confidence = Confidence::kMeasured;
  made.rank_profile().device.capacity_bytes_per_bank = {100, 100, 0, 0};
  add_findings(made.log, made.profile);
  const Finding& finding = made.profile.findings.front();
  EXPECT_EQ(made.profile.severity, Severity::kCritical);
  EXPECT_EQ(finding.cause, FindingCause::kPeak);
  EXPECT_EQ(finding.memory, Memory::kDram);
  EXPECT_EQ(finding.bytes_per_bank, 95);
  EXPECT_EQ(finding.capacity_bytes_per_bank, 100);
  EXPECT_DOUBLE_EQ(finding.fraction.value(), 0.95);
  EXPECT_EQ(finding.rank, 0U);
  EXPECT_EQ(finding.op, op);
}

}  // namespace
}  // namespace ttscope::mem
