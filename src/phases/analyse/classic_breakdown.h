#pragma once

#include <optional>

#include "phases/model/classic_phase_log.h"

namespace ttscope::phases {

/// The sizes that analyze_memory.py compares with, in MB of 1048576 bytes; one set for all sections.
struct ClassicSizes {
  double model_mb = 0;
  double optimizer_mb = 0;
  double gradients_mb = 0;
  double device_mb = 0;
};

/// The number of parameters that the model's size is taken from: that of the first section which has one.
std::optional<double> classic_parameters(const ClassicLog& log);
/// The first device memory found.
std::optional<double> classic_device_mb(const ClassicLog& log);

/// Sizes in bytes that the user gives.
struct ClassicGiven {
  std::optional<double> model_bytes;
  std::optional<double> optimizer_bytes;
  std::optional<double> gradients_bytes;
  std::optional<double> device_bytes;
};

/// The sizes that the script compares with, and where it has them from.
struct FoundClassicSizes {
  enum class Missing { kNothing, kModel, kDevice };

  ClassicSizes sizes;
  std::optional<double> parameters;     ///< the model's size was worked out from these
  std::optional<double> log_device_mb;  ///< the log tells the device's memory
  Missing missing = Missing::kNothing;  ///< what ends the script; the sizes before it are there
};
FoundClassicSizes find_classic_sizes(const ClassicLog& log, const ClassicGiven& given);

/// The bar of a section: what analyze_memory.py stacks, with its flaws (docs/phases.md).
struct ClassicBreakdown {
  double model_mb = 0;
  double optimizer_mb = 0;
  double activations_mb = 0;
  double gradients_overhead_mb = 0;
  double other_mb = 0;  ///< never below 0
  double total_mb = 0;
  double device_mb = 0;
};

/// Absent for a section without an overall peak.
std::optional<ClassicBreakdown> classic_breakdown(const ClassicSection& section, const ClassicSizes& sizes,
                                                  bool use_actual_sizes);

/// Figures of a phase by field; absent when the section has no such phase.
std::optional<double> classic_mb(const ClassicSection& section, ClassicPhase phase, DramField field);
/// What is left after the backward pass above what was there before the forward pass.
std::optional<double> classic_gradients_mb(const ClassicSection& section);
/// (actual - expected) / expected in percent, 0 when nothing is expected.
double classic_difference(double actual_mb, double expected_mb);

}  // namespace ttscope::phases
