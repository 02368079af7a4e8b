#pragma once

#include "base/json_writer.h"
#include "perf/analyse/ops/op_reading.h"

namespace ttscope::perf {

/// `devices[]`: wall, busy and idle time of each device of the window; null where the rows have no cycles.
void write_devices_json(const OpsReport& table, const OpReading& reading, JsonWriter& json);
/// `iterations[]`: replays of traces and what signposts repeat, with mean and spread.
void write_iterations_json(const OpsReport& table, const OpReading& reading, JsonWriter& json);
/// `critical_path`: the parts that decide the wall time, none where there are more than `most_parts`; null
/// without cycles.
void write_path_json(const OpsReport& table, const OpReading& reading, bool lists_parts, JsonWriter& json);

}  // namespace ttscope::perf
