// What a run's phases mean: parts of the peak, sizes, relations, advice.
#include <gtest/gtest.h>

#include <numeric>

#include "phases/analyze/phase_analysis.h"
#include "phases/write/outputs.h"
#include "support/phase_text.h"

namespace ttscope::phases {
namespace {

using testing::read_phases;
using testing::SummaryText;
using testing::usual_summary;

constexpr std::int64_t kMb = 1048576;
constexpr std::int64_t kRounding = kMb / 20;

PhaseAnalysis analysis_of(const std::string& text, const PhaseOptions& options = {}) {
  return analyze_phases(read_phases(text), options);
}

Configuration run_of(const std::string& text, const PhaseOptions& options = {}) {
  const PhaseAnalysis analysis = analysis_of(text, options);
  EXPECT_EQ(analysis.configurations.size(), 1u);
  return analysis.configurations.empty() ? Configuration{} : analysis.configurations.front();
}

std::int64_t mb_of(const Configuration& run, ComponentKind kind) {
  const Component* part = run.component(kind);
  return part == nullptr ? 0 : part->bytes / kMb;
}

const Advice* advice_of(const Configuration& run, AdviceKind kind) {
  for (const Advice& advice : run.advice) {
    if (advice.kind == kind) return &advice;
  }
  return nullptr;
}

bool has_note(const Configuration& run, PhaseNoteKind kind) {
  for (const PhaseNote& note : run.notes) {
    if (note.kind == kind) return true;
  }
  return false;
}

void expect_parts_add_up(const Configuration& run) {
  std::int64_t sum = 0;
  std::int64_t measured = 0;
  for (const Component& part : run.components) {
    sum += part.bytes;
    measured += part.measured_bytes;
  }
  EXPECT_EQ(sum, run.peak_bytes);
  EXPECT_EQ(measured, run.peak_bytes);
}

TEST(PhaseLabel, MicroStepsCountersAndRoles) {
  const PhaseLabel label = read_label("FORWARD_PASS_micro_2__000017");
  EXPECT_EQ(label.base, "FORWARD_PASS");
  EXPECT_EQ(label.micro_step, 2u);
  EXPECT_EQ(label.counter, 17u);
  EXPECT_EQ(label.role, PhaseRole::kForward);
  EXPECT_EQ(read_label("SPARSE_MOE_L3_END_BWD__000004").role, PhaseRole::kBackward);
  EXPECT_EQ(read_label("AFTER_WEIGHT_LOADING").role, PhaseRole::kModel);
  EXPECT_EQ(read_label("AFTER_OPTIMIZER_CREATION").role, PhaseRole::kOptimizer);
  EXPECT_EQ(read_label("BEFORE_MODEL_CREATION").role, PhaseRole::kOther);
  EXPECT_EQ(read_label("FIRST_ITERATION_COMPLETE").role, PhaseRole::kStep);
  EXPECT_EQ(read_label("GENERATION_STEP_0").role, PhaseRole::kOther);
  EXPECT_EQ(read_label("__5").base, "__5");
  EXPECT_EQ(read_label("X_micro_99999999999").micro_step, std::nullopt);
}

TEST(Phases, ThePeakOfAUsualRunWithMeasuredSizes) {
  const Configuration run = run_of(usual_summary(), {.use_actual_sizes = true});
  EXPECT_EQ(run.peak_bytes, 12400 * kMb);
  EXPECT_EQ(run.phases.at(run.peak_phase.value()).name, "BACKWARD_PASS");
  EXPECT_EQ(mb_of(run, ComponentKind::kModel), 1000);
  EXPECT_EQ(mb_of(run, ComponentKind::kOptimizer), 2000);
  EXPECT_EQ(mb_of(run, ComponentKind::kActivations), 9000);
  EXPECT_EQ(mb_of(run, ComponentKind::kGradientsOverhead), 400);
  EXPECT_EQ(mb_of(run, ComponentKind::kOther), 0);
  EXPECT_EQ(run.gradients.actual_bytes, 1000 * kMb);
  EXPECT_EQ(run.activations_bytes, 9000 * kMb);
  EXPECT_TRUE(run.violations.empty());
  expect_parts_add_up(run);
}

TEST(Phases, ExpectedSizesLeaveTheirDifferenceToOther) {
  const Configuration run = run_of("Total parameters: 503316480\n" + usual_summary());  // 960 MB in bf16
  EXPECT_EQ(run.model.expected_bytes, 960 * kMb);
  EXPECT_EQ(run.optimizer.expected_bytes, 1920 * kMb);
  EXPECT_EQ(mb_of(run, ComponentKind::kModel), 960);
  EXPECT_EQ(mb_of(run, ComponentKind::kOther), 120);
  EXPECT_EQ(run.component(ComponentKind::kModel)->confidence, Confidence::kModeled);
  expect_parts_add_up(run);
}

TEST(Phases, ExpectedSizesThatExplainTooMuchGiveWayToMeasuredOnes) {
  const Configuration run = run_of(usual_summary(), {.model_bytes = 9000 * kMb});
  EXPECT_TRUE(run.actual_sizes);
  EXPECT_TRUE(has_note(run, PhaseNoteKind::kExpectedTooLarge));
  EXPECT_EQ(mb_of(run, ComponentKind::kModel), 1000);
  expect_parts_add_up(run);
}

TEST(Phases, GradientsOfEarlierMicroStepsArePartOfThePeak) {
  const Configuration run = run_of(SummaryText()
                                       .phase("MODEL_CREATION", {100, 100, 0})
                                       .phase("FORWARD_PASS_micro_0", {500, 510, 10})
                                       .phase("BACKWARD_PASS_micro_0", {40, 300, 700})
                                       .phase("FORWARD_PASS_micro_1", {500, 510, 10})
                                       .phase("BACKWARD_PASS_micro_1", {40, 200, 700})
                                       .text());
  ASSERT_EQ(run.steps.size(), 2u);
  EXPECT_EQ(run.steps[1].micro_step, 1u);
  EXPECT_EQ(run.steps[0].net_bytes, 100 * kMb);
  EXPECT_EQ(run.phases.at(run.peak_phase.value()).name, "BACKWARD_PASS_micro_1");
  EXPECT_EQ(mb_of(run, ComponentKind::kGradients), 100);
  EXPECT_EQ(mb_of(run, ComponentKind::kActivations), 500);
  EXPECT_EQ(mb_of(run, ComponentKind::kGradientsOverhead), 40);
  expect_parts_add_up(run);
}

TEST(Phases, APeakInTheForwardPassIsActivationsAndTemporaries) {
  const Configuration run = run_of(SummaryText()
                                       .phase("MODEL_CREATION", {100, 100, 0})
                                       .phase("FORWARD_PASS", {900, 1000, 400})
                                       .phase("BACKWARD_PASS", {10, 10, 500})
                                       .text());
  EXPECT_EQ(mb_of(run, ComponentKind::kActivations), 600);
  EXPECT_EQ(mb_of(run, ComponentKind::kTemporaries), 300);
  EXPECT_EQ(mb_of(run, ComponentKind::kGradientsOverhead), 0);
  expect_parts_add_up(run);
}

TEST(Phases, PhasesOfOtherNamesAreShown) {
  const Configuration run = run_of(SummaryText()
                                       .phase("ENTRY", {0, 0, 0})
                                       .phase("KV_CACHE", {256, 256, 0})
                                       .phase("GENERATION_STEP_0", {50, 50, 50})
                                       .text());
  EXPECT_EQ(mb_of(run, ComponentKind::kOtherPhases), 256);
  EXPECT_EQ(mb_of(run, ComponentKind::kTemporaries), 50);
  EXPECT_EQ(run.phases.size(), 3u);
  expect_parts_add_up(run);
}

TEST(Phases, ABackwardPassCutIntoManyPhases) {
  SummaryText text;
  text.phase("AFTER_MODEL_CREATION", {100, 100, 0});
  for (int layer = 0; layer < 3; ++layer)
    text.phase("AFTER_LAYER_" + std::to_string(layer) + "_FWD", {200, 200, 0});
  for (int layer = 2; layer >= 0; --layer)
    text.phase("AFTER_LAYER_" + std::to_string(layer) + "_BWD", {260, 250, 200});
  const Configuration run = run_of(text.text());
  ASSERT_EQ(run.steps.size(), 1u);
  EXPECT_EQ(run.steps[0].activations_bytes, 600 * kMb);
  EXPECT_EQ(run.phases.at(run.peak_phase.value()).name, "AFTER_LAYER_0_BWD");
  expect_parts_add_up(run);
}

TEST(Phases, RelationsThatAreBrokenAreNamed) {
  std::string text = usual_summary();
  text.replace(text.find("Segment Change +2000.00"), 23, "Segment Change +2500.00");
  const Configuration run = run_of(text, {.device_bytes = 100000 * kMb});
  ASSERT_EQ(run.violations.size(), 3u);
  EXPECT_EQ(run.violations[0].relation, Relation::kSegmentChange);
  EXPECT_EQ(run.violations[0].phase, 1u);
  EXPECT_DOUBLE_EQ(run.violations[0].printed_mb, 2500);
  EXPECT_DOUBLE_EQ(run.violations[0].expected_mb, 2000);
  EXPECT_EQ(run.violations[1].relation, Relation::kSegmentPeak);
  EXPECT_EQ(run.violations[2].relation, Relation::kCumulativeCurrent);
  EXPECT_EQ(run.severity, Severity::kWarning);
  expect_parts_add_up(run);
}

TEST(Phases, EachRelationIsChecked) {
  const auto broken = [](std::string_view from, std::string_view to) {
    std::string text = usual_summary();
    text.replace(text.find(from), from.size(), to);
    const Configuration run = run_of(text);
    return run.violations.empty() ? std::string_view("none") : name_of(run.violations.back().relation);
  };
  EXPECT_EQ(broken("Cumulative Peak 1100.00", "Cumulative Peak 1000.00"), "cumulative_peak");
  EXPECT_EQ(broken("Overall DRAM Peak: 12400.00", "Overall DRAM Peak: 12500.00"), "overall_peak");
  EXPECT_EQ(broken("Final DRAM Usage: 4000.00", "Final DRAM Usage: 4000.02"), "final_usage");
  EXPECT_EQ(broken("Final DRAM Usage: 4000.00", "Final DRAM Usage: 4000.01"), "none");
}

TEST(Phases, MissingFiguresComeFromTheRelations) {
  const Configuration run = run_of(
      "=== Memory Usage Summary ===\n"
      "--- MODEL_CREATION ---\n  Segment Change: +100.00 MB\n  Cumulative Current: 100.00 MB\n"
      "--- FORWARD_PASS ---\n  Cumulative Peak: 500.00 MB\n  Cumulative Current: 400.00 MB\n");
  ASSERT_EQ(run.phases.size(), 2u);
  EXPECT_EQ(run.phases[1].change_bytes, 300 * kMb);
  EXPECT_EQ(run.phases[1].segment_peak_bytes, 400 * kMb);
  EXPECT_FALSE(run.phases[1].complete);
  EXPECT_EQ(run.peak_bytes, 500 * kMb);
  EXPECT_TRUE(has_note(run, PhaseNoteKind::kTotalsDerived));
  EXPECT_TRUE(run.violations.empty());
  expect_parts_add_up(run);
}

TEST(Phases, ThePeakIsComparedWithOneDevice) {
  const std::string head = "       mesh  1x8\n     memory  80,000 MB\n";
  const Configuration run = run_of(head + usual_summary());
  EXPECT_EQ(run.device.bytes, 10000 * kMb);
  EXPECT_EQ(run.device.bytes_of_all, 80000 * kMb);
  EXPECT_TRUE(exceeds_device(run));
  EXPECT_EQ(run.severity, Severity::kCritical);
  EXPECT_TRUE(has_note(run, PhaseNoteKind::kDeviceMemoryOfAll));
  EXPECT_FALSE(exceeds_device(run_of(head + usual_summary(), {.devices = 4})));
  EXPECT_EQ(run_of(usual_summary()).device.bytes, 12288 * kMb);
  EXPECT_TRUE(has_note(run_of(usual_summary()), PhaseNoteKind::kDeviceMemoryAssumed));
}

TEST(Phases, AdviceForARunThatDoesNotFit) {
  const Configuration run = run_of(usual_summary(), {.device_bytes = 10000 * kMb});
  const Advice* recompute = advice_of(run, AdviceKind::kRecomputation);
  ASSERT_NE(recompute, nullptr);
  EXPECT_EQ(recompute->affected_bytes, 9000 * kMb);
  // Model, optimizer and gradients stay: 4000 MB, not 3400.
  EXPECT_EQ(recompute->peak_after_bytes, 4000 * kMb);
  EXPECT_EQ(recompute->bytes, 8400 * kMb);
  const Advice* batch = advice_of(run, AdviceKind::kSmallerBatch);
  ASSERT_NE(batch, nullptr);
  EXPECT_NEAR(batch->batch_share, 1 - 2400.0 / 9000, 1e-6);
  EXPECT_LE(batch->peak_after_bytes, 10000 * kMb + 1);
  const Advice* accumulate = advice_of(run, AdviceKind::kGradientAccumulation);
  ASSERT_NE(accumulate, nullptr);
  EXPECT_EQ(accumulate->micro_steps, 2u);
  EXPECT_EQ(accumulate->peak_after_bytes, (12400 - 4500 + 1000) * kMb);
  for (std::size_t i = 1; i < run.advice.size(); ++i) EXPECT_GE(run.advice[i - 1].bytes, run.advice[i].bytes);
}

TEST(Phases, AdviceNamesTheSmallerRunOfTheSameModel) {
  const std::string head = "Total parameters: 500000000\n";
  const PhaseAnalysis analysis = analysis_of(head + usual_summary(9000) + head + usual_summary(200));
  const Advice* other = advice_of(analysis.configurations[0], AdviceKind::kOtherConfiguration);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->configuration, 1u);
  EXPECT_EQ(other->bytes, analysis.configurations[0].peak_bytes - analysis.configurations[1].peak_bytes);
  EXPECT_EQ(advice_of(analysis.configurations[1], AdviceKind::kOtherConfiguration), nullptr);
}

TEST(Phases, AdviceOnAnOptimizerStateOfMoreThanTwoValues) {
  const Configuration run = run_of(SummaryText()
                                       .phase("MODEL_CREATION", {100, 100, 0})
                                       .phase("OPTIMIZER_CREATION", {600, 600, 0})
                                       .phase("FORWARD_PASS", {10, 10, 0})
                                       .text());
  const Advice* state = advice_of(run, AdviceKind::kOptimizerState);
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state->bytes, 400 * kMb);
}

