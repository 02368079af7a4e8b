#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/trust.h"

namespace ttscope::phases {

/// The DRAM figures that MemoryUsageTracker prints for a phase, in the order of its two lines.
enum class DramField : std::uint8_t {
  kSegmentPeak,        ///< most that the phase used at once, counted from its start
  kAllocations,        ///< all that it allocated
  kDeallocations,      ///< all that it freed
  kSegmentChange,      ///< allocations less deallocations
  kCumulativePeak,     ///< most since the capture began
  kCumulativeCurrent,  ///< in use after the phase
};

inline constexpr std::size_t kDramFieldCount = 6;

/// Per core, in MB as printed.
struct PhaseL1 {
  double peak_cb_mb = 0;
  double peak_buffer_mb = 0;
  double peak_total_mb = 0;
};

/// One `--- NAME ---` block as printed. MB is 1048576 bytes; the tracker prints two decimals.
struct PhaseRecord {
  std::string name;        ///< any text: it comes from the program that was traced
  std::uint32_t line = 0;  ///< of its header
  std::array<std::optional<double>, kDramFieldCount> dram_mb{};  ///< of one device; absent: not printed
  std::optional<PhaseL1> l1;

  const std::optional<double>& dram(DramField field) const {
    return dram_mb[static_cast<std::size_t>(field)];
  }
};

/// A figure that the run printed about itself. `own`: since the summary before; otherwise further up in the
/// file.
template <typename T>
struct RunFact {
  T value{};
  std::uint32_t line = 0;
  bool own = true;
};

/// What the lines around a summary tell about the run.
struct RunFacts {
  std::optional<RunFact<std::uint64_t>> parameters;
  /// Of all devices together, as the trainers print it.
  std::optional<RunFact<double>> device_memory_mb;
  std::optional<RunFact<std::uint32_t>> devices;
  std::optional<RunFact<std::uint32_t>> batch;  ///< sequences in a forward pass
};

/// One summary: the phases of one run.
struct PhaseSummary {
  std::string heading;  ///< the title printed above it, between two rules or alone; empty if there is none
  std::uint32_t file = 0;
  std::uint32_t line = 0;             ///< of `=== Memory Usage Summary ===`, or of what stands in for it
  std::optional<std::uint32_t> rank;  ///< of the lines' prefix, `[Rank 3] ` or `[1,3]<stdout>:`
  RunFacts facts;
  std::vector<PhaseRecord> phases;
  std::optional<double> overall_peak_mb;
  std::optional<double> final_usage_mb;
  std::uint32_t failure_line = 0;  ///< of an allocation that failed after it, or inside of it; 0: none
  bool cut = false;                ///< the line with the totals is missing
  bool is_header_missing = false;  ///< the line that opens it is missing: there may have been phases before
};

/// Expected problems of a phase log. A problem is counted with its first places; reading goes on.
enum class PhaseProblem : std::uint8_t {
  kFigureUnreadable,      ///< a line of figures of which some cannot be read
  kFigureOutsidePhase,    ///< a line of figures without a phase above it
  kPhaseWithoutFigures,   ///< a header without a line of figures
  kSummaryCut,            ///< a summary without its totals
  kSummaryHeaderMissing,  ///< phases without the line that opens a summary
  kSegmentOverwritten,    ///< the tracker's warning that a second segment of a name replaced the first
  kNothingCaptured,       ///< the tracker's warning that it has no segments
  kLineTooLong,           ///< a line over the limit; only its beginning was looked at
};

inline constexpr std::size_t kPhaseProblemCount = 8;

const ProblemInfo& info_of(PhaseProblem problem);

using PhaseProblems = ProblemCounts<PhaseProblem, kPhaseProblemCount>;

/// What the logs say, without interpretation.
struct PhaseLog {
  std::vector<std::string> files;    ///< as given
  std::vector<std::uint32_t> lines;  ///< of each file
  std::vector<PhaseSummary> summaries;
  PhaseProblems problems;
  std::vector<std::string> warnings;  ///< compressed files that are cut or damaged
};

/// What a phase does in training, told by its name.
enum class PhaseRole : std::uint8_t {
  kModel,      ///< makes or loads parameters
  kOptimizer,  ///< makes the optimizer's state
  kForward,    ///< ends with activations kept for the backward pass
  kBackward,   ///< frees activations, makes gradients
  kStep,       ///< the optimizer's step and what closes an iteration
  kOther,      ///< any other name
};

std::string_view name_of(PhaseRole role);

/// The parts of a phase's name: `FORWARD_PASS_micro_2__000017`.
struct PhaseLabel {
  std::string base;                         ///< `FORWARD_PASS`
  std::optional<std::uint32_t> micro_step;  ///< of gradient accumulation, 2
  std::optional<std::uint32_t> counter;     ///< that some trainers append to every name, 17
  PhaseRole role = PhaseRole::kOther;
};

PhaseLabel read_label(std::string_view name);

}  // namespace ttscope::phases
