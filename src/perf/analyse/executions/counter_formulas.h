#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ttscope::perf {

/// How a metric of the hardware counters is computed on one core. A formula is `sum / sum` of counter values;
/// `@X` is the number of cycles that X counted during, `PORT1` the packer's L1 port, whose counter is named
/// differently on each architecture.
struct CounterMetric {
  enum Flags : std::uint32_t {
    kClip = 1,                  ///< not below 0
    kReferenceUnclipped = 2,    ///< the reference does so only in reports of the device alone
    kPlain = 4,                 ///< a ratio, not a percentage
    kReferenceUnscaled = 8,     ///< the reference forgets the factor 100
    kReferenceDeviceOnly = 16,  ///< the reference has it only in reports of the device alone
    kOnlyCaptured = 32,         ///< the reference never takes missing counters of it for 0
  };
  std::string_view name;
  std::string_view formula;  ///< empty: computed by code
  std::uint32_t flags = 0;

  bool has(Flags flag) const { return (flags & flag) != 0; }
};

/// All metrics in the order of their columns.
const std::vector<CounterMetric>& counter_metrics();

}  // namespace ttscope::perf
