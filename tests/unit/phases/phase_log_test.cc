// Every grammar of a training log that is known, and what is said of what cannot be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phases/read/phase_log_reader.h"
#include "support/phase_text.h"
#include "support/temp_folder.h"

namespace ttscope::phases {
namespace {

using ::testing::ElementsAre;
using testing::read_phases;
using testing::SummaryText;
using testing::usual_summary;

PhaseLine line_of(std::string_view text) {
  static std::string clean;
  return read_phase_line(text, clean);
}

std::vector<std::string> names_of(const PhaseSummary& summary) {
  std::vector<std::string> names;
  for (const PhaseRecord& phase : summary.phases) names.push_back(phase.name);
  return names;
}

TEST(PhaseLine, SizesWithSignsAndThousandsSeparators) {
  EXPECT_EQ(read_mb("+1863.25 MB"), 1863.25);
  EXPECT_EQ(read_mb(" -0.39 MB"), -0.39);
  EXPECT_EQ(read_mb("28,520.96 MB"), 28520.96);
  EXPECT_EQ(read_mb("12288 MB"), 12288);
  EXPECT_EQ(read_mb("12288"), std::nullopt);
  EXPECT_EQ(read_mb("nan MB"), std::nullopt);
  EXPECT_EQ(read_mb("1e300 MB"), std::nullopt);
  EXPECT_EQ(read_mb("99999999999999 MB"), std::nullopt);
  EXPECT_EQ(read_mb(""), std::nullopt);
}

TEST(PhaseLine, BothLinesOfDramFigures) {
  const PhaseLine segment = line_of(
      "  DRAM: Segment Peak 2112.40 MB, Allocations 4,203.03 MB, Deallocations 2098.50 MB, Segment Change "
      "+2104.53 MB");
  ASSERT_EQ(segment.kind, PhaseLineKind::kDram);
  EXPECT_FALSE(segment.damaged);
  EXPECT_EQ(segment.dram_mb[0], 2112.40);
  EXPECT_EQ(segment.dram_mb[1], 4203.03);
  EXPECT_EQ(segment.dram_mb[3], 2104.53);
  EXPECT_EQ(segment.dram_mb[4], std::nullopt);
  const PhaseLine cumulative = line_of("  DRAM: Cumulative Peak 2112.40 MB, Cumulative Current -4.53 MB\r");
  EXPECT_EQ(cumulative.dram_mb[5], -4.53);
}

TEST(PhaseLine, TheAbridgedFormOfTheTrackersDocument) {
  const PhaseLine line = line_of("  Segment Change: +1863.25 MB  # Model weights (bf16)");
  ASSERT_EQ(line.kind, PhaseLineKind::kDram);
  EXPECT_EQ(line.dram_mb[3], 1863.25);
}

TEST(PhaseLine, ADamagedFigureIsToldFromAMissingOne) {
  EXPECT_TRUE(line_of("DRAM: Segment Peak x MB, Allocations 1.00 MB").damaged);
  EXPECT_TRUE(line_of("DRAM: something else").damaged);
  EXPECT_TRUE(line_of("L1: Peak CB 0.29 MB, Peak Buffer").damaged);
  EXPECT_FALSE(line_of("L1: Peak CB 0.29 MB, Peak Buffer 0.00 MB, Peak Total 0.29 MB").damaged);
}

TEST(PhaseLine, ColorsAndRanksAreTakenOff) {
  const PhaseLine colored = line_of("\x1b[32m--- FORWARD_PASS ---\x1b[0m");
  EXPECT_EQ(colored.kind, PhaseLineKind::kPhaseHeader);
  EXPECT_EQ(colored.text, "FORWARD_PASS");
  EXPECT_EQ(line_of("[Rank 12] --- A ---").rank, 12u);
  EXPECT_EQ(line_of("[1,3]<stdout>:--- A ---").rank, 3u);
  EXPECT_EQ(line_of("[1,3] --- A ---").rank, std::nullopt);
  EXPECT_EQ(line_of("[Rank x] --- A ---").rank, std::nullopt);
}

TEST(PhaseLine, WhatALoggerPutBeforeALineIsTakenOff) {
  EXPECT_EQ(line_of("[rank3]: --- A ---").rank, 3u);
  EXPECT_EQ(line_of("[rank3]: --- A ---").text, "A");
  for (const std::string prefix :
       {"2026-04-27T18:42:04.123Z ", "trainer-1  | ", "\x1b[36m(Worker pid=12)\x1b[0m ",
        "12:", "2026-04-27 18:42:04.123 | info     |          Always | "}) {
    const std::string written = prefix + "--- FORWARD_PASS ---";
    const PhaseLine header = line_of(written);
    EXPECT_EQ(header.kind, PhaseLineKind::kPhaseHeader) << prefix;
    EXPECT_EQ(header.text, "FORWARD_PASS") << prefix;
    EXPECT_EQ(line_of(prefix + "  DRAM: Segment Peak 2.50 MB, Allocations 1.00 MB").dram_mb[0], 2.5)
        << prefix;
    EXPECT_EQ(line_of(prefix + "  DRAM: Cumulative Peak 2.50 MB").dram_mb[4], 2.5) << prefix;
    EXPECT_EQ(
        line_of(prefix + "  L1: Peak CB 0.29 MB, Peak Buffer 0.00 MB, Peak Total 0.29 MB").l1.peak_cb_mb,
        0.29)
        << prefix;
  }
  EXPECT_EQ(line_of("a--- b ---").kind, PhaseLineKind::kOther) << "an ornament of another word";
}

TEST(PhaseLog, PhasesBehindPrefixesAreNotLost) {
  const PhaseLog log = read_phases(SummaryText("12:").phase("MODEL_CREATION", {10, 10, 0}).text());
  ASSERT_EQ(log.summaries.size(), 1u);
  EXPECT_THAT(names_of(log.summaries[0]), ElementsAre("MODEL_CREATION"));
}

TEST(PhaseLine, FactsOfTheRun) {
  EXPECT_EQ(line_of("Total parameters: 969369600").number, 969369600);
  EXPECT_EQ(line_of("Model number of parameters: 969369600").kind, PhaseLineKind::kParameters);
  EXPECT_EQ(line_of("     params  969,369,600").number, 969369600);
  EXPECT_EQ(line_of("params are good").kind, PhaseLineKind::kOther);
  EXPECT_EQ(line_of("  - Available Device Memory: 28,520.96 MB").number, 28520.96);
  EXPECT_EQ(line_of("     memory  12,288 MB").kind, PhaseLineKind::kDeviceMemory);
  EXPECT_EQ(line_of("  memory tracking enabled").kind, PhaseLineKind::kOther);
  EXPECT_EQ(line_of("       mesh  2x4").number, 8);
  EXPECT_EQ(line_of("  - Mesh peak: 148.5 TFLOPS (bf16, 32 devices)").number, 32);
}

TEST(PhaseLog, AUsualSummary) {
  const PhaseLog log =
      read_phases("Total parameters: 10\nAvailable Device Memory: 100 MB\n" + usual_summary());
  ASSERT_EQ(log.summaries.size(), 1u);
  const PhaseSummary& summary = log.summaries[0];
  EXPECT_THAT(names_of(summary), ElementsAre("MODEL_CREATION", "OPTIMIZER_CREATION", "FORWARD_PASS",
                                             "BACKWARD_PASS", "FIRST_ITERATION_COMPLETE"));
  EXPECT_EQ(summary.line, 3u);
  EXPECT_EQ(summary.phases[0].line, 5u);
  EXPECT_EQ(summary.overall_peak_mb, 12400);
  EXPECT_EQ(summary.final_usage_mb, 4000);
  EXPECT_EQ(summary.facts.parameters->value, 10u);
  EXPECT_EQ(summary.facts.device_memory_mb->value, 100);
  EXPECT_EQ(summary.phases[0].l1->peak_total_mb, 0.25);
  for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
    EXPECT_EQ(log.problems.count(static_cast<PhaseProblem>(i)), 0u) << i;
  }
}

TEST(PhaseLog, FactsBelongToTheirRunAndAreInheritedWithAMark) {
  const PhaseLog log = read_phases("Total parameters: 10\n" + usual_summary() + "Total parameters: 20\n" +
                                   usual_summary() + usual_summary());
  ASSERT_EQ(log.summaries.size(), 3u);
  EXPECT_EQ(log.summaries[0].facts.parameters->value, 10u);
  EXPECT_EQ(log.summaries[1].facts.parameters->value, 20u);
  EXPECT_TRUE(log.summaries[1].facts.parameters->own);
  EXPECT_EQ(log.summaries[2].facts.parameters->value, 20u);
  EXPECT_FALSE(log.summaries[2].facts.parameters->own);
}

TEST(PhaseLog, TitlesStandBetweenTwoRules) {
  const std::string rule(40, '#');
  const PhaseLog log = read_phases(rule + "\n run A \n" + rule + "\n\n" + usual_summary() + rule +
                                   "\nno title\n" + usual_summary() + std::string(70, '=') +
                                   "\nMemory Usage Report\n" + std::string(70, '=') + "\n" + usual_summary());
  ASSERT_EQ(log.summaries.size(), 3u);
  EXPECT_EQ(log.summaries[0].heading, "run A");
  EXPECT_EQ(log.summaries[1].heading, "no title") << "a line of words right above names the run, too";
  EXPECT_EQ(log.summaries[2].heading, "");
}

TEST(PhaseLog, OtherLinesInBetweenAndWindowsLineEnds) {
  std::string text = usual_summary();
  text.insert(text.find("--- BACKWARD_PASS"), "Step: 1, Loss: 4.875, Time: 8 ms\n");
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const PhaseLog log = read_phases(windows);
  ASSERT_EQ(log.summaries.size(), 1u);
  EXPECT_EQ(log.summaries[0].phases.size(), 5u);
  EXPECT_EQ(log.summaries[0].overall_peak_mb, 12400);
}

TEST(PhaseLog, RanksMayBeMixed) {
  const std::string a = SummaryText("[Rank 0] ").phase("MODEL_CREATION", {10, 10, 0}).text();
  const std::string b = SummaryText("[Rank 1] ").phase("MODEL_CREATION", {30, 30, 0}).text();
  std::string mixed = "Total parameters: 7\n";
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const std::size_t a_end = std::min(a.find('\n', i), a.size() - 1);
    const std::size_t b_end = std::min(b.find('\n', j), b.size() - 1);
    if (i < a.size()) mixed += a.substr(i, a_end + 1 - i);
    if (j < b.size()) mixed += b.substr(j, b_end + 1 - j);
    i = a_end + 1;
    j = b_end + 1;
  }
  const PhaseLog log = read_phases(mixed);
  ASSERT_EQ(log.summaries.size(), 2u);
  EXPECT_EQ(log.summaries[0].rank, 0u);
  EXPECT_EQ(log.summaries[0].overall_peak_mb, 10);
  EXPECT_EQ(log.summaries[1].rank, 1u);
  EXPECT_EQ(log.summaries[1].overall_peak_mb, 30);
  EXPECT_EQ(log.summaries[1].facts.parameters->value, 7u);
}

