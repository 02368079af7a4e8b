#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "perf/model/device_profile.h"
#include "perf/model/ops_report.h"

// The columns of ops_perf_results.csv: the reader of reports, the maker of reports from captures and the
// writer go by these lists. A figure of an execution has its column in column_of(Figure).

namespace ttscope::perf {

/// What a column says that is no figure of an execution.
enum class ReportColumn : std::uint8_t {
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
  kTraceId,
  kReplaySession,
  kComputeSource,
  kComputeHash,
  kDataMovementSource,
  kDataMovementHash,
  kProgramHash,
  kCacheHit,
  kPmIdeal,
  kPmCompute,
  kPmBandwidth,
  kPmReqInput,
  kPmReqOutput,
  kPmFpuUtil,
  kHostName,
  kLocation,
  // Of these there are several: their names are made where they are listed.
  kFigure,
  kInput,
  kOutput,
  kKernelSize,
  kNetwork,
  kCounter,
  kChild,
};

constexpr std::string_view name_of(ReportColumn column) {
  constexpr std::array<std::string_view, 30> kNames = {
      "OP CODE",
      "OP TYPE",
      "GLOBAL CALL COUNT",
      "DEVICE ID",
      "DEVICE ARCH",
      "ATTRIBUTES",
      "MATH FIDELITY",
      "PARALLELIZATION STRATEGY",
      "HOST START TS",
      "HOST END TS",
      "HOST DURATION [ns]",
      "HOST MESSAGE DURATION [ns]",
      "OP TO OP LATENCY [ns]",
      "OP TO OP LATENCY BR/NRISC START [ns]",
      "METAL TRACE ID",
      "METAL TRACE REPLAY SESSION ID",
      "COMPUTE KERNEL SOURCE",
      "COMPUTE KERNEL HASH",
      "DATA MOVEMENT KERNEL SOURCE",
      "DATA MOVEMENT KERNEL HASH",
      "PROGRAM HASH",
      "PROGRAM CACHE HIT",
      "PM IDEAL [ns]",
      "PM COMPUTE [ns]",
      "PM BANDWIDTH [ns]",
      "PM REQ I BW",
      "PM REQ O BW",
      "PM FPU UTIL (%)",
      "HOST",
      "LOC",
  };
  const auto place = static_cast<std::size_t>(column);
  return place < kNames.size() ? kNames[place] : std::string_view();
}

/// Behind `INPUT_0_` and `OUTPUT_0_`; the sizes first.
inline constexpr std::array<std::string_view, 7> kTensorFields = {
    "W_PAD[LOGICAL]", "Z_PAD[LOGICAL]", "Y_PAD[LOGICAL]", "X_PAD[LOGICAL]", "LAYOUT", "DATATYPE", "MEMORY"};
/// Tensors that a reader looks for.
inline constexpr std::size_t kMaxTensors = 64;

inline constexpr std::string_view kNocUtilColumn = "NOC UTIL (%)";
inline constexpr std::string_view kDramUtilColumn = "DRAM BW UTIL (%)";
inline constexpr std::array<std::string_view, 6> kNetworkColumns = {
    kNocUtilColumn,    "MULTICAST NOC UTIL (%)", kDramUtilColumn, "DRAM BW UTIL PER CTRL (%)",
    "ETH BW UTIL (%)", "NPE CONG IMPACT (%)"};
inline constexpr std::string_view kMathUtilColumn = "MATH Util Median (%)";

/// A text that rows of one kind share.
struct KindText {
  ReportColumn column;
  std::uint32_t OpKind::*field;
};

/// In the order in which their texts get numbers.
inline constexpr std::array<KindText, 9> kKindTexts = {{
    {ReportColumn::kOpCode, &OpKind::op_code},
    {ReportColumn::kOpType, &OpKind::op_type},
    {ReportColumn::kDeviceArch, &OpKind::arch},
    {ReportColumn::kAttributes, &OpKind::attributes},
    {ReportColumn::kMathFidelity, &OpKind::math_fidelity},
    {ReportColumn::kProgramHash, &OpKind::program_hash},
    {ReportColumn::kComputeSource, &OpKind::compute_kernels},
    {ReportColumn::kDataMovementSource, &OpKind::data_kernels},
    {ReportColumn::kLocation, &OpKind::location},
}};

/// A figure that rows of one kind share.
struct KindFigure {
  Figure figure;
  double OpKind::*field;
  bool may_be_negative = false;
};

inline constexpr std::array<KindFigure, 3> kKindFigures = {{
    {Figure::kCoreCount, &OpKind::core_count},
    {Figure::kAvailableCores, &OpKind::available_cores},
    {Figure::kSubDevice, &OpKind::sub_device, true},
}};

/// A time of the runtime's performance model.
struct KindModelTime {
  ReportColumn column;
  double OpKind::*field;
};

inline constexpr std::array<KindModelTime, 3> kKindModelTimes = {{
    {ReportColumn::kPmIdeal, &OpKind::pm_ideal_ns},
    {ReportColumn::kPmCompute, &OpKind::pm_compute_ns},
    {ReportColumn::kPmBandwidth, &OpKind::pm_bandwidth_ns},
}};

/// A number of a row that is a figure of its execution.
struct RowFigure {
  Figure figure;
  void (*set)(OpRow& row, double value);
};

/// All but the kernel duration and the latency, which have columns of their own on Quasar.
std::span<const RowFigure> row_figures();

/// A number of a row that the host tells.
struct RowNumber {
  ReportColumn column;
  void (*set)(OpRow& row, double value);
  bool may_be_negative = false;
};

inline constexpr std::array<RowNumber, 4> kRowNumbers = {{
    {ReportColumn::kHostStart, [](OpRow& row, double value) { row.host_start_ns = value; }, true},
    {ReportColumn::kHostDuration, [](OpRow& row, double value) { row.host_duration_ns = value; }},
    {ReportColumn::kTraceId, [](OpRow& row, double value) { row.trace_id = static_cast<float>(value); },
     true},
    {ReportColumn::kReplaySession,
     [](OpRow& row, double value) { row.replay_session = static_cast<float>(value); }, true},
}};

}  // namespace ttscope::perf