TEST(Phases, NotesOnWhatTheTrackerGetsWrong) {
  const Configuration run = run_of(SummaryText()
                                       .phase("FORWARD_PASS", {10, 10, 0})
                                       .phase("BACKWARD_PASS", {1, 5, 15})
                                       .phase("FORWARD_PASS", {10, 10, 0})
                                       .phase("BACKWARD_PASS", {1, 5, 15})
                                       .phase("END_TRACE", {0, 0, 5})
                                       .text());
  EXPECT_TRUE(has_note(run, PhaseNoteKind::kNamesRepeated));
  EXPECT_TRUE(has_note(run, PhaseNoteKind::kNegativeCurrent));
  std::string text = usual_summary();
  text.replace(text.find("Peak CB 0.25"), 12, "Peak CB 1.50");
  EXPECT_TRUE(has_note(run_of(text), PhaseNoteKind::kCbPerChip));
}

TEST(Phases, LostGradientsLeaveNoVerdict) {
  const std::string text = SummaryText()
                               .phase("MODEL_CREATION", {100, 100, 0})
                               .phase("FORWARD_PASS", {10, 10, 0})
                               .phase("BACKWARD_PASS", {1, 5, 15})
                               .phase("FORWARD_PASS", {10, 10, 0})
                               .phase("BACKWARD_PASS", {1, 5, 15})
                               .text();
  const PhaseAnalysis fits = analysis_of(text, {.device_bytes = 200 * kMb});
  EXPECT_EQ(fits.configurations[0].lost_gradients, "BACKWARD_PASS");
  EXPECT_FALSE(fits.configurations[0].has_verdict());
  EXPECT_FALSE(fits.verdict);
  const PhaseAnalysis exceeds = analysis_of(text, {.device_bytes = 50 * kMb});
  EXPECT_FALSE(exceeds.configurations[0].has_verdict()) << "by how much it exceeds the log does not tell";
  EXPECT_TRUE(exceeds.configurations[0].decides_fit()) << "with the gradients it would need more still";
  EXPECT_FALSE(exceeds.verdict);
  EXPECT_NE(verdict_text(exceeds.configurations[0]).find("without them"), std::string::npos);
  EXPECT_TRUE(run_of(usual_summary()).has_verdict());
}

