#pragma once

#include <cstdint>

#include "perf/analyse/ops/op_bounds.h"

namespace ttscope::perf {

/// Which side of an op the other one waits for.
enum class LimitSide : std::uint8_t {
  kUnknown,    ///< neither clearly
  kComputing,  ///< data are there in time: compute limits
  kMoving,     ///< compute waits for data or for room: moving them limits
};

struct WhoWaited {
  LimitSide side = LimitSide::kUnknown;
  LimitModel model = LimitModel::kNone;  ///< kWaits or kZones
};

/// Measured, of this execution: by waits for circular buffers where they were summed up, else by the zones of
/// its kernels, which tell when one side was done long before the other.
WhoWaited who_waited(const OpsReport& table, const OpRow& row, double cores);

}  // namespace ttscope::perf
