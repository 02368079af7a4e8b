#pragma once

#include <cstdint>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// Puts the ops of each device into the order in which they ran; signposts, ops on the host and ops without
/// times stay where they are.
void order_by_device_time(const OpsReport& table, std::vector<std::uint32_t>& window);

/// Ops of one program are one op on all devices, where the ids of the rows tell: they hold the number of the
/// program and that of the device. False: they do not tell, and `result` is as it was.
bool group_by_program(const OpsReport& table, const std::vector<std::uint32_t>& window, ShownOps& result);

/// Reads the clock of the shown ops and finds the path that decides their wall time.
void time_rows(const OpsReport& table, ShownOps& ops);

/// Shows of each merged op the device that decides the wall time, and puts the rows into the order in which
/// they ran. `window`: all rows in the order of the host.
void show_deciding_devices(const OpsReport& table, const std::vector<std::uint32_t>& window, ShownOps& ops);

/// Total % of all rows: what they and the gaps before them take of the counted time. False: the rows have no
/// cycles.
bool share_wall(const OpsReport& table, ShownOps& ops);

/// Rows that are the first on their device, by row of the report.
std::vector<bool> first_on_device(const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