TEST(Phases, ASummaryCutBeforeTheBackwardPassDoesNotSayThatItFits) {
  SummaryText summary;
  summary.phase("MODEL_CREATION", {100, 100, 0}).phase("FORWARD_PASS", {10, 10, 0});
  const PhaseAnalysis cut = analysis_of(summary.text(true), {.device_bytes = 200 * kMb});
  EXPECT_FALSE(cut.configurations[0].has_verdict());
  EXPECT_FALSE(cut.verdict);
  EXPECT_NE(verdict_text(cut.configurations[0])
                .find("no verdict: peak 110.00 MB is that of the phases up to "
                      "FORWARD_PASS"),
            std::string::npos);
  const PhaseAnalysis exceeds = analysis_of(summary.text(true), {.device_bytes = 50 * kMb});
  EXPECT_EQ(exceeds.verdict, Severity::kCritical) << "what came after frees nothing of the peak";
  EXPECT_TRUE(analysis_of(summary.text(), {.device_bytes = 200 * kMb}).verdict);
  summary.phase("FIRST_ITERATION_COMPLETE", {0, 0, 10});
  EXPECT_TRUE(analysis_of(summary.text(true), {.device_bytes = 200 * kMb}).verdict)
      << "all phases of the iteration are there";
}

TEST(Phases, ARunThatFailedAfterItsSummaryDoesNotFit) {
  const std::string failed =
      "2026-04-27 18:42:04.123 | critical | Always | TT_FATAL: Out of Memory: Not enough space "
      "to allocate 805306368 B DRAM buffer across 12 banks\n";
  const PhaseOptions large{.device_bytes = 1000000 * kMb};
  EXPECT_FALSE(analysis_of(failed + usual_summary(), large).configurations[0].failure_line)
      << "of another run, which had no summary";
  const PhaseAnalysis after = analysis_of(usual_summary() + failed, large);
  EXPECT_FALSE(after.verdict);
  EXPECT_NE(verdict_text(after.configurations[0]).find("an allocation failed after it (line "),
            std::string::npos);
  EXPECT_EQ(analysis_of(usual_summary() + failed, {.device_bytes = 10 * kMb}).verdict, Severity::kCritical);
}

