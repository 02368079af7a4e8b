#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/analyze/profile.h"
#include "perf/analyze/shown_ops.h"

namespace ttscope::perf {

/// A label without what every name of an op ends with: `Matmul 32 x 3072 x 1280` of
/// `MatmulDeviceOperation 32 x 3072 x 1280`. A label that is nothing else stays as it is.
std::string readable_label(std::string_view label);

/// The readable label and, where it names no sizes itself, the shapes: `LayerNorm 32x3072`.
std::string label_with_shape(const OpsReport& table, const ShownOps& ops, std::uint32_t kind);

/// One line: the op and the device at fault, or what to change.
std::string advice_title(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice);
/// What to do, what the gain assumes, and how sure it is.
std::string advice_detail(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice);

/// Why there is no advice: nothing to gain, or nothing that says so.
std::string_view no_advice_text(const OpsReport& table, const OpAnalysis& analysis);

/// What percentages are a share of: `the wall time of device 2, without compiling`.
std::string counted_time_text(const ShownOps& ops);

/// How the times of several devices can be compared; those of one host may be synchronized, hosts are not.
std::string clock_basis_text(const OpsReport& table, ClockBasis basis);

/// The first lines of every report: wall, busy and idle time of the devices, what repeats, what computes and
/// what only moves data. Each line is a sentence without its full stop.
std::vector<std::string> time_lines(const OpsReport& table, const OpAnalysis& analysis);

}  // namespace ttscope::perf
