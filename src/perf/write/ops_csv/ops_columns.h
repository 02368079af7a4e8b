#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/write/ops_csv/ops_csv.h"

namespace ttscope::perf {

/// Where the cell of a column comes from.
enum class CellSource : std::uint8_t {
  kOpCode,
  kOpType,
  kCallCount,
  kDeviceId,
  kDeviceArch,
  kAttributes,
  kMathFidelity,
  kParallelization,
  kHostStart,
  kHostEnd,
  kHostDuration,
  kMessageDuration,
  kLatency,
  kLatencyDm,
  kFigure,
  kInput,
  kOutput,
  kTraceId,
  kReplaySession,
  kComputeSource,
  kComputeHash,
  kDataMovementSource,
  kDataMovementHash,
  kProgramHash,
  kCacheHit,
  kKernelSize,
  kPmIdeal,
  kPmCompute,
  kPmBandwidth,
  kPmReqInput,
  kPmReqOutput,
  kPmFpuUtil,
  kNetwork,
  kCounter,
  kChild,
  kHostName,
  kLocation,
  kEmpty,
};

struct OpsColumn {
  std::string name;
  CellSource source = CellSource::kEmpty;
  std::uint32_t index = 0;  ///< of a tensor, counter column, ...
  std::uint32_t field = 0;  ///< of a tensor; a Figure
};

/// The columns of a report, from what its rows need.
std::vector<OpsColumn> ops_columns(const std::vector<CaptureRows>& parts, const ReportForm& options);

}  // namespace ttscope::perf
