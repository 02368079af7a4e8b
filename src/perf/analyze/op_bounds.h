#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/analyze/shown_ops.h"

namespace ttscope::perf {

/// What limits an op: the resource that would take longest if each were used at its peak.
enum class OpLimit : std::uint8_t {
  kUnknown,  ///< nothing to compute a bound from
  kCompute,
  kDram,
  kNoc,
  kLink,      ///< Ethernet links between devices
  kDispatch,  ///< its cores start one by one for most of its time, and nothing else is known of it
  kHost,
};

inline constexpr std::size_t kOpLimitCount = 7;

/// `compute`, `dram`, ...
std::string_view key_of(OpLimit limit);

/// What decides the bound: what was measured of this very run goes before models of it.
enum class LimitModel : std::uint8_t {
  kNone,
  kNpe,       ///< NOC UTIL and DRAM BW UTIL columns (tt-npe)
  kShapes,    ///< operations and bytes from shapes and data types, over the peaks of the device
  kPm,        ///< PM COMPUTE and PM BANDWIDTH columns (the runtime's performance model)
  kTimes,     ///< recorded times alone: gaps, starts of cores, which processors worked
  kCounters,  ///< hardware counters: how long the matrix engine or the ports to the NoC worked
  kWaits,     ///< how long compute waited for circular buffers
  kZones,     ///< zones of the kernels: one side was done long before the other
  kNocTrace,  ///< bytes of the NoC trace, over the peak of the busiest core's port
};

inline constexpr std::size_t kLimitModelCount = 9;

std::string_view key_of(LimitModel model);
/// Whether something that was measured of the op's own execution decided.
bool is_measured(LimitModel model);

struct OpBound {
  OpLimit limit = OpLimit::kUnknown;
  LimitModel model = LimitModel::kNone;
  float ideal_us = 0;                     ///< at the peak of what limits it; 0: unknown
  float percent = 0;                      ///< ideal of the device time
  LimitModel figure = LimitModel::kNone;  ///< where `ideal_us` comes from, where something else decided
  bool refuted = false;    ///< it ran faster than its model allows, so the model says nothing about it
  float all_cores_us = 0;  ///< of an op that computes: the same if it had all cores of the device; 0: unknown
  /// What its launch costs beside that: the gap before it over that of a usual launch, and the time until its
  /// last core starts where that is most of it.
  float dispatch_us = 0;
};

struct LimitTotal {
  double device_us = 0;
  double ideal_us = 0;  ///< of the ops whose bound has one
  std::uint64_t rows = 0;
};

struct OpBounds {
  std::vector<OpBound> rows;  ///< by row of the table; signposts have kUnknown
  std::array<LimitTotal, kOpLimitCount> totals;
  std::uint64_t refuted = 0;   ///< rows
  std::uint64_t measured = 0;  ///< rows whose limit was measured
};

/// A bound for every op. The totals add up to the device time of the table.
OpBounds find_bounds(const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
