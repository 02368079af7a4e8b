#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/ops_report/device_data.h"
#include "model/device_profile.h"

namespace ttscope::analysis {

/// One gap on one core: from the end of its last kernel to its next data movement kernel.
struct CoreGap {
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::uint64_t start_cycle = 0;
  std::uint64_t cycles = 0;
  std::uint64_t from_op = 0;
  std::uint64_t to_op = 0;
};

/// The gaps of each core of a device, in order of time.
std::vector<std::vector<CoreGap>> find_core_gaps(const DeviceProfile& log, std::uint32_t device);

/// One row of the table of gaps: the same pair of ops on all cores that ran both one after the other.
struct GapRow {
  std::uint32_t device = 0;
  std::uint64_t from_op = 0;
  std::uint64_t to_op = 0;
  std::vector<CoreGap> cores;
};
std::vector<GapRow> tabulate_gaps(const DeviceProfile& log);

/// Statistics of cycles.
struct CycleStats {
  std::uint64_t count = 0;
  double average = 0;
  double max = 0;
  double median = 0;  ///< of the medians of the groups that the samples came in
  double min = 0;
  double sum = 0;
};

struct StatsEntry {
  std::string name;  ///< `device_fw_duration`
  CycleStats stats;
};

/// The figures of one device over all its executions, in cycles; only what occurs.
struct DeviceStats {
  std::uint32_t device = 0;
  std::vector<StatsEntry> entries;
};
std::vector<DeviceStats> compute_device_stats(const DeviceProfile& log,
                                              const std::vector<Execution>& measured);

/// The cycles of an execution that an entry of the statistics is about; empty if it has none.
std::vector<std::int64_t> cycles_of(const DeviceProfile& log, const Execution& execution, std::size_t entry);
/// Names of the entries that are about executions.
const std::vector<std::string>& execution_entries();

}  // namespace ttscope::analysis
