#include "phases/write/terminal/phase_words.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/number_text.h"

namespace ttscope::phases {
namespace {

/// As in the tables: one number has one rounding on a screen.
std::string mb(std::int64_t bytes) { return report::mb_text(bytes) + " MB"; }

/// `peak 8278.65 MB, which fits`.
std::string outcome(const Configuration& run, std::int64_t peak_bytes) {
  std::string text = fmt::format("peak {}", mb(peak_bytes));
  if (!run.device.bytes) return text;
  if (!run.lost_gradients.empty()) return text + " without the gradients, which the log lost";
  if (!run.has_verdict()) return text + " of what the summary shows";
  if (!exceeds_device(run)) return text;
  return text + (peak_bytes <= *run.device.bytes ? ", which fits" : ", which still does not fit");
}

std::string_view owner_of_memory(const Configuration& run) {
  return run.device.origin == FactOrigin::kAssumed ? "an assumed device's" : "the device's";
}

std::string batch_words(const Configuration& run, const Advice& advice) {
  const double percent = std::floor(advice.batch_share * 100);
  if (advice.batch_share == 0.5 && !exceeds_device(run)) {
    return fmt::format("smaller batch: half of it saves half of the {} of activations at the peak ({})",
                       mb(advice.affected_bytes), outcome(run, advice.peak_after_bytes));
  }
  return fmt::format("smaller batch: activations grow with it; at most {:.0f}% of the batch fits ({})",
                     percent, outcome(run, advice.peak_after_bytes));
}

}  // namespace

std::string verdict_words(const Configuration& run) {
  const std::string peak = mb(run.peak_bytes);
  if (!run.has_verdict()) return fmt::format("no verdict: peak {} {}", peak, no_verdict_words(run));
  if (!run.device.bytes) return fmt::format("peak {}; the memory of the device is not known", peak);
  const std::int64_t device = *run.device.bytes;
  const std::string share = report::percent_text(report::ratio(run.peak_bytes, device));
  const std::string_view whose = owner_of_memory(run);
  if (exceeds_device(run)) {
    return fmt::format("does not fit: peak {} is {} of {} {}, {} too much", peak, share, whose, mb(device),
                       mb(run.peak_bytes - device));
  }
  const bool tight = static_cast<double>(run.peak_bytes) > kNearlyFull * static_cast<double>(device);
  return fmt::format("{}: peak {} is {} of {} {}, {} left", tight ? "hardly fits" : "fits", peak, share,
                     whose, mb(device), mb(device - run.peak_bytes));
}

std::string no_verdict_words(const Configuration& run) {
  if (run.lost_gradients.empty() && run.failure_line != 0) {
    return fmt::format(
        "is that of the summary, and an allocation failed after it (line {}); `ttscope oom` explains it",
        run.failure_line);
  }
  if (run.lost_gradients.empty()) {
    return fmt::format(
        "is that of the phases up to {}: the summary is cut there, what came after is not known",
        run.cut_after);
  }
  const std::string too_much = exceeds_device(run) ? fmt::format(" and is {} more than {} {} without them",
                                                                 mb(run.peak_bytes - *run.device.bytes),
                                                                 owner_of_memory(run), mb(*run.device.bytes))
                                                   : std::string();
  return fmt::format(
      "lacks the gradients{}: each {} shows the figures of the last one, the first, which made them, is "
      "lost; a tracker of August 2026 or later tells it",
      too_much, run.lost_gradients);
}

std::string advice_words(const PhaseAnalysis& all, const Configuration& run, const Advice& advice) {
  const std::string after = outcome(run, advice.peak_after_bytes);
  switch (advice.kind) {
    case AdviceKind::kOtherConfiguration:
      return fmt::format("the run \"{}\" of the same model needs less: {}",
                         all.configurations[advice.configuration].name, after);
    case AdviceKind::kRecomputation:
      return fmt::format(
          "recompute activations in the backward pass (memory_efficient, gradient checkpointing): forward "
          "passes keep {} "
          "at the peak; at best {}",
          mb(advice.affected_bytes), after);
    case AdviceKind::kSmallerBatch:
      return batch_words(run, advice);
    case AdviceKind::kGradientAccumulation:
      return fmt::format(
          "gradient accumulation: the same batch in {} micro-steps keeps fewer activations at once, and the "
          "gradients "
          "beside them ({})",
          advice.micro_steps, after);
    case AdviceKind::kOptimizerState:
      return fmt::format(
          "optimizer state of {} is {:.1f} times the model: two bf16 values a parameter need 2 times ({})",
          mb(advice.affected_bytes), report::ratio(advice.affected_bytes, run.model.actual_bytes.value_or(0)),
          after);
  }
  return {};
}

std::string note_words(const PhaseNote& note) {
  switch (note.kind) {
    case PhaseNoteKind::kDeviceMemoryAssumed:
      return "no line tells the memory of the device (`Available Device Memory: N MB`): the 12 GB of an n150 "
             "are "
             "assumed; --device-memory gives another size";
    case PhaseNoteKind::kDeviceMemoryOfAll:
      return fmt::format(
          "the log prints {:.0f} MB for {} devices together; the peak is of one device and compared with one",
          note.mb, note.count);
    case PhaseNoteKind::kWholeModelExpected:
      return fmt::format(
          "expected sizes are of the whole model; with tensor parallelism each of the {} devices holds a "
          "part of it",
          note.count);
    case PhaseNoteKind::kFactInherited:
      return fmt::format("the {} stands further up in the log, before another summary (line {})", note.name,
                         note.count);
    case PhaseNoteKind::kExpectedTooLarge:
      return "the expected sizes of model and optimizer explain more than the whole peak: the measured ones "
             "are shown";
    case PhaseNoteKind::kNoExpectedSizes:
      return "no line tells the number of parameters: sizes of model and optimizer are the measured ones";
    case PhaseNoteKind::kNamesRepeated:
      return fmt::format(
          "phases of one name have the same figures ({}, up to {} times): a tracker from before August 2026 "
          "shows the last "
          "of them under each, so the first micro-step, which makes the gradients, is lost",
          note.name, note.count);
    case PhaseNoteKind::kCbPerChip:
      return fmt::format(
          "circular buffers of {:.2f} MB are more than the L1 of a core: a tracker counts them once for "
          "each chip of a mesh",
          note.mb);
    case PhaseNoteKind::kCbCached:
      return fmt::format(
          "no circular buffers in {}: its programs came from the cache, where they are not recorded; not "
          "known, not zero",
          note.name);
    case PhaseNoteKind::kNegativeCurrent:
      return fmt::format("after {} more was freed than allocated: memory from before the capture", note.name);
    case PhaseNoteKind::kTotalsDerived:
      return "the summary has no readable totals: peak and final use are those of the last phase read";
  }
  return {};
}

std::string violation_words(const Configuration& run, const Violation& violation) {
  static constexpr std::array<std::string_view, 6> kWords = {
      "segment change {} MB, but allocations less deallocations give {} MB",
      "cumulative current {} MB, but the one before and the segment change give {} MB",
      "cumulative peak {} MB, but the one before and the segment peak give {} MB",
      "segment peak {} MB is less than the segment change of {} MB",
      "overall peak {} MB, but the cumulative peak of the last phase is {} MB",
      "final usage {} MB, but the cumulative current of the last phase is {} MB"};
  const std::string_view words = kWords[static_cast<std::size_t>(violation.relation)];
  const PhaseStep& phase = run.phases[violation.phase];
  return fmt::format("{} (line {}): ", phase.name, phase.line) +
         fmt::format(fmt::runtime(words), fmt::format("{:.2f}", violation.printed_mb),
                     fmt::format("{:.2f}", violation.expected_mb));
}

std::string peak_place(const Configuration& run) {
  if (!run.peak_phase) return {};
  const PhaseStep& phase = run.phases[*run.peak_phase];
  return fmt::format("{} (line {})", phase.name, phase.line);
}

std::string_view meaning_of(ComponentKind kind) {
  static constexpr std::array<std::string_view, kComponentCount> kMeanings = {
      "the peak less all other parts",
      "parameters: what model creation left",
      "the most that the backward pass needed above its start",
      "what optimizer creation left",
      "kept by forward passes whose backward pass was not over",
      "left by backward passes before the peak",
      "left by phases of other names",
      "of the phase that makes the peak, gone after it"};
  return kMeanings[static_cast<std::size_t>(kind)];
}

std::string nothing_words(const std::vector<std::string>& logs) {
  return fmt::format(
      "{}: no memory usage summary found\n"
      "expected the lines that MemoryUsageTracker::print_memory_usage() prints: `=== Memory Usage Summary "
      "===` and `--- PHASE ---` blocks; run the trainer with --track_memory",
      fmt::join(logs, ", "));
}

std::string_view scope_words() {
  return "figures are of one device, from the tracker's graph capture: buffers of tensors as allocated, "
         "without "
         "fragmentation, padding to banks and reserved regions; a run in NO_DISPATCH also lacks kernel "
         "binaries";
}

}  // namespace ttscope::phases
