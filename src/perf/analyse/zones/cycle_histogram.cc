#include "perf/analyse/zones/cycle_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace ttscope::perf {
namespace {

constexpr unsigned kStepBits = 5;
constexpr std::uint64_t kSteps = std::uint64_t{1} << kStepBits;  // of each power of two

}  // namespace

std::uint16_t CycleHistogram::bucket_of(std::uint64_t cycles) {
  if (cycles < kSteps) return static_cast<std::uint16_t>(cycles);
  const auto power = static_cast<unsigned>(std::bit_width(cycles)) - 1 - kStepBits;
  return static_cast<std::uint16_t>((power + 1) * kSteps + ((cycles >> power) & (kSteps - 1)));
}

double CycleHistogram::middle_of(std::uint16_t bucket) {
  if (bucket < kSteps) return bucket;
  const unsigned power = bucket / static_cast<unsigned>(kSteps) - 1;
  const double first = std::ldexp(static_cast<double>(kSteps + bucket % kSteps), static_cast<int>(power));
  return first + (std::ldexp(1.0, static_cast<int>(power)) - 1) / 2;
}

void CycleHistogram::add(const CycleHistogram& other) {
  for (const auto& [bucket, count] : other.buckets_) buckets_[bucket] += count;
}

double CycleHistogram::quantile(double fraction) const {
  std::vector<std::pair<std::uint16_t, std::uint64_t>> sorted(buckets_.begin(), buckets_.end());
  std::sort(sorted.begin(), sorted.end());
  std::uint64_t count = 0;
  for (const auto& [bucket, times] : sorted) count += times;
  if (count == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count)));
  std::uint64_t seen = 0;
  for (const auto& [bucket, times] : sorted) {
    seen += times;
    if (seen >= std::max<std::uint64_t>(1, rank)) return middle_of(bucket);
  }
  return middle_of(sorted.back().first);
}

}  // namespace ttscope::perf
