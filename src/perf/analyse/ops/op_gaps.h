#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/analyse/clock/replays.h"
#include "perf/analyse/ops/shown_ops.h"

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

}  // namespace ttscope::perf
