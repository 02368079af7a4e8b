#pragma once

#include "base/writer.h"
#include "perf/analyse/ops/op_reading.h"
#include "perf/write/terminal/perf_table.h"

namespace ttscope::perf {

/// Wall, busy and idle time, what repeats, what computes.
void write_time_section(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                        Writer& out);
/// What the path that decides the wall time consists of. Nothing without cycles.
void write_path_section(const OpsReport& table, const OpReading& reading, const PerfTableOptions& options,
                        Writer& out);
/// The costliest ops that only move or convert data.
void write_conversion_section(const OpsReport& table, const OpReading& reading,
                              const PerfTableOptions& options, Writer& out);

}  // namespace ttscope::perf