TEST(Phases, ABatchOfOneIsNotDivided) {
  const PhaseOptions options{.device_bytes = 10000 * kMb};
  const Configuration unknown = run_of(usual_summary(), options);
  EXPECT_NE(advice_of(unknown, AdviceKind::kSmallerBatch), nullptr);
  const Configuration one = run_of("  - Batch size: 1\n" + usual_summary(), options);
  EXPECT_EQ(one.batch, 1u);
  EXPECT_EQ(advice_of(one, AdviceKind::kSmallerBatch), nullptr);
  EXPECT_EQ(advice_of(one, AdviceKind::kGradientAccumulation), nullptr);
  EXPECT_NE(advice_of(one, AdviceKind::kRecomputation), nullptr);
}

TEST(Phases, RecomputationIsNotPromisedLessThanItWasMeasured) {
  const std::string kept = SummaryText()
                               .phase("MODEL_CREATION", {1000, 1000, 0})
                               .phase("FORWARD_PASS", {9000, 9000, 0})
                               .phase("BACKWARD_PASS", {100, 1100, 9100})
                               .text();
  const std::string recomputed = SummaryText()
                                     .phase("MODEL_CREATION", {1000, 1000, 0})
                                     .phase("FORWARD_PASS", {500, 500, 0})
                                     .phase("BACKWARD_PASS", {7000, 7500, 7000})
                                     .text();
  const PhaseAnalysis alone = analysis_of(kept, {.device_bytes = 8000 * kMb});
  EXPECT_LE(advice_of(alone.configurations[0], AdviceKind::kRecomputation)->peak_after_bytes, 8000 * kMb);
  const PhaseAnalysis both = analysis_of(kept + recomputed, {.device_bytes = 8000 * kMb});
  const Advice* advice = advice_of(both.configurations[0], AdviceKind::kRecomputation);
  ASSERT_NE(advice, nullptr);
  EXPECT_EQ(advice->peak_after_bytes, both.configurations[1].peak_bytes);
  EXPECT_GT(advice->peak_after_bytes, 8000 * kMb);
}

