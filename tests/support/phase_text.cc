#include "support/phase_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "phases/read/phase_log_reader.h"
#include "support/temp_folder.h"

namespace ttscope::testing {

SummaryText& SummaryText::phase(std::string_view name, const PhaseFigures& figures) {
  const double change = figures.allocations - figures.deallocations;
  peak_ = std::max(peak_, current_ + figures.segment_peak);
  current_ += change;
  phases_ += line(fmt::format("--- {} ---", name));
  phases_ +=
      line(fmt::format("  DRAM: Segment Peak {:.2f} MB, Allocations {:.2f} MB, Deallocations {:.2f} MB, "
                       "Segment Change {:+.2f} MB",
                       figures.segment_peak, figures.allocations, figures.deallocations, change));
  phases_ +=
      line(fmt::format("  DRAM: Cumulative Peak {:.2f} MB, Cumulative Current {:.2f} MB", peak_, current_));
  phases_ += line("  L1: Peak CB 0.25 MB, Peak Buffer 0.00 MB, Peak Total 0.25 MB");
  return *this;
}

std::string SummaryText::text(bool cut) const {
  std::string whole = line("=== Memory Usage Summary ===") + line("") + phases_;
  if (cut) return whole;
  return whole + line("") + line("=== Final Totals ===") +
         line(fmt::format("Overall DRAM Peak: {:.2f} MB, Final DRAM Usage: {:.2f} MB", peak_, current_)) +
         line("");
}

std::string usual_summary(double activations_mb) {
  return SummaryText()
      .phase("MODEL_CREATION", {1100, 1500, 500})
      .phase("OPTIMIZER_CREATION", {2000, 2000, 0})
      .phase("FORWARD_PASS", {activations_mb + 100, activations_mb + 700, 700})
      .phase("BACKWARD_PASS", {400, 5000, 4000 + activations_mb})
      .phase("FIRST_ITERATION_COMPLETE", {1, 1, 1})
      .text();
}

phases::PhaseLog read_phases(const std::string& text) {
  const TempFolder folder;
  auto log = phases::read_phase_logs({folder.file("train.log", text)});
  return log ? std::move(*log) : phases::PhaseLog{};
}

}  // namespace ttscope::testing
