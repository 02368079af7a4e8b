#include "phases/write/terminal/phases_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "phases/write/plot/component_style.h"
#include "phases/write/terminal/phase_words.h"
#include "report/number_text.h"
#include "report/text_layout.h"

namespace ttscope::phases {
namespace {

using Ink = report::Painter::Ink;

constexpr std::size_t kNarrowest = 80;
constexpr std::size_t kWidest = 140;
constexpr std::size_t kFigure = 10;
constexpr std::size_t kL1Figure = 6;
constexpr std::string_view kPeakMark = " <peak";

Ink ink_of(Severity severity) {
  if (severity == Severity::kCritical) return Ink::kRed;
  return severity == Severity::kWarning ? Ink::kYellow : Ink::kGreen;
}

std::string_view word_of(const Configuration& run) {
  if (!run.has_verdict()) return "UNKNOWN";
  if (run.severity == Severity::kCritical) return "CRITICAL";
  return run.severity == Severity::kWarning ? "WARNING" : "OK";
}

std::string cell(std::string_view text) { return report::pad_left(text, kFigure); }

class Report {
 public:
  Report(const Profile& profile, const report::TextOptions& options)
      : log_(profile.log),
        analysis_(profile.analysis),
        rows_(options.top <= 0 ? ~std::size_t{0} : static_cast<std::size_t>(options.top)),
        out_(options.color,
             std::clamp(static_cast<std::size_t>(std::max(options.width, 0)), kNarrowest, kWidest)) {}

