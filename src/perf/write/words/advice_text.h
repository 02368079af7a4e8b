#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/analyse/ops/op_reading.h"

namespace ttscope::perf {

/// One line: the op and the device at fault, or what to change.
std::string advice_title(const OpsReport& table, const OpReading& reading, const OpAdvice& advice);
/// What to do, what the gain assumes, and how sure it is.
std::string advice_detail(const OpsReport& table, const OpReading& reading, const OpAdvice& advice);

/// Why there is no advice: nothing to gain, or nothing that says so.
std::string_view no_advice_text(const OpsReport& table, const OpReading& reading);

/// What percentages are a share of: `the wall time of device 2, without compiling`.
std::string counted_time_text(const ShownOps& ops);

/// How the times of several devices can be compared; those of one host may be synchronised, hosts are not.
std::string clock_basis_text(const OpsReport& table, ClockBasis basis);

/// The first lines of every report: wall, busy and idle time of the devices, what repeats, what computes and
/// what only moves data. Each line is a sentence without its full stop.
std::vector<std::string> time_lines(const OpsReport& table, const OpReading& reading);

}  // namespace ttscope::perf
