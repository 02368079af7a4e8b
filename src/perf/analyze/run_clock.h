#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// One op on the clock of the run: from the start of its firmware to its end, in ns since the first op of the
/// window on any device.
struct TimedOp {
  std::uint32_t row = 0;             ///< in OpsReport::rows
  std::uint32_t collective = kNone;  ///< number of the collective that it takes part in
  double start_ns = 0;
  double end_ns = 0;
  bool is_absent = false;  ///< the report lacks its row; `row` is that of another device
};

/// An op that ran before one of a lane without a row of its own.
struct AbsentOp {
  std::uint32_t before = 0;  ///< in DeviceLane::ops
  TimedOp op;
};

/// What one device did in the window. Its ops are in the order of their starts.
struct DeviceLane {
  std::int32_t device = -1;
  double cycles_per_ns = 0;  ///< of its own clock
  std::vector<TimedOp> ops;
  double wall_ns = 0;            ///< first start to last end
  double busy_ns = 0;            ///< some op ran: union of their intervals
  double compile_ns = 0;         ///< part of what is idle: the host made programs
  std::vector<AbsentOp> absent;  ///< in order; in none of these times
  /// Rows of other devices, of ops that it lacks behind all that it has: how long it went on is not known.
  std::vector<std::uint32_t> missing_at_end;
  double idle_ns() const { return wall_ns - busy_ns; }
};

/// How the clocks of the devices were brought together. Each device counts from its own reset.
enum class ClockBasis : std::uint8_t {
  kNone,         ///< one device, or nothing to align by: all begin together
  kCollectives,  ///< all devices leave a collective together
  kSharedOps,    ///< the same ops begin together
  kHost,         ///< no op begins before the host sent it
  kSync,         ///< measured: clocks were synchronized with the host's
};

std::string_view key_of(ClockBasis basis);

/// Devices that meet in collectives along one axis of a mesh: those of a row, or of a column.
struct MeshAxis {
  std::int64_t cluster_axis = -1;  ///< as attributes name it; -1: they do not
  std::uint32_t op_code = 0;       ///< of collectives that name none
  std::vector<std::uint32_t> group_of_lane;
};

/// All devices of the window on one clock.
struct RunClock {
  std::vector<DeviceLane> lanes;    ///< by number of the device
  std::uint32_t collectives = 0;    ///< that have two devices or more
  std::uint64_t without_times = 0;  ///< device ops without cycles; they are in no lane
  ClockBasis basis = ClockBasis::kNone;
  std::vector<MeshAxis> mesh;  ///< only axes along which not all devices meet (derived)

  bool is_known() const { return !lanes.empty(); }
};

/// Who takes part in a collective of some kind, as far as it is told.
struct CollectiveReach {
  double devices = 0;  ///< 0: not told
  std::int64_t cluster_axis = -1;
};

struct ClockInput {
  const OpsReport& table;
  const std::vector<std::uint32_t>& rows;  ///< device ops of the window
  const std::vector<bool>& is_collective;  ///< by kind
  const std::vector<std::uint32_t>&
      groups;                        ///< by row of the report: ops of one number are one op; kNone: alone
  bool groups_are_programs = false;  ///< by their ids, not by order
  std::vector<CollectiveReach> reaches = {};  ///< by kind
};

/// Whether a row says when it ran, in numbers that a timer can have.
inline bool has_cycles(const OpRow& row) {
  constexpr double kMaxCycles = 1.8e19;
  return row.type == OpRowType::kDevice && row.fw_start_cycle >= 0 &&
         row.fw_end_cycle >= row.fw_start_cycle && row.fw_end_cycle < kMaxCycles;
}

/// Measured: cycles of the firmware over the clock of each device. Derived where there are several: how far
/// their clocks are apart.
RunClock read_clock(const ClockInput& input);

/// The devices that meet along an axis, group by group.
std::vector<std::vector<std::int32_t>> groups_of_devices(const RunClock& clock, const MeshAxis& axis);

/// Recomputes the walls after ops were left out.
void measure_lane(DeviceLane& lane);

}  // namespace ttscope::perf