  std::string make() {
    for (const Configuration& run : analysis_.configurations) {
      out_.statement(word_of(run), ink_of(run.severity), terminal_safe(run.name + ": " + verdict_words(run)));
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
    out_.line(fmt::format("  Peak of {} MB{}{}", report::mb_text(run.peak_bytes), where.empty() ? "" : " in ",
                          where));
    for (std::size_t i = run.components.size(); i-- > 0;) {
      const Component& part = run.components[i];
      const double share = report::ratio(part.bytes, run.peak_bytes);
      out_.line(fmt::format("    {} {} MB {}  {} {}", report::pad_right(style_of(part.kind).label, 20),
                            report::pad_left(report::mb_text(part.bytes), 10),
                            report::pad_left(report::percent_text(share), 7),
                            report::pad_right(report::bar(share, 20), 20), name_of(part.confidence)));
    }
  }

  void add_sizes(const Configuration& run) {
    const auto line = [&](std::string_view label, const SizeCheck& size) {
      if (!size.actual_bytes) return;
      std::string text = fmt::format("  {} {} MB", report::pad_right(label, 22),
                                     report::pad_left(report::mb_text(*size.actual_bytes), 10));
      if (size.expected_bytes) {
        text += fmt::format("  expected {} MB", report::pad_left(report::mb_text(*size.expected_bytes), 10));
        if (*size.expected_bytes != 0) {
          text += fmt::format(
              "  {:+.2f}%",
              report::ratio(*size.actual_bytes - *size.expected_bytes, *size.expected_bytes) * 100);
        }
      }
      out_.line(text);
    };
    out_.blank_line();
    if (run.parameters) {
      out_.line(fmt::format("  {} {}", report::pad_right("Parameters", 22),
                            report::pad_left(report::count_text(*run.parameters), 13)));
    }
    line("Model, measured", run.model);
    line("Optimizer, measured", run.optimizer);
    line("Gradients, derived", run.gradients);
    if (run.activations_bytes) {
      out_.line(fmt::format("  {} {} MB  the most that a forward pass kept",
                            report::pad_right("Activations, measured", 22),
                            report::pad_left(report::mb_text(*run.activations_bytes), 10)));
    }
  }

  void add_phase(const Configuration& run, std::size_t index, std::size_t name_width) {
    const PhaseStep& phase = run.phases[index];
    const bool peak = run.peak_phase == static_cast<std::uint32_t>(index);
    std::string text =
        "  " + report::pad_right(report::fit(terminal_safe(phase.name), name_width), name_width);
    text += cell(fmt::format("{:+.2f}", static_cast<double>(phase.change_bytes) / 1048576));
    text += cell(report::mb_text(phase.segment_peak_bytes)) + cell(report::mb_text(phase.reached_bytes()));
    text += cell(report::mb_text(phase.current_bytes));
    text += report::pad_left(phase.l1 ? fmt::format("{:.2f}", phase.l1->peak_total_mb) : "-", kL1Figure);
    if (peak) text += kPeakMark;
    out_.line(peak ? out_.paint(text, Ink::kBold) : text);
  }

  void add_phases(const Configuration& run) {
    const std::size_t name_width = out_.width() - 2 - 4 * kFigure - kL1Figure - kPeakMark.size();
    out_.blank_line();
    out_.line("  " + report::pad_right("Phase", name_width) + cell("change") + cell("own peak") +
              cell("reached") + cell("after") + report::pad_left("L1", kL1Figure) + "  MB");
    const std::size_t total = run.phases.size();
    const std::size_t shown = std::min(total, rows_);
    // The peak is always among the rows.
    const std::size_t last = run.peak_phase ? std::max<std::size_t>(*run.peak_phase + 1, shown) : shown;
    const std::size_t first = last - shown;
    if (first > 0) out_.line(fmt::format("  ... {} before", report::counted(first, "phase")));
    for (std::size_t i = first; i < last; ++i) add_phase(run, i, name_width);
    if (last < total)
      out_.line(fmt::format("  ... {} more (--top 0 shows all)", report::counted(total - last, "phase")));
  }

  void add_steps(const Configuration& run) {
    if (run.steps.size() < 2) return;
    out_.blank_line();
    out_.line(fmt::format("  {} of a forward and a backward pass",
                          report::counted(run.steps.size(), "micro-step")));
    const std::size_t shown = std::min(run.steps.size(), rows_);
    for (std::size_t i = 0; i < shown; ++i) {
      const TrainingStep& step = run.steps[i];
      out_.line(fmt::format("    {:>4}  activations {} MB, left {} MB, reached {} MB",
                            step.micro_step.value_or(static_cast<std::uint32_t>(i)),
                            report::pad_left(report::mb_text(step.activations_bytes), 9),
                            report::pad_left(report::mb_text(step.net_bytes), 9),
                            report::pad_left(report::mb_text(step.peak_bytes), 9)));
    }
    if (shown < run.steps.size()) out_.line(fmt::format("    ... {} more", run.steps.size() - shown));
  }

  void add_lists(const Configuration& run) {
    if (!run.advice.empty() || !run.violations.empty() || !run.notes.empty()) out_.blank_line();
    for (const Advice& advice : run.advice) {
      out_.item("save", fmt::format("{}: {}", report::mb_text(advice.bytes) + " MB",
                                    terminal_safe(advice_words(analysis_, run, advice))));
    }
    const std::size_t shown = std::min<std::size_t>(run.violations.size(), 5);
    for (std::size_t i = 0; i < shown; ++i) {
      out_.item("broken", terminal_safe(violation_words(run, run.violations[i])), Ink::kYellow);
    }
    if (shown < run.violations.size())
      out_.item("broken", fmt::format("... {} more", run.violations.size() - shown));
    for (const PhaseNote& note : run.notes) out_.item("note", terminal_safe(note_words(note)));
  }

  void add_trust() {
    std::size_t phases = 0;
    std::size_t broken = 0;
    for (const Configuration& run : analysis_.configurations) {
      phases += run.phases.size();
      broken += run.violations.size();
    }
    out_.heading("Trust");
    out_.item("read",
              fmt::format("{} with {}; relations between their figures {}",
                          report::counted(log_.summaries.size(), "summary", "summaries"),
                          report::counted(phases, "phase"),
                          broken == 0 ? "all hold within rounding" : fmt::format("broken {} times", broken)));
    for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
      const auto problem = static_cast<PhaseProblem>(i);
      const std::uint64_t count = log_.problems.count(problem);
      if (count == 0) continue;
      const Place first = log_.problems.places(problem).front();
      out_.item(info_of(problem).repaired ? "repaired" : "skipped",
                fmt::format("{} {}, first at line {}", report::count_text(count), info_of(problem).sentence,
                            first.line));
    }
    for (const std::string& warning : log_.warnings) out_.item("input", terminal_safe(warning));
    out_.item("note", scope_words());
  }

  const PhaseLog& log_;
  const PhaseAnalysis& analysis_;
  std::size_t rows_;
  report::Painter out_;
};

}  // namespace

std::string phases_summary_text(const Profile& profile, const report::TextOptions& options) {
  return Report(profile, options).make();
}

}  // namespace ttscope::phases