TEST(PhaseLog, ACutSummaryDoesNotSwallowTheNext) {
  const std::string cut = SummaryText().phase("MODEL_CREATION", {10, 10, 0}).text(true);
  const PhaseLog log = read_phases(cut + usual_summary() + cut);
  ASSERT_EQ(log.summaries.size(), 3u);
  EXPECT_TRUE(log.summaries[0].cut);
  EXPECT_FALSE(log.summaries[1].cut);
  EXPECT_EQ(log.summaries[1].phases.size(), 5u);
  EXPECT_EQ(log.problems.count(PhaseProblem::kSummaryCut), 2u);
  EXPECT_EQ(log.problems.places(PhaseProblem::kSummaryCut)[0].line, 1u);
}

TEST(PhaseLog, ALostFirstLine) {
  const std::string text = usual_summary();
  const PhaseLog log = read_phases(text.substr(text.find("--- FORWARD_PASS")));
  ASSERT_EQ(log.summaries.size(), 1u);
  EXPECT_TRUE(log.summaries[0].is_header_missing);
  EXPECT_EQ(log.summaries[0].phases.size(), 3u);
  EXPECT_EQ(log.problems.count(PhaseProblem::kSummaryHeaderMissing), 1u);
}

TEST(PhaseLog, OrnamentsAreNoPhases) {
  const PhaseLog log = read_phases("--- Training ---\nstart\n--- Done ---\n");
  EXPECT_TRUE(log.summaries.empty());
  EXPECT_EQ(log.problems.count(PhaseProblem::kSummaryHeaderMissing), 0u);
}

