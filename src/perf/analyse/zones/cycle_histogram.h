#pragma once

#include <cstdint>
#include <unordered_map>

namespace ttscope::perf {

/// How often lengths occurred, in buckets that are at most a 32nd of their lengths wide: quantiles to less
/// than 2 % in memory that follows the spread of the lengths, not their number.
class CycleHistogram {
 public:
  void add(std::uint64_t cycles) { ++buckets_[bucket_of(cycles)]; }
  void add(const CycleHistogram& other);
  /// The middle of the bucket in which the quantile lies (its value where that is the only one); 0 when
  /// empty.
  double quantile(double fraction) const;

 private:
  static std::uint16_t bucket_of(std::uint64_t cycles);
  static double middle_of(std::uint16_t bucket);

  std::unordered_map<std::uint16_t, std::uint64_t> buckets_;
};

}  // namespace ttscope::perf