TEST(Phases, ALineOfWordsAboveNamesARun) {
  EXPECT_EQ(run_of("Step: 1, cache entries: 3\nTinyLlama, default\n" + usual_summary()).name,
            "TinyLlama, default");
  EXPECT_EQ(run_of("TinyLlama, default\nloss: 2.5\n" + usual_summary()).name, "train.log");
  EXPECT_EQ(run_of("Loading data...\n" + usual_summary()).name, "train.log");
}

TEST(Phases, NamesOfRuns) {
  const std::string rule(40, '#');
  const PhaseAnalysis analysis =
      analysis_of(rule + "\nA\n" + rule + "\n" + usual_summary() + usual_summary() + usual_summary());
  EXPECT_EQ(analysis.configurations[0].name, "A");
  EXPECT_EQ(analysis.configurations[1].name, "train.log #1");
  EXPECT_EQ(analysis.configurations[2].name, "train.log #2");
}

TEST(Phases, HugeFiguresDoNotOverflow) {
  SummaryText text;
  for (int i = 0; i < 200; ++i) text.phase("MODEL_CREATION", {1e9, 1e9, 0});
  const Configuration run = run_of(text.text());
  std::int64_t sum = 0;
  for (const Component& part : run.components) sum += part.measured_bytes;
  EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(run.peak_bytes), static_cast<double>(kRounding));
}

}  // namespace
}  // namespace ttscope::phases