TEST(PhaseLog, ProblemsAreCountedWithTheirPlaces) {
  const PhaseLog log = read_phases(
      "WARNING: Snapshot 'FORWARD_PASS' already exists, overwriting\n"
      "  DRAM: Cumulative Peak 1.00 MB, Cumulative Current 1.00 MB\n"
      "=== Memory Usage Summary ===\n"
      "--- A ---\n"
      "--- B ---\n"
      "  DRAM: Segment Peak ? MB, Allocations 1.00 MB\n"
      "Overall DRAM Peak: 5.00 MB, Final DRAM Usage: ?\n"
      "WARNING: No traces captured\n");
  EXPECT_EQ(log.problems.places(PhaseProblem::kSegmentOverwritten).at(0).line, 1u);
  EXPECT_EQ(log.problems.places(PhaseProblem::kFigureOutsidePhase).at(0).line, 2u);
  EXPECT_EQ(log.problems.places(PhaseProblem::kPhaseWithoutFigures).at(0).line, 4u);
  EXPECT_EQ(log.problems.count(PhaseProblem::kFigureUnreadable), 2u);
  EXPECT_EQ(log.problems.count(PhaseProblem::kNothingCaptured), 1u);
  ASSERT_EQ(log.summaries.size(), 1u);
  EXPECT_THAT(names_of(log.summaries[0]), ElementsAre("B"));
  EXPECT_EQ(log.summaries[0].phases[0].dram(DramField::kAllocations), 1);
  EXPECT_EQ(log.summaries[0].final_usage_mb, std::nullopt);
}

TEST(PhaseLog, TheResultDoesNotDependOnHowTheInputIsCut) {
  const testing::TempFolder folder;
  const std::string path = folder.file("a.log", "Total parameters: 10\n" + usual_summary() + usual_summary());
  const auto whole = read_phase_logs({path});
  ASSERT_TRUE(whole);
  for (const std::size_t chunk : {1u, 7u, 64u, 1000u}) {
    const auto parts = read_phase_logs({path}, {.chunk_bytes = chunk});
    ASSERT_TRUE(parts);
    ASSERT_EQ(parts->summaries.size(), 2u);
    EXPECT_EQ(parts->lines, whole->lines);
    EXPECT_EQ(names_of(parts->summaries[1]), names_of(whole->summaries[1]));
    EXPECT_EQ(parts->summaries[1].phases[3].line, whole->summaries[1].phases[3].line);
  }
}

TEST(PhaseLog, AMissingFileIsAnError) {
  const auto log = read_phase_logs({"/nowhere/train.log"});
  ASSERT_FALSE(log);
  EXPECT_NE(log.error().message.find("/nowhere/train.log"), std::string::npos);
}

}  // namespace
}  // namespace ttscope::phases
