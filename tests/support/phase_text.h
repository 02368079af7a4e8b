#pragma once

#include <string>
#include <string_view>

#include "phases/model/phase_log.h"

namespace ttscope::testing {

/// One phase as the tracker prints it; figures in MB.
struct PhaseFigures {
  double segment_peak = 0;
  double allocations = 0;
  double deallocations = 0;
};

/// Writes summaries as MemoryUsageTracker does, so that all relations hold.
class SummaryText {
 public:
  explicit SummaryText(std::string prefix = {}) : prefix_(std::move(prefix)) {}

  SummaryText& phase(std::string_view name, const PhaseFigures& figures);
  /// The whole summary, with its totals unless it is cut.
  std::string text(bool cut = false) const;

 private:
  std::string line(const std::string& content) const { return prefix_ + content + "\n"; }

  std::string prefix_;
  std::string phases_;
  double current_ = 0;
  double peak_ = 0;
};

/// A usual run: model, optimizer, forward, backward, end.
std::string usual_summary(double activations_mb = 9000);

/// The log of a text.
phases::PhaseLog read_phases(const std::string& text);

}  // namespace ttscope::testing
