#pragma once

#include <vector>

#include "diff/report.h"

namespace ttscope::diff {

/// Costs of one row in two runs that should be the same.
struct EqualRow {
  double before = 0;
  double after = 0;
};

/// How far rows that did not change differ all the same. Robust: a few that did change do not matter.
class NoiseModel {
 public:
  /// `comparisons`: how many pairs of runs the rows are of; `is_of_repeats`: of runs of one side.
  NoiseModel(const std::vector<EqualRow>& rows, std::size_t comparisons, bool is_of_repeats);

  /// Of figures without noise, which are rounded to this.
  explicit NoiseModel(double exact_within) : exact_within_(exact_within) { figures_.is_rounding = true; }

  /// Beyond this a change of a row of this cost is more than noise.
  double limit_of(double cost) const;
  /// The same for the sum of many rows.
  double band_of(double total) const;
  const Noise& figures() const { return figures_; }

 private:
  Noise figures_;
  double exact_within_ = 0;
  double sum_variance_ = 0;  ///< of all rows of one run together, in costs
};

/// How gaps vary around what they have in common: a host that is busy with other things makes a few long gaps
/// longer and others shorter. Robust, as that of rows.
class GapNoise {
 public:
  explicit GapNoise(const std::vector<EqualRow>& gaps);

  /// Beyond this the sum of gaps changed by more than each of them varies.
  double band() const { return band_; }
  /// Whether a gap is another one: gaps that all grew alike are.
  bool is_beyond(const EqualRow& gap) const;

 private:
  double relative_ = 0;
  double band_ = 0;
};

}  // namespace ttscope::diff
