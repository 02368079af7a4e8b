#pragma once

#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyse/ops/op_reading.h"
#include "perf/write/terminal/perf_table.h"

namespace ttscope::perf {

/// The costliest ops, those of one name and shape as one line; the others as one line; the sum. At most as
/// wide as the options say.
void write_group_table(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                       Writer& out);

/// The stacked report in as many columns as fit.
void write_fitted_stack(const std::vector<StackEntry>& entries, const StackOptions& stack,
                        const PerfTableOptions& options, Writer& out);

/// `dram 57%`: what limits ops, and how near they are to it; `?` where nothing is known.
std::string bound_cell(OpLimit limit, double peak_percent);

}  // namespace ttscope::perf
