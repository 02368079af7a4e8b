#pragma once

#include <cmath>
#include <cstdint>

#include "phases/analyse/phase_analysis.h"

namespace ttscope::phases {

inline constexpr double kBytesPerMb = 1048576;

/// The steps of the analysis, each filling its part of a configuration in this order.
void fill_phases(const PhaseSummary& summary, Configuration& configuration);
void check_relations(const PhaseSummary& summary, Configuration& configuration);
void fill_steps(Configuration& configuration);
void fill_sizes(const PhaseSummary& summary, const PhaseOptions& options, Configuration& configuration);
void fill_components(Configuration& configuration);
void fill_notes(const PhaseSummary& summary, Configuration& configuration);
/// Needs all configurations.
void fill_advice(std::vector<Configuration>& configurations);

inline std::int64_t bytes_of_mb(double mb) { return std::llround(mb * kBytesPerMb); }

/// A sum that a hostile log cannot make overflow.
inline std::int64_t plus(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum) || sum > kMost) return a > 0 || b > 0 ? kMost : -kMost;
  return sum < -kMost ? -kMost : sum;
}

}  // namespace ttscope::phases
