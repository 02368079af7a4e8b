#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/analyze/repeats.h"
#include "perf/analyze/shown_ops.h"

namespace ttscope::perf {

/// Why the device waited before an op.
enum class GapCause : std::uint8_t {
  kLaunch,    ///< no gap, or the usual few µs of a launch
  kCompile,   ///< first run of the program on this device: cache miss or compilation
  kDispatch,  ///< the host sent the op late
  kTrace,     ///< inside a replayed trace: the device's own dispatch
  kSync,      ///< the host did something else: a host op, a replay that had to be started, a read-back
  kUnknown,   ///< the host had sent the op in time, or nothing is known of it
  kMissing,   ///< no gap: ops of a replay that ran here are not in the report
};

inline constexpr std::size_t kGapCauseCount = 7;

/// `compile`, for JSON and tables.
std::string_view key_of(GapCause cause);

struct GapTotal {
  double gap_us = 0;
  std::uint64_t rows = 0;
};

/// A long gap on a device that the table does not show, before an op that others came to in time: it makes
/// nobody wait as long as another device is later still.
struct HiddenGap {
  std::uint32_t place = 0;  ///< row of the table
  std::uint32_t row = 0;    ///< in OpsReport::rows
  GapCause cause = GapCause::kLaunch;
  double gap_us = 0;
};

struct OpGaps {
  std::vector<GapCause> causes;  ///< by row of the table
  std::array<GapTotal, kGapCauseCount> totals;
  std::vector<HiddenGap> hidden;  ///< by place; in no total
};

/// The causes of all gaps. Derived: from the order of the rows, their programs, trace ids and host times; the
/// totals add up to the gaps of the table.
OpGaps find_gap_causes(const OpsReport& table, const ShownOps& ops, const Replays& replays);

/// One op on several devices: how far apart they are. All in µs.
struct GroupSkew {
  std::uint32_t row = 0;  ///< of the table
  std::int32_t slowest_device = -1;
  double fastest_us = 0;
  double median_us = 0;
  double slowest_us = 0;
  double lost_us() const { return slowest_us - median_us; }
};

/// One device against the others.
struct DeviceSkew {
  std::int32_t device = -1;
  std::uint64_t ops = 0;
  double device_us = 0;           ///< all ops
  double collective_us = 0;       ///< part of it: collectives, waiting for the others included
  double overlap_us = kNoNumber;  ///< part of that: other ops ran at the same time
  double behind_us = 0;  ///< over the median of the same op, summed where it is slower; not collectives
  std::uint64_t slowest_ops = 0;  ///< in how many ops it is the slowest; not collectives
};

struct OpSkew {
  std::vector<DeviceSkew> devices;
  /// Of every merged op, the kGroupsListed with the largest loss first. Not of collectives: the device that
  /// takes longest in one is not slow, it waits for the others.
  std::vector<GroupSkew> groups;
  double compute_lost_us = 0;  ///< slowest minus median, over all ops but collectives
  /// What devices wait in collectives for the last one, on average over the devices; without cycles mean
  /// minus fastest.
  double collective_wait_us = 0;
  /// How long after the median of the others the last device came, over all collectives (derived); none
  /// without cycles.
  double collective_late_us = kNoNumber;
  static constexpr std::size_t kGroupsListed = 100;
};

/// Durations of the same op on each device are measured. Devices have clocks of their own: who came late to a
/// collective is derived, from clocks that are aligned by the ends of collectives. Empty for one device.
OpSkew find_skew(const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
