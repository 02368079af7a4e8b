#pragma once
// What the profiler measured of programs, while the process goes on: needs TT_METAL_DEVICE_PROFILER,
// TT_METAL_PROFILER_MID_RUN_DUMP and TT_METAL_PROFILER_CPP_POST_PROCESS; without them the maps are empty.

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tt {
using ChipId = int;
}

namespace tt::tt_metal::experimental {

constexpr std::uint64_t INVALID_NUM_PROGRAM_EXECUTION_UID = std::uint64_t{1} << 63;

struct ProgramExecutionUID {
  std::uint64_t runtime_id = INVALID_NUM_PROGRAM_EXECUTION_UID;
  std::uint64_t trace_id = INVALID_NUM_PROGRAM_EXECUTION_UID;
  std::uint64_t trace_id_counter = INVALID_NUM_PROGRAM_EXECUTION_UID;

  auto operator<=>(const ProgramExecutionUID&) const = default;
};

/// Cycles of the device; the duration in nanoseconds.
struct ProgramSingleAnalysisResult {
  std::uint64_t start_timestamp = UINT64_MAX;
  std::uint64_t end_timestamp = 0;
  std::uint64_t duration = 0;

  auto operator<=>(const ProgramSingleAnalysisResult&) const = default;
};

/// One execution of a program. In the order of their firmware's times; in tt-metal two with equal times are
/// one, here the ids tell them apart.
struct ProgramAnalysisData {
  ProgramExecutionUID program_execution_uid;
  /// By the names of cpp_device_perf_report.csv, such as `DEVICE FW DURATION [ns]`.
  std::unordered_map<std::string, ProgramSingleAnalysisResult> program_analyses_results;
  std::uint32_t core_count = 0;
  std::uint32_t num_available_cores = 0;

  bool operator==(const ProgramAnalysisData&) const = default;
  bool operator<(const ProgramAnalysisData& other) const;
};

/// What the last read found, and what all reads found.
std::map<ChipId, std::set<ProgramAnalysisData>> GetLatestProgramsPerfData();
std::map<ChipId, std::set<ProgramAnalysisData>> GetAllProgramsPerfData();

struct DurationHistogram {
  std::uint64_t min_ns = 0;
  std::uint64_t max_ns = 0;
  std::uint32_t num_buckets = 0;
  std::vector<std::uint64_t> bucket_edges_ns;  ///< one more than buckets
  std::vector<std::uint64_t> bucket_counts;
  std::uint64_t underflow = 0;
  std::uint64_t overflow = 0;
};

/// Of `DEVICE KERNEL DURATION [ns]`.
struct KernelDurationSummary {
  std::uint64_t count = 0;
  std::uint64_t min_ns = 0;
  std::uint64_t max_ns = 0;
  double avg_ns = 0;
  DurationHistogram histogram;
};

/// Without limits (0, 0) the histogram goes from the shortest to the longest kernel; without kernels from
/// 100 ns to 10 ms.
std::map<ChipId, KernelDurationSummary> GetLatestKernelDurationSummary(std::uint64_t histogram_min_ns = 0,
                                                                       std::uint64_t histogram_max_ns = 0,
                                                                       std::uint32_t histogram_buckets = 10);
std::map<ChipId, KernelDurationSummary> GetAllKernelDurationSummary(std::uint64_t histogram_min_ns = 0,
                                                                    std::uint64_t histogram_max_ns = 0,
                                                                    std::uint32_t histogram_buckets = 10);

}  // namespace tt::tt_metal::experimental
