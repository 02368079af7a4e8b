#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "phases/write/outputs.h"
#include "phases/write/plot.h"
#include "ui/text.h"

namespace ttscope::phases {
namespace {

/// As in the tables: one number has one rounding on a screen.
std::string mb(std::int64_t bytes) { return ui::mb_text(bytes) + " MB"; }

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

std::string batch_text(const Configuration& run, const Advice& advice) {
  const double percent = std::floor(advice.batch_share * 100);
  if (advice.batch_share == 0.5 && !exceeds_device(run)) {
    return fmt::format("smaller batch: half of it saves half of the {} of activations at the peak ({})",
                       mb(advice.affected_bytes), outcome(run, advice.peak_after_bytes));
  }
  return fmt::format("smaller batch: activations grow with it; at most {:.0f}% of the batch fits ({})",
                     percent, outcome(run, advice.peak_after_bytes));
}

}  // namespace

std::string verdict_text(const Configuration& run) {
  const std::string peak = mb(run.peak_bytes);
  if (!run.has_verdict()) return fmt::format("no verdict: peak {} {}", peak, no_verdict_text(run));
  if (!run.device.bytes) return fmt::format("peak {}; the memory of the device is not known", peak);
  const std::int64_t device = *run.device.bytes;
  const std::string share = ui::percent_text(ui::ratio(run.peak_bytes, device));
  const std::string_view owner = owner_of_memory(run);
  if (exceeds_device(run)) {
    return fmt::format("does not fit: peak {} is {} of {} {}, {} too much", peak, share, owner, mb(device),
                       mb(run.peak_bytes - device));
  }
  const bool tight = static_cast<double>(run.peak_bytes) > kNearlyFull * static_cast<double>(device);
  return fmt::format("{}: peak {} is {} of {} {}, {} left", tight ? "hardly fits" : "fits", peak, share,
                     owner, mb(device), mb(device - run.peak_bytes));
}

std::string no_verdict_text(const Configuration& run) {
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

std::string advice_text(const PhaseAnalysis& all, const Configuration& run, const Advice& advice) {
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
      return batch_text(run, advice);
    case AdviceKind::kGradientAccumulation:
      return fmt::format(
          "gradient accumulation: the same batch in {} micro-steps keeps fewer activations at once, and the "
          "gradients "
          "beside them ({})",
          advice.micro_steps, after);
    case AdviceKind::kOptimizerState:
      return fmt::format(
          "optimizer state of {} is {:.1f} times the model: two bf16 values a parameter need 2 times ({})",
          mb(advice.affected_bytes), ui::ratio(advice.affected_bytes, run.model.actual_bytes.value_or(0)),
          after);
  }
  return {};
}

std::string note_text(const PhaseNote& note) {
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

std::string violation_text(const Configuration& run, const Violation& violation) {
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

std::string no_input_text(const std::vector<std::string>& logs) {
  return fmt::format(
      "{}: no memory usage summary found\n"
      "expected the lines that MemoryUsageTracker::print_memory_usage() prints: `=== Memory Usage Summary "
      "===` and `--- PHASE ---` blocks; run the trainer with --track_memory",
      fmt::join(logs, ", "));
}

std::string_view scope_text() {
  return "figures are of one device, from the tracker's graph capture: buffers of tensors as allocated, "
         "without "
         "fragmentation, padding to banks and reserved regions; a run in NO_DISPATCH also lacks kernel "
         "binaries";
}

namespace {

using Ink = ui::Painter::Ink;

constexpr std::size_t kMinWidth = 80;
constexpr std::size_t kMaxWidth = 140;
constexpr std::size_t kFigure = 10;
constexpr std::size_t kL1Figure = 6;
constexpr std::string_view kPeakMarker = " <peak";

Ink ink_of(Severity severity) {
  if (severity == Severity::kCritical) return Ink::kRed;
  return severity == Severity::kWarning ? Ink::kYellow : Ink::kGreen;
}

std::string_view word_of(const Configuration& run) {
  if (!run.has_verdict()) return "UNKNOWN";
  if (run.severity == Severity::kCritical) return "CRITICAL";
  return run.severity == Severity::kWarning ? "WARNING" : "OK";
}

std::string cell(std::string_view text) { return ui::pad_left(text, kFigure); }

class Report {
 public:
  Report(const Profile& profile, const ui::TextOptions& options)
      : log_(profile.log),
        analysis_(profile.analysis),
        rows_(options.top <= 0 ? ~std::size_t{0} : static_cast<std::size_t>(options.top)),
        out_(options.color,
             std::clamp(static_cast<std::size_t>(std::max(options.width, 0)), kMinWidth, kMaxWidth)) {}

  std::string make() {
    for (const Configuration& run : analysis_.configurations) {
      out_.statement(word_of(run), ink_of(run.severity), terminal_safe(run.name + ": " + verdict_text(run)));
    }
    for (const Configuration& run : analysis_.configurations) add_run(run);
    add_trust();
    return out_.take();
  }

 private:
  void add_run(const Configuration& run) {
    const PhaseSummary& summary = log_.summaries[run.summary];
    std::string place = fmt::format("line {}", summary.line);
    if (log_.files.size() > 1)
      place = fmt::format("{}:{}", terminal_safe(log_.files[summary.file]), summary.line);
    out_.heading(terminal_safe(run.name), place);
    add_components(run);
    add_sizes(run);
    add_phases(run);
    add_steps(run);
    add_lists(run);
  }

  void add_components(const Configuration& run) {
    const std::string where = terminal_safe(peak_place(run));
    out_.line(
        fmt::format("  Peak of {} MB{}{}", ui::mb_text(run.peak_bytes), where.empty() ? "" : " in ", where));
    for (std::size_t i = run.components.size(); i-- > 0;) {
      const Component& part = run.components[i];
      const double share = ui::ratio(part.bytes, run.peak_bytes);
      out_.line(fmt::format("    {} {} MB {}  {} {}", ui::pad_right(style_of(part.kind).label, 20),
                            ui::pad_left(ui::mb_text(part.bytes), 10),
                            ui::pad_left(ui::percent_text(share), 7), ui::pad_right(ui::bar(share, 20), 20),
                            name_of(part.confidence)));
    }
  }

  void add_sizes(const Configuration& run) {
    const auto line = [&](std::string_view label, const SizeCheck& size) {
      if (!size.actual_bytes) return;
      std::string text = fmt::format("  {} {} MB", ui::pad_right(label, 22),
                                     ui::pad_left(ui::mb_text(*size.actual_bytes), 10));
      if (size.expected_bytes) {
        text += fmt::format("  expected {} MB", ui::pad_left(ui::mb_text(*size.expected_bytes), 10));
        if (*size.expected_bytes != 0) {
          text += fmt::format(
              "  {:+.2f}%", ui::ratio(*size.actual_bytes - *size.expected_bytes, *size.expected_bytes) * 100);
        }
      }
      out_.line(text);
    };
    out_.blank_line();
    if (run.parameters) {
      out_.line(fmt::format("  {} {}", ui::pad_right("Parameters", 22),
                            ui::pad_left(ui::count_text(*run.parameters), 13)));
    }
    line("Model, measured", run.model);
    line("Optimizer, measured", run.optimizer);
    line("Gradients, derived", run.gradients);
    if (run.activations_bytes) {
      out_.line(fmt::format("  {} {} MB  the most that a forward pass kept",
                            ui::pad_right("Activations, measured", 22),
                            ui::pad_left(ui::mb_text(*run.activations_bytes), 10)));
    }
  }

  void add_phase(const Configuration& run, std::size_t index, std::size_t name_width) {
    const PhaseStep& phase = run.phases[index];
    const bool peak = run.peak_phase == static_cast<std::uint32_t>(index);
    std::string text = "  " + ui::pad_right(ui::fit(terminal_safe(phase.name), name_width), name_width);
    text += cell(fmt::format("{:+.2f}", static_cast<double>(phase.change_bytes) / 1048576));
    text += cell(ui::mb_text(phase.segment_peak_bytes)) + cell(ui::mb_text(phase.reached_bytes()));
    text += cell(ui::mb_text(phase.current_bytes));
    text += ui::pad_left(phase.l1 ? fmt::format("{:.2f}", phase.l1->peak_total_mb) : "-", kL1Figure);
    if (peak) text += kPeakMarker;
    out_.line(peak ? out_.paint(text, Ink::kBold) : text);
  }

  void add_phases(const Configuration& run) {
    const std::size_t name_width = out_.width() - 2 - 4 * kFigure - kL1Figure - kPeakMarker.size();
    out_.blank_line();
    out_.line("  " + ui::pad_right("Phase", name_width) + cell("change") + cell("own peak") +
              cell("reached") + cell("after") + ui::pad_left("L1", kL1Figure) + "  MB");
    const std::size_t total = run.phases.size();
    const std::size_t shown = std::min(total, rows_);
    // The peak is always among the rows.
    const std::size_t last = run.peak_phase ? std::max<std::size_t>(*run.peak_phase + 1, shown) : shown;
    const std::size_t first = last - shown;
    if (first > 0) out_.line(fmt::format("  ... {} before", ui::counted(first, "phase")));
    for (std::size_t i = first; i < last; ++i) add_phase(run, i, name_width);
    if (last < total)
      out_.line(fmt::format("  ... {} more (--top 0 shows all)", ui::counted(total - last, "phase")));
  }

  void add_steps(const Configuration& run) {
    if (run.steps.size() < 2) return;
    out_.blank_line();
    out_.line(
        fmt::format("  {} of a forward and a backward pass", ui::counted(run.steps.size(), "micro-step")));
    const std::size_t shown = std::min(run.steps.size(), rows_);
    for (std::size_t i = 0; i < shown; ++i) {
      const TrainingStep& step = run.steps[i];
      out_.line(fmt::format("    {:>4}  activations {} MB, left {} MB, reached {} MB",
                            step.micro_step.value_or(static_cast<std::uint32_t>(i)),
                            ui::pad_left(ui::mb_text(step.activations_bytes), 9),
                            ui::pad_left(ui::mb_text(step.net_bytes), 9),
                            ui::pad_left(ui::mb_text(step.peak_bytes), 9)));
    }
    if (shown < run.steps.size()) out_.line(fmt::format("    ... {} more", run.steps.size() - shown));
  }

  void add_lists(const Configuration& run) {
    if (!run.advice.empty() || !run.violations.empty() || !run.notes.empty()) out_.blank_line();
    for (const Advice& advice : run.advice) {
      out_.item("save", fmt::format("{}: {}", ui::mb_text(advice.bytes) + " MB",
                                    terminal_safe(advice_text(analysis_, run, advice))));
    }
    const std::size_t shown = std::min<std::size_t>(run.violations.size(), 5);
    for (std::size_t i = 0; i < shown; ++i) {
      out_.item("broken", terminal_safe(violation_text(run, run.violations[i])), Ink::kYellow);
    }
    if (shown < run.violations.size())
      out_.item("broken", fmt::format("... {} more", run.violations.size() - shown));
    for (const PhaseNote& note : run.notes) out_.item("note", terminal_safe(note_text(note)));
  }

  void add_trust() {
    std::size_t phases = 0;
    std::size_t broken = 0;
    for (const Configuration& run : analysis_.configurations) {
      phases += run.phases.size();
      broken += run.violations.size();
    }
    out_.heading("Trust");
    out_.item(
        "read",
        fmt::format("{} with {}; relations between their figures {}",
                    ui::counted(log_.summaries.size(), "summary", "summaries"), ui::counted(phases, "phase"),
                    broken == 0 ? "all hold within rounding" : fmt::format("broken {} times", broken)));
    for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
      const auto problem = static_cast<PhaseProblem>(i);
      const std::uint64_t count = log_.problems.count(problem);
      if (count == 0) continue;
      const Place first = log_.problems.places(problem).front();
      out_.item(info_of(problem).repaired ? "repaired" : "skipped",
                fmt::format("{} {}, first at line {}", ui::count_text(count), info_of(problem).sentence,
                            first.line));
    }
    for (const std::string& warning : log_.warnings) out_.item("input", terminal_safe(warning));
    out_.item("note", scope_text());
  }

  const PhaseLog& log_;
  const PhaseAnalysis& analysis_;
  std::size_t rows_;
  ui::Painter out_;
};

}  // namespace

std::string phases_summary_text(const Profile& profile, const ui::TextOptions& options) {
  return Report(profile, options).make();
}

}  // namespace ttscope::phases
