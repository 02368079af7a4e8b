#include "diff/analyse/noise.h"

#include <algorithm>
#include <cmath>

namespace ttscope::diff {
namespace {

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  // The lower one of two: rows that changed are rather too many than too few.
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median distance from 0 as a standard deviation.
constexpr double kDeviationsOfMedian = 1.4826;
/// A row is beyond noise from this many deviations on: one of a million by chance.
constexpr double kRowDeviations = 5;
constexpr double kSumDeviations = 4;
/// Seen in pairs of published runs: rows of up to 2 us differ by 12 %, the median row by 1 %, sums by 0.3 %.
constexpr double kSmallChange = 0.5;  // us: within it a short row or gap lies wherever the clock stopped
constexpr double kSmallRelative = 0.25;
constexpr double kUsualRelative = 0.03;
/// Rows of two runs alone cannot tell more noise than this from a change; repeats can.
constexpr double kMostAssumed = 0.03;
constexpr double kSumRelative = 0.005;

}  // namespace

NoiseModel::NoiseModel(const std::vector<EqualRow>& rows, std::size_t comparisons, bool is_of_repeats) {
  std::vector<double> distances;
  for (const EqualRow& row : rows) {
    if (row.before > 0) distances.push_back(std::abs(row.after / row.before - 1));
  }
  figures_.equal_rows = rows.size();
  figures_.is_of_repeats = is_of_repeats;
  figures_.relative = kDeviationsOfMedian * median_of(distances);
  // Where most rows changed, their distance is no noise.
  if (!is_of_repeats) figures_.relative = std::min(figures_.relative, kMostAssumed);
  for (const EqualRow& row : rows) {
    const double deviation = figures_.relative * row.before;
    sum_variance_ += deviation * deviation / static_cast<double>(std::max<std::size_t>(comparisons, 1));
  }
}

double NoiseModel::limit_of(double cost) const {
  if (figures_.is_rounding) return exact_within_;
  const double least = std::min(kSmallChange, kSmallRelative * cost);
  return std::max(least, cost * std::max(kUsualRelative, kRowDeviations * figures_.relative));
}

GapNoise::GapNoise(const std::vector<EqualRow>& gaps) {
  constexpr std::size_t kLeastGaps = 3;
  constexpr double kOfFew = 20;  // few gaps tell little of how they vary
  std::vector<double> ratios;
  double squares = 0;
  for (const EqualRow& gap : gaps) {
    if (gap.before <= 0 || gap.after <= 0) continue;
    ratios.push_back(gap.after / gap.before);
    squares += gap.before * gap.before;
  }
  if (ratios.size() < kLeastGaps) return;
  const double usual = median_of(ratios);
  for (double& ratio : ratios) ratio = std::abs(ratio - usual);
  const double deviations = kSumDeviations + kOfFew / static_cast<double>(ratios.size());
  relative_ = kDeviationsOfMedian * median_of(std::move(ratios));
  band_ = deviations * relative_ * std::sqrt(squares);
}

bool GapNoise::is_beyond(const EqualRow& gap) const {
  // By the shorter one: a gap may have grown to many times what it was.
  const double shorter = std::min(gap.before, gap.after);
  return std::abs(gap.after - gap.before) > std::max(kSmallChange, kRowDeviations * relative_ * shorter);
}

double NoiseModel::band_of(double total) const {
  if (figures_.is_rounding) return exact_within_;
  return std::max(kSumRelative * total, kSumDeviations * std::sqrt(sum_variance_));
}

}  // namespace ttscope::diff
