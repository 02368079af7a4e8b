#include <fmt/format.h>

#include "base/text.h"
#include "phases/write/outputs.h"
#include "phases/write/plot.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::phases {
namespace {

constexpr std::size_t kMaxPhases = 200;

std::string mb_or_dash(const std::optional<std::int64_t>& bytes) { return bytes ? ui::mb_text(*bytes) : "-"; }

class Report {
 public:
  Report(const Profile& profile, Writer& out) : log_(profile.log), analysis_(profile.analysis), out_(out) {}

  void write(const std::string& title) {
    out_.write(fmt::format("# Training memory by phase{}{}\n\n{}\n", title.empty() ? "" : ": ",
                           markdown_code(title), ui::kDataNotice));
    write_overview();
    for (const Configuration& run : analysis_.configurations) write_run(run);
    write_trust();
  }

 private:
  /// Of a run, whose names it may hold.
  static std::string sentence(const Configuration& run, std::string_view text) {
    std::vector<std::string> names = {run.name};
    for (const auto& phase : run.phases) names.push_back(phase.name);
    return markdown_cell(with_marked_names(text, std::move(names)));
  }

  void write_overview() {
    out_.write(
        "\n| Run | Peak (MB) | Device (MB) | Use | Verdict | Peak in | Final (MB) |\n"
        "|-----|-----------|-------------|-----|---------|---------|------------|\n");
    for (const Configuration& run : analysis_.configurations) {
      const bool known = run.device.bytes.has_value();
      out_.write(fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdown_code(run.name),
                             ui::mb_text(run.peak_bytes), mb_or_dash(run.device.bytes),
                             known ? ui::percent_text(ui::ratio(run.peak_bytes, *run.device.bytes)) : "-",
                             !known                ? "not known"
                             : !run.has_verdict()  ? "no verdict"
                             : exceeds_device(run) ? "does not fit"
                                                   : "fits",
                             sentence(run, peak_place(run)), ui::mb_text(run.final_bytes)));
    }
  }

  void write_run(const Configuration& run) {
    const PhaseSummary& summary = log_.summaries[run.summary];
    out_.write(fmt::format("\n## {}\n{} (summary at {}, line {})\n", markdown_code(run.name),
                           sentence(run, verdict_text(run)), markdown_code(log_.files[summary.file]),
                           summary.line));
    write_components(run);
    write_sizes(run);
    write_phases(run);
    write_findings(run);
  }

  void write_components(const Configuration& run) {
    out_.write(
        "\n### At the peak\n| Part | MB | Share | Figure | What it is "
        "|\n|------|----|-------|--------|------------|\n");
    for (const Component& part : run.components) {
      out_.write(fmt::format("| {} | {} | {} | {} | {} |\n", style_of(part.kind).label,
                             ui::mb_text(part.bytes), ui::percent_text(ui::ratio(part.bytes, run.peak_bytes)),
                             name_of(part.confidence), meaning_of(part.kind)));
    }
    out_.write(fmt::format("| **Total** | {} | 100.0% | measured | |\n", ui::mb_text(run.peak_bytes)));
  }

  void write_sizes(const Configuration& run) {
    out_.write(
        "\n### Sizes\n| Size | Measured (MB) | Expected (MB) |\n|------|---------------|---------------|\n");
    const auto row = [&](std::string_view name, const SizeCheck& size) {
      out_.write(fmt::format("| {} | {} | {} |\n", name, mb_or_dash(size.actual_bytes),
                             mb_or_dash(size.expected_bytes)));
    };
    row("Model", run.model);
    row("Optimizer state", run.optimizer);
    row("Gradients", run.gradients);
    out_.write(fmt::format("| Activations | {} | - |\n", mb_or_dash(run.activations_bytes)));
    if (run.parameters) {
      out_.write(fmt::format("\nExpected for {} parameters in bf16, optimizer state twice the model.\n",
                             ui::count_text(*run.parameters)));
    }
  }

  void write_phases(const Configuration& run) {
    out_.write(
        "\n### Phases\n| # | Phase | Role | Change (MB) | Own peak (MB) | Reached (MB) | After (MB) | "
        "Allocated (MB) | "
        "Freed (MB) | L1 (MB/core) |\n"
        "|---|-------|------|-------------|---------------|--------------|------------|----------------|-----"
        "-------|-"
        "-------------|\n");
    const std::size_t shown = std::min(run.phases.size(), kMaxPhases);
    for (std::size_t i = 0; i < shown; ++i) {
      const PhaseStep& phase = run.phases[i];
      out_.write(fmt::format("| {} | {} | {} | {:+.2f} | {} | {} | {} | {} | {} | {} |\n", i,
                             markdown_code(phase.name), name_of(phase.label.role),
                             static_cast<double>(phase.change_bytes) / 1048576,
                             ui::mb_text(phase.segment_peak_bytes), ui::mb_text(phase.reached_bytes()),
                             ui::mb_text(phase.current_bytes), mb_or_dash(phase.allocations_bytes),
                             mb_or_dash(phase.deallocations_bytes),
                             phase.l1 ? fmt::format("{:.2f}", phase.l1->peak_total_mb) : "-"));
    }
    if (shown < run.phases.size())
      out_.write(fmt::format("\n*... and {} more phases*\n", run.phases.size() - shown));
  }

  void write_findings(const Configuration& run) {
    if (!run.advice.empty()) out_.write("\n### What would save memory\n");
    for (const Advice& advice : run.advice) {
      out_.write(fmt::format("- {} MB: {}\n", ui::mb_text(advice.bytes),
                             sentence(run, advice_text(analysis_, run, advice))));
    }
    if (!run.violations.empty()) out_.write("\n### Broken relations\n");
    for (const Violation& violation : run.violations) {
      out_.write(fmt::format("- {}\n", sentence(run, violation_text(run, violation))));
    }
    if (!run.notes.empty()) out_.write("\n### Notes\n");
    for (const PhaseNote& note : run.notes) out_.write(fmt::format("- {}\n", markdown_cell(note_text(note))));
  }

  void write_trust() {
    out_.write("\n## Trust\n");
    for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
      const auto problem = static_cast<PhaseProblem>(i);
      const std::uint64_t count = log_.problems.count(problem);
      if (count == 0) continue;
      const Place first = log_.problems.places(problem).front();
      out_.write(fmt::format("- {}: {} {}, first at {}:{}\n",
                             info_of(problem).repaired ? "repaired" : "skipped", ui::count_text(count),
                             info_of(problem).sentence, markdown_code(log_.files[first.file]), first.line));
    }
    for (const std::string& warning : log_.warnings)
      out_.write(fmt::format("- input: {}\n", markdown_cell(warning)));
    out_.write(fmt::format("- note: {}\n- note: MB is 1,048,576 bytes; the tracker prints two decimals\n",
                           scope_text()));
  }

  const PhaseLog& log_;
  const PhaseAnalysis& analysis_;
  Writer& out_;
};

}  // namespace

void write_phases_markdown(const Profile& profile, const std::string& title, Writer& out) {
  Report(profile, out).write(title);
}

}  // namespace ttscope::phases
