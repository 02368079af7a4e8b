#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "perf/model/device_profile.h"
#include "perf/model/device_sync.h"

namespace ttscope::perf {

/// Cycles a microsecond of each device; 0 where it is not known.
using DeviceClocks = std::map<std::uint32_t, double>;
/// 0 if it is not known.
double clock_of(const DeviceClocks& clocks, std::uint32_t device);

/// The clock of every device: what the runtime's own rows imply, else what its time synchronisation measured,
/// else the one clock of the log's first line, which is that of the first device.
DeviceClocks find_clocks(const DeviceProfile* log, const std::vector<Execution>& cpp_rows,
                         const DeviceClockLines& synchronised);

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

}  // namespace ttscope::perf
