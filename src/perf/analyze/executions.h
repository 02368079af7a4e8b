#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// Cycles a microsecond of each device; 0 where it is not known.
using DeviceClocks = std::map<std::uint32_t, double>;

/// 0 if it is not known.
double clock_of(const DeviceClocks& clocks, std::uint32_t device);

/// The clock of every device: what the runtime's own rows imply, else what its time synchronization measured,
/// else the one clock of the log's first line, which is that of the first device.
DeviceClocks find_clocks(const DeviceProfile* log, const std::vector<Execution>& cpp_rows,
                         const DeviceClockLines& synchronized);

/// Fills in the figures of the executions of a device log. `average_sums`: waits for circular buffers are the
/// average over cores, else their sum. Runs with damaged markers do not count where others are whole.
std::vector<Execution> measure_executions(const DeviceProfile& log, const DeviceClocks& clocks,
                                          bool average_sums, PerfProblems& problems);

/// Nanoseconds of so many cycles, rounded to even as Python does.
std::int64_t to_ns(std::int64_t cycles, double clock_mhz);

/// One list of executions from the two device files; where both have one, the log's figures count and the
/// runtime's fill in what the log does not say. Differences are counted.
std::vector<Execution> join_device_files(std::vector<Execution> cpp_rows, std::vector<Execution> measured,
                                         PerfProblems& problems);

/// Sub-device ids are only in the log's meta data.
void add_sub_devices(const DeviceProfile& log, std::vector<Execution>& executions);

/// Names cores whose timers are far from the others'.
void find_skewed_timers(const DeviceProfile& log, PerfProblems& problems);

/// The op that a dispatch core works for: `{"workers_runtime_id":1024}`. Nothing if the meta data do not say.
std::optional<std::uint64_t> op_id_in_meta(std::string_view meta);
/// What it does: `{"dispatch_command_type":"CQ_DISPATCH_CMD_WAIT"}`.
std::optional<std::string_view> command_in_meta(std::string_view meta);

/// Adds what the dispatch cores took for each program: from the first dispatch command to the last one, and
/// the go signal. Dispatch cores name programs by their whole id or by its low 16 bits, depending on the
/// runtime; both are found.
void add_dispatch_times(const DeviceProfile& log, const DeviceClocks& clocks,
                        std::vector<Execution>& executions, PerfProblems& problems);

/// How long a core was busy over the whole run; only where the device log is there.
struct CoreLoad {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::uint64_t busy_cycles = 0;  ///< from the first kernel start to the last kernel end, over its runs
  std::uint64_t runs = 0;         ///< executions with both of these
};

/// How long each core of each device ran kernels, in all executions; by device and row of cores.
std::vector<CoreLoad> core_loads(const DeviceProfile& log);

}  // namespace ttscope::perf
